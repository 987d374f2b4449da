// semel doctor.
#include <algorithm>
#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "cli/program.hpp"
#include "support/postgres_server.hpp"

namespace semel::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Doctor : public ServerTest {
protected:
    // The verdict of a check, as JSON text; empty: there was no such check.
    static std::string verdict(const std::string& document, const std::string& check) {
        const std::string start = "{\"check\":\"" + check + "\",\"verdict\":";
        const std::size_t at = document.find(start);
        if (at == std::string::npos) {
            return "";
        }
        const std::size_t from = at + start.size() + 1;
        return document.substr(from, document.find('"', from) - from);
    }
    void stop_server() {
        server_->signal(SIGTERM);
        EXPECT_EQ(server_->wait().code, 0);
    }
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            names.push_back(entry.path().filename());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
};

TEST_F(Doctor, AServerThatIsWell) {
    const Ended ended = semel({"doctor"});
    EXPECT_EQ(ended.code, 0) << ended.out;
    EXPECT_EQ(ended.err, "");
    EXPECT_THAT(ended.out, HasSubstr("✓ server       " + url_ + " answers\n"));
    EXPECT_THAT(ended.out, HasSubstr("✓ version      " SEMEL_VERSION ", as this program\n"));
    EXPECT_THAT(ended.out, HasSubstr("✓ durability   an acknowledged commit is synced"));
    EXPECT_THAT(ended.out, HasSubstr("✓ commits      none failed"));
    EXPECT_THAT(ended.out, Not(HasSubstr("✗")));
}

TEST_F(Doctor, WorkThatNobodyDoesAndWorkThatFailed) {
    schedule({"orphan"});
    schedule({"broken", "--max-retries", "1"});
    ASSERT_EQ(semel({"work", "--type", "broken", "--exec", "exit 1", "--once"}).code, 0);
    const Ended ended = semel({"doctor"});
    EXPECT_EQ(ended.code, 0) << "a warning is no failure";
    EXPECT_THAT(ended.out, HasSubstr("! workers      nobody asks for due work of type `orphan`"));
    EXPECT_THAT(ended.out, HasSubstr("→ start one: semel work --type orphan\n"));
    EXPECT_THAT(ended.out, HasSubstr("! failures     1 failed in the last hour\n"));
}

