// Real time zones for tests of core, which reads no files itself.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/time/time_zone.hpp"

namespace semel::test {

inline std::shared_ptr<const TimeZone> zone(const std::string& name) {
    const char* folder = std::getenv("TZDIR");
    std::ifstream file(std::string(folder != nullptr ? folder : "/usr/share/zoneinfo") + "/" + name,
                       std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    auto zone = TimeZone::parse(name, bytes);
    EXPECT_TRUE(zone) << zone.error().message() << " (Debian's package tzdata is needed)";
    return zone ? *zone : TimeZone::utc();
}

}  // namespace semel::test
