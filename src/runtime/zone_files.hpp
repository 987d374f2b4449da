// ZoneFiles: the time zones of this machine, read from the files of Debian's package tzdata and
// kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/time_zone.hpp"

namespace semel {

// Any thread may call it. A zone once read stays as it is until the process ends: an upgrade of
// tzdata counts from the next start.
class ZoneFiles final : public ZoneSource {
public:
    explicit ZoneFiles(std::string folder) : folder_(std::move(folder)) {}

    // TZDIR where it is set, else where Debian has them.
    [[nodiscard]] static std::string default_folder();

    [[nodiscard]] Result<std::shared_ptr<const TimeZone>> find(std::string_view name) override;

private:
    // REQUIRES: mutex_ is held.
    [[nodiscard]] Result<std::shared_ptr<const TimeZone>> read(const std::string& name);
    [[nodiscard]] Error unknown(std::string_view name);

    const std::string folder_;
    std::mutex mutex_;
    // Under mutex_:
    std::map<std::string, std::shared_ptr<const TimeZone>, std::less<>> zones_;
    std::vector<std::string>
        names_;  // every zone there is, once somebody asked for one there is not
};

}  // namespace semel
