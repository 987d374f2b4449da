#include "runtime/zone_files.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace semel {
namespace {

using testing::HasSubstr;

std::string why_not(ZoneFiles& files, const std::string& name) {
    const auto zone = files.find(name);
    return zone ? "found" : zone.error().message();
}

TEST(ZoneFiles, FindsAZoneAndKeepsIt) {
    ZoneFiles files(ZoneFiles::default_folder());
    const auto first = files.find("Europe/Berlin");
    const auto second = files.find("Europe/Berlin");
    ASSERT_TRUE(first) << first.error().message();
    ASSERT_TRUE(second);
    EXPECT_EQ(*first, *second);
    EXPECT_EQ((*first)->name(), "Europe/Berlin");
    EXPECT_EQ((*first)->offset_at(std::chrono::sys_days(std::chrono::year(2045) / 7 / 1)),
              std::chrono::hours(2));
}

TEST(ZoneFiles, NamesThatAreNoneNeverReachTheDisk) {
    ZoneFiles files(ZoneFiles::default_folder());
    for (const char* name :
         {"", "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC", "Europe//Berlin", "Europe/",
          "/UTC", "UTC\n", "Europe/Berlin.tab", "zone.tab", "localtime", "posixrules", "posix/UTC",
          "right/UTC", "Europe Berlin", "Европа"}) {
        EXPECT_THAT(why_not(files, name), HasSubstr("there is no time zone")) << name;
    }
    EXPECT_THAT(why_not(files, std::string(500, 'a')), HasSubstr("there is no time zone"));
    EXPECT_THAT(why_not(files, std::string("UTC\0", 4)), HasSubstr("there is no time zone"));
    EXPECT_THAT(why_not(files, "\xff"), HasSubstr("there is no time zone"));
    EXPECT_THAT(why_not(files, "Europe"), HasSubstr("there is no time zone"));
}

TEST(ZoneFiles, SuggestsWhatMayBeMeant) {
    ZoneFiles files(ZoneFiles::default_folder());
    EXPECT_THAT(why_not(files, "europe/berlin"), HasSubstr("did you mean `Europe/Berlin`?"));
    EXPECT_THAT(why_not(files, "utc"), HasSubstr("did you mean `UTC`"));
    EXPECT_THAT(why_not(files, "Berlin"), HasSubstr("`Europe/Berlin`"));
    EXPECT_THAT(why_not(files, "Europe/Berlim"), HasSubstr("`Europe/Berlin`"));
    EXPECT_THAT(why_not(files, "Middle/Of_Nowhere_At_All"), HasSubstr("like Europe/Berlin"));
}

TEST(ZoneFiles, AFolderWithoutZones) {
    ZoneFiles files("/nonexistent");
    EXPECT_THAT(why_not(files, "Europe/Berlin"), HasSubstr("tzdata"));
    EXPECT_EQ(why_not(files, "UTC"), "found");
}

TEST(ZoneFiles, UtcNeedsNoFile) {
    const test::TempFolder folder;  // without one
    ZoneFiles files(folder.path());
    EXPECT_EQ(why_not(files, "UTC"), "found");
    EXPECT_THAT(why_not(files, "Etc/UTC"), HasSubstr("there is no time zone"));
}

TEST(ZoneFiles, AFileThatIsNoZone) {
    const test::TempFolder folder;
    std::ofstream(folder.file("Text")) << "hello";
    std::ofstream(folder.file("Broken")) << "TZif2 and nothing more";
    ZoneFiles files(folder.path());
    EXPECT_THAT(why_not(files, "Text"), HasSubstr("there is no time zone"));
    EXPECT_THAT(why_not(files, "Broken"), HasSubstr("the zone file of Broken cannot be used"));
}

}  // namespace
}  // namespace semel
