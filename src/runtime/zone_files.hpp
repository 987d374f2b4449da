// ZoneFiles: reads the time zones of this machine, from the files of Debian's package tzdata.
//
// Errors: see find().
// Threads: any. find() blocks while it reads a zone for the first time.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/time/time_zone.hpp"

namespace semel {

// Reads each zone once, and returns the same zone from then on: an upgrade of tzdata takes effect
// when the process starts again.
class ZoneFiles final : public ZoneSource {
public:
    explicit ZoneFiles(std::string folder) : folder_(std::move(folder)) {}

    // Returns TZDIR if it is set, else Debian's folder.
    [[nodiscard]] static std::string default_folder();

    // Returns the zone. Errors: `not_found`, with the nearest names or the missing folder;
    // `io_error` if the file cannot be read.
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
        names_;  // every zone of the folder; read when an unknown one is asked for
};

}  // namespace semel
