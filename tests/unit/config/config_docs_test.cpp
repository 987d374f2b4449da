// docs/reference/config.md and the code's table of keys say the same.
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "config/keys.hpp"

namespace semel {
namespace {

std::string page() {
    std::ifstream file(SEMEL_DOCS "/reference/config.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// | `key` | `ENVIRONMENT` | default | meaning |
std::string row_of(const ConfigKey& key) {
    const std::string fallback =
        key.fallback == "none" ? "none" : "`" + std::string(key.fallback) + "`";
    const std::string variable =
        key.shape == Shape::file_only ? "none" : "`" + environment_name(key.path) + "`";
    return "| `" + std::string(key.path) + "` | " + variable + " | " + std::string(key.expects) +
           " | " + fallback + " | " + std::string(key.meaning) + " |";
}

TEST(ConfigDocs, EveryKeyHasItsRow) {
    const std::string text = page();
    ASSERT_FALSE(text.empty());
    for (const ConfigKey& key : config_keys()) {
        const std::string row = key.shape == Shape::later ? "`" + std::string(key.path) + "`"
                                                          : "\n" + row_of(key) + "\n";
        EXPECT_NE(text.find(row), std::string::npos) << "missing in config.md: " << row;
    }
}

TEST(ConfigDocs, NoRowIsAboutAKeyThatIsNotThere) {
    std::istringstream lines(page());
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `") || line.find("| `SEMEL_") == std::string::npos) {
            continue;
        }
        ++rows;
        const std::string path = line.substr(3, line.find('`', 3) - 3);
        EXPECT_NE(find_config_key(path), nullptr) << line;
    }
    EXPECT_GE(rows, 10U);
}

TEST(ConfigDocs, DefaultsAreWhatTheCodeDoes) {
    for (const ConfigKey& key : config_keys()) {
        if (key.shape == Shape::later || key.fallback == "none") {
            continue;
        }
        Config changed;
        Setting setting;
        setting.items = {std::string(key.fallback)};
        ASSERT_TRUE(key.apply(changed, setting)) << key.path;
        const Config usual;
        EXPECT_EQ(changed.store, usual.store);
        EXPECT_EQ(changed.listen.to_string(), usual.listen.to_string());
        EXPECT_EQ(changed.gateway.listen.to_string(), usual.gateway.listen.to_string());
        EXPECT_EQ(changed.is_durability_strict, usual.is_durability_strict);
        EXPECT_EQ(changed.settings.key_retention, usual.settings.key_retention);
        EXPECT_EQ(changed.settings.window, usual.settings.window);
        EXPECT_EQ(changed.settings.default_timeout, usual.settings.default_timeout);
        EXPECT_EQ(changed.settings.job_retention, usual.settings.job_retention);
        EXPECT_EQ(changed.settings.receipts_in_memory, usual.settings.receipts_in_memory);
        EXPECT_EQ(changed.concurrency, usual.concurrency);
        EXPECT_EQ(changed.stop_grace, usual.stop_grace);
        EXPECT_EQ(changed.log_level, usual.log_level);
        EXPECT_EQ(changed.logs_decisions, usual.logs_decisions);
    }
}

}  // namespace
}  // namespace semel
