// OwnTables: an engine on a real file, with a table of the user's own in it.
#pragma once

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <semel/semel.hpp>

#include "support/temp_folder.hpp"

namespace semel::test {

struct OwnTables : testing::Test {
    // After the handlers.
    void start() {
        engine->start();
        const auto made = engine->write([](Tx& tx) {
            tx.execute("create table app_account (id text primary key, cents integer not null)");
            tx.execute("insert into app_account values (?, ?)", "ada", 1000);
        });
        ASSERT_TRUE(made.has_value()) << made.error().message();
    }

    // Takes from ada.
    static void take(Tx& tx, int cents) {
        tx.execute("update app_account set cents = cents - ? where id = 'ada'", cents);
    }
    std::int64_t cents() {
        std::int64_t found = -1;
        const auto read = engine->write([&](Tx& tx) {
            const auto rows = tx.query("select cents from app_account where id = ?", "ada");
            found = std::get<std::int64_t>(rows.at(0).at(0));
        });
        EXPECT_TRUE(read.has_value()) << read.error().message();
        return found;
    }

    // One attempt, unless said otherwise; what it came to.
    ChainInfo run(ChainSpec chain) {
        chain.max_retries = chain.max_retries.value_or(1);
        chain.backoff = R"({"kind":"fixed","delayMs":1})";
        const auto started = engine->chains().start(chain);
        EXPECT_TRUE(started.has_value() && *started) << (started ? started->problem->detail : "");
        const auto ended = engine->chains().wait(started->id, std::chrono::seconds(60));
        EXPECT_TRUE(ended.has_value() && ended->has_value());
        return ended.value().value_or(ChainInfo{});
    }
    ChainInfo run(const std::string& type) { return run(ChainSpec{.type = type}); }

    const TempFolder folder;
    const std::unique_ptr<Engine> engine =
        std::move(Engine::open({.store = folder.file("semel.db"), .concurrency = 4})).value();
};

}  // namespace semel::test