TEST_F(Doctor, NoServer) {
    const Ended ended = run({"doctor", "--url", "http://127.0.0.1:1", "--json"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(member(ended.out, "healthy"), "false");
    EXPECT_EQ(verdict(ended.out, "server"), "bad");
}

TEST_F(Doctor, DetailsNeedAToken) {
    ASSERT_EQ(semel({"token", "create", "--name", "ops", "--scopes", "admin"}).code, 0);
    const Ended ended = semel({"doctor", "--json"});
    EXPECT_EQ(ended.code, 0) << ended.out;
    EXPECT_EQ(verdict(ended.out, "ready"), "good");
    EXPECT_EQ(verdict(ended.out, "version"), "warning");
    EXPECT_EQ(verdict(ended.out, "workers"), "warning");
}

TEST_F(Doctor, AStoreInUseAndAClosedOneAreLookedAtAndLeftAlone) {
    schedule({"orphan"});
    const Ended used = run({"doctor", "--store", "semel.db"});
    EXPECT_EQ(used.code, 0) << used.out;
    EXPECT_THAT(used.out, HasSubstr("✓ lock         in use by process "));
    EXPECT_THAT(used.out, HasSubstr("✓ integrity "));
    EXPECT_EQ(becomes(schedule({"t"}), "pending"), true) << "the server goes on";
    stop_server();
    const auto before = files();
    const Ended closed = run({"doctor", "--store", "semel.db"});
    EXPECT_EQ(closed.code, 0) << closed.out;
    EXPECT_THAT(closed.out, HasSubstr("✓ lock         in use by nobody\n"));
    EXPECT_EQ(files(), before);
}

TEST_F(Doctor, AStoreThatIsNotWell) {
    stop_server();
    const Ended missing = run({"doctor", "--store", "none.db"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.out, HasSubstr("✗ store        there is no store none.db\n"));
    EXPECT_FALSE(std::filesystem::exists(path("none.db")));

    ASSERT_EQ(chmod(path("semel.db").c_str(), 0644), 0);
    const Ended open = run({"doctor", "--store", "semel.db"});
    EXPECT_EQ(open.code, 0);
    EXPECT_THAT(open.out, HasSubstr("! permissions  0644: others can read"));
    EXPECT_THAT(open.out, HasSubstr("→ chmod 600 semel.db\n"));

    {
        std::fstream file(path("semel.db"), std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(4096);
        file << std::string(8192, '\x5A');
    }
    const Ended damaged = run({"doctor", "--store", "semel.db"});
    EXPECT_EQ(damaged.code, 1);
    EXPECT_THAT(damaged.out, HasSubstr("→ stop the server and restore a backup"));
    write("empty.db", "");
    EXPECT_THAT(run({"doctor", "--store", "empty.db"}).out, HasSubstr("→ name the file that"));
    write("notes", "just text, long enough to be looked at as if it were a database of some kind");
    EXPECT_EQ(run({"doctor", "--store", "notes"}).code, 1);
    EXPECT_EQ(run({"doctor", "--store", "."}).code, 1);
}

TEST_F(Doctor, ADatabaseIsLookedAt) {
    stop_server();
    const std::string url = test::PostgresServer::shared().make_database();
    const Ended empty = run({"doctor", "--store", url, "--json"});
    EXPECT_EQ(empty.code, 0) << empty.out;
    EXPECT_EQ(verdict(empty.out, "schema"), "good");
    EXPECT_EQ(test::ask_postgres(url, "select to_regnamespace('semel')"), "") << "changes nothing";
    ASSERT_EQ(run({"migrate", "--store", url}).code, 0);
    const Ended well = run({"doctor", "--store", url, "--json"});
    EXPECT_EQ(well.code, 0) << well.out;
    for (const char* check : {"store", "schema", "statements"}) {
        EXPECT_EQ(verdict(well.out, check), "good") << check;
    }
    EXPECT_EQ(verdict(well.out, "durability"), "warning") << "the tests' server does not sync";
    test::ask_postgres(url, "insert into semel.moved_from values (1, 'a.db', '', 0, '', 0, 0)");
    const Ended half = run({"doctor", "--store", url});
    EXPECT_EQ(half.code, 1) << half.out;
    const Ended checked = run({"migrate", "--check", "--store", url});
    EXPECT_EQ(checked.code, 5) << checked.out;
    EXPECT_THAT(checked.err, HasSubstr("finish that with `semel migrate --from a.db"));
    EXPECT_THAT(half.out, HasSubstr("half filled from a.db"));
    test::ask_postgres(url, "delete from semel.moved_from; drop table semel.later");
    const Ended damaged = run({"doctor", "--store", url});
    EXPECT_EQ(damaged.code, 1) << damaged.out;
    EXPECT_THAT(damaged.out, HasSubstr("semel.later"));
}

TEST_F(Doctor, ARoleThatHasTooLittle) {
    stop_server();
    const std::string url = test::PostgresServer::shared().make_database();
    ASSERT_EQ(run({"migrate", "--store", url}).code, 0);
    test::ask_postgres(url,
                       "drop role if exists guest; create role guest login connection limit 4; "
                       "grant all on schema semel to guest; "
                       "grant all on all tables in schema semel to guest; "
                       "grant all on all sequences in schema semel to guest; "
                       "grant execute on all functions in schema semel to guest");
    const std::string as_guest = "postgres://guest@" + url.substr(url.find('@') + 1);
    const Ended ended = run({"doctor", "--store", as_guest, "--json"});
    EXPECT_EQ(verdict(ended.out, "connections"), "warning") << ended.out;
    EXPECT_EQ(verdict(ended.out, "decision_days_not_made"), "warning") << ended.out;
}

TEST_F(Doctor, ASchemaOfSomebodyElse) {
    stop_server();
    const std::string url = test::PostgresServer::shared().make_database();
    test::ask_postgres(url, "create schema semel; create table semel.job (x int)");
    const Ended doctor = run({"doctor", "--store", url});
    EXPECT_EQ(doctor.code, 1) << doctor.out;
    EXPECT_THAT(doctor.out, HasSubstr("the schema semel is not Semel's"));
    for (const char* command : {"migrate", "serve"}) {
        const Ended ended = run({command, "--store", url});
        EXPECT_EQ(ended.code, 3) << command << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("the schema semel is not Semel's")) << command;
    }
}

TEST_F(Doctor, ADatabaseThatCannotBeOne) {
    stop_server();
    for (const char* url :
         {"postgres://u:hush@127.0.0.1:1/h", "postgres://u:hush@127.0.0.1/h?committers=77",
          "postgres://u:hush%zz@127.0.0.1/h", "host=127.0.0.1 password=hush", "redis://hush",
          "postgres:u:hush@127.0.0.1/h", "postgresql:/u:hush@127.0.0.1/h"}) {
        const Ended ended = run({"doctor", "--store", url});
        EXPECT_EQ(ended.code, 1) << url << ended.out;
        EXPECT_THAT(ended.out, HasSubstr("✗ store"));
        EXPECT_THAT(ended.out + ended.err, Not(HasSubstr("hush"))) << url;
    }
}

TEST_F(Doctor, AConfigurationWithItsStoreAndItsServer) {
    write("good.yaml", "store: ./semel.db\nlisten: " + url_.substr(7) + "\n");
    const Ended good = run({"doctor", "--config", "good.yaml", "--json"});
    EXPECT_EQ(good.code, 0) << good.out;
    for (const char* check : {"config", "store", "lock", "exposure", "server", "version"}) {
        EXPECT_EQ(verdict(good.out, check), "good") << check;
    }
    write("open.yaml", "store: ./semel.db\nlisten: 0.0.0.0:1\n");
    const Ended exposed = run({"doctor", "--config", "open.yaml"});
    EXPECT_EQ(exposed.code, 1);
    EXPECT_THAT(exposed.out, HasSubstr("and no API token exists\n"));
    write("bad.yaml", "stor: x\n");
    const Ended bad = run({"doctor", "--config", "bad.yaml"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.out, HasSubstr("✗ config "));
    EXPECT_EQ(run({"doctor", "--config", "none.yaml"}).code, 1);
}

}  // namespace
}  // namespace semel::cli
