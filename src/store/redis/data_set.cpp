#include "store/redis/data_set.hpp"

#include <fmt/format.h>

#include "store/redis/layout.hpp"
#include "store/redis/scripts.hpp"

namespace semel::redis {

Result<void> DataSet::open(Connection& connection, Time now) {
    SEMEL_TRY(reply,
              open_script().run(connection, {kMetaKey},
                                {new_id_(), std::to_string(kFormat), std::to_string(to_ms(now))}));
    const bool has_id = reply.items.size() == 2 && !reply.items[0].text.empty();
    const auto format = has_id ? reply.items[1].as_number() : std::nullopt;
    if (!format) {
        return Error(ErrorCode::refused,
                     fmt::format("what Redis has under {} is not what Semel writes there: give "
                                 "fences a database of their own, like redis://host:6379/1",
                                 kMetaKey));
    }
    if (*format != kFormat) {
        return Error(ErrorCode::refused,
                     fmt::format("the fences in Redis have the format {}, and this program has {}: "
                                 "run the version of Semel that wrote them, or give this one a "
                                 "database of its own, where no key is known yet",
                                 *format, kFormat));
    }
    const std::lock_guard lock(mutex_);
    if (!id_.empty() && id_ != reply.items[0].text) {
        lost_at_ = now;
    }
    id_ = reply.items[0].text;
    return {};
}

bool DataSet::is_same(const Reply& id) const {
    const std::lock_guard lock(mutex_);
    return id.text == id_;
}

std::string DataSet::id() const {
    const std::lock_guard lock(mutex_);
    return id_;
}

std::optional<Time> DataSet::lost_at() const {
    const std::lock_guard lock(mutex_);
    return lost_at_;
}

}  // namespace semel::redis
