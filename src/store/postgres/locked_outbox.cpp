// The part of LockedRows that reads the outbox of users' own transactions.
#include <fmt/format.h>

#include "store/postgres/codec.hpp"
#include "store/postgres/locked_rows.hpp"

namespace semel::postgres {
namespace {

// The limit of the entries of one batch, besides the first one.
constexpr std::int64_t kOutboxBytesMax = std::int64_t{8} * 1024 * 1024;

}  // namespace

void LockedRows::ask_outbox() {
    if (wants_to_drain_ && !drains_) {
        // Never waits for the lock, because another node drains while it has it.
        ask("select id from semel.drain where exists (select from semel.outbox) "
            "for update skip locked",
            Params(), [this](Rows& answer) { drains_ = answer.next_row(); });
    }
    ask_outbox_entries();
    ask_ids(outbox_results_before_, results_before_,
            "select id from semel.outbox_answer where at < $1 order by at, id limit $2");
}

void LockedRows::ask_ids(Known<int, std::vector<Uuid>>& wanted, Time time, const std::string& sql) {
    for (const int limit : std::exchange(wanted.wishes, {})) {
        ask(sql, Params().time(time).integer(limit), [&wanted, limit](Rows& answer) {
            auto& ids = wanted.values[limit];
            while (answer.next_row()) ids.push_back(answer.read_id());
        });
    }
}

void LockedRows::ask_outbox_entries() {
    for (const auto& wish : std::exchange(outbox_.wishes, {})) {
        Array skip(Type::int8);
        for (const std::int64_t id : wish.second) skip.integer(id);
        ask(fmt::format("select {} from (select *, "
                        "sum(octet_length(content)) over (order by id) - octet_length(content) "
                        "as bytes_before from semel.outbox where id <> all($1) "
                        "order by id limit $2) o "
                        "where coalesce(bytes_before, 0) < $3 order by id",
                        kOutboxColumns),
            Params().array(skip).integer(wish.first).integer(kOutboxBytesMax),
            [this, wish](Rows& answer) {
                auto& entries = outbox_.values[wish];
                while (answer.next_row()) entries.push_back(read_outbox_row(answer));
            });
    }
}

}  // namespace semel::postgres
