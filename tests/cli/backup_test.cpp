// semel backup and restore: what a person sees, and what is on the disk afterwards.
#include <csignal>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Backup : public ServerTest {
protected:
    void stop_server() {
        server_->signal(SIGTERM);
        EXPECT_EQ(server_->wait().code, 0);
    }
    Ended restore(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"restore", "b.db", "--store", "semel.db"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
    [[nodiscard]] unsigned mode_of(const std::string& name) const {
        struct stat status {};
        EXPECT_EQ(stat(path(name).c_str(), &status), 0);
        return status.st_mode & 0777U;
    }
    [[nodiscard]] bool has(const std::string& name) const {
        return std::filesystem::exists(path(name));
    }
};

TEST_F(Backup, ThereAndBack) {
    const std::string kept = schedule({"kept", "--delay", "1h"});
    const Ended backed_up = semel({"backup", "b.db"});
    ASSERT_EQ(backed_up.code, 0) << backed_up.err;
    EXPECT_THAT(backed_up.out, StartsWith("wrote b.db: "));
    EXPECT_THAT(backed_up.out, HasSubstr("1 job (1 pending), as of 20"));
    EXPECT_EQ(backed_up.err, "") << "no progress where there is no terminal";
    EXPECT_EQ(mode_of("b.db"), 0600U);
    EXPECT_FALSE(has("b.db.part"));
    const std::string forgotten = schedule({"forgotten"});

    EXPECT_EQ(restore({"--force"}).code, 3) << "the server has it open";
    stop_server();
    EXPECT_EQ(restore().code, 1) << "there is a store";
    const Ended restored = restore({"--force"});
    ASSERT_EQ(restored.code, 0) << restored.err;
    EXPECT_THAT(restored.out, HasSubstr("the store that was there is semel.db.before-restore-"));
    EXPECT_THAT(restored.out, HasSubstr("is forgotten"));
    start_server();
    EXPECT_EQ(action(kept, "status"), "\"pending\"");
    EXPECT_EQ(semel({"actions", "show", forgotten}).code, 4);
}

TEST_F(Backup, WorksOnAStoreWithoutAServer) {
    schedule({"t"});
    stop_server();
    const Ended made = run({"backup", "b.db", "--store", "semel.db", "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(member(made.out, "file"), "\"b.db\"");
    EXPECT_EQ(member(made.out, "jobs"), "{\"pending\":1}");
    const Ended restored = run({"restore", "b.db", "--store", "new.db", "--json"});
    ASSERT_EQ(restored.code, 0) << restored.err;
    EXPECT_EQ(member(restored.out, "keptAside"), "null");
    EXPECT_EQ(member(restored.out, "jobs"), "{\"pending\":1}");
    EXPECT_EQ(run({"actions", "list", "--store", "new.db"}).code, 0);
}

TEST_F(Backup, ReplacesAFileOnlyWhenForced) {
    write("b.db", "mine");
    const Ended refused = semel({"backup", "b.db"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("--force"));
    EXPECT_EQ(read("b.db"), "mine");
    EXPECT_EQ(semel({"backup", "b.db", "--force"}).code, 0);
    EXPECT_THAT(read("b.db"), StartsWith("SQLite format 3"));
}

TEST_F(Backup, TargetsThatCannotBeAreRefusedBeforeAnythingIsCopied) {
    EXPECT_EQ(semel({"backup", "."}).code, 2);
    EXPECT_EQ(semel({"backup", "none/b.db"}).code, 2);
    const Ended unwritable = semel({"backup", "/proc/b.db"});
    EXPECT_NE(unwritable.code, 0);
    EXPECT_THAT(unwritable.err, HasSubstr("cannot write /proc/b.db.part: "));
}

TEST_F(Backup, NeitherAStoreNorADeviceIsEverReplaced) {
    schedule({"t"});
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("semel.db", path("other-name.db"));
    for (const char* file :
         {"semel.db", "semel.db-wal", "semel.db-shm", "semel.db.lock", "other-name.db", "pipe"}) {
        const Ended refused = semel({"backup", file, "--force"});
        EXPECT_EQ(refused.code, 2) << file << ": " << refused.err;
    }
    EXPECT_EQ(std::filesystem::status(path("pipe")).type(), std::filesystem::file_type::fifo);
    stop_server();
    EXPECT_EQ(run({"backup", "semel.db", "--store", "semel.db", "--force"}).code, 2);
    start_server();
    EXPECT_EQ(semel({"actions", "list"}).code, 0);
}

TEST_F(Backup, AServerThatRefusesOrIsNotThereLeavesNothingBehind) {
    EXPECT_EQ(run({"backup", "b.db", "--url", "http://127.0.0.1:1"}).code, 3);
    ASSERT_EQ(semel({"token", "create", "--name", "ops", "--scopes", "admin"}).code, 0);
    const Ended refused = semel({"backup", "b.db"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("unauthorized"));
    EXPECT_EQ(run({"backup", "b.db", "--store", "none.db"}).code, 3);
    EXPECT_FALSE(has("b.db"));
    EXPECT_FALSE(has("b.db.part"));
    EXPECT_FALSE(has("none.db"));
}

TEST_F(Backup, WhatIsNoBackupIsNotRestored) {
    stop_server();
    write("b.db", "not a database, but long enough to look like something at first sight");
    const Ended ended = run({"restore", "b.db", "--store", "new.db"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_THAT(ended.err, HasSubstr("no SQLite database"));
    EXPECT_EQ(run({"restore", "none", "--store", "new.db"}).code, 4);
    EXPECT_EQ(run({"restore", ".", "--store", "new.db"}).code, 2);
    EXPECT_EQ(run({"restore", "b.db", "--store", "postgres://x/y"}).code, 2);
    EXPECT_EQ(run({"restore", "b.db"}).code, 2);
    EXPECT_FALSE(has("new.db"));
    EXPECT_FALSE(has("new.db.lock"));
}

}  // namespace
}  // namespace semel::cli
