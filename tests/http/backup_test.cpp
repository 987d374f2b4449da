// GET /v1/backup.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "http/fixture.hpp"
#include "store/sqlite/store_file.hpp"

namespace semel::test {
namespace {

class BackupOverHttp : public ApiTest {
protected:
    Result<sqlite::StoreFileFacts> look_at(const std::string& bytes) {
        const std::string path = folder_.file("backup.db");
        std::ofstream(path, std::ios::binary) << bytes;
        return sqlite::inspect_store(path, {});
    }
};

TEST_F(BackupOverHttp, IsTheStoreAsItIs) {
    if (store_kind() != "sqlite") {
        EXPECT_EQ(client_.get("/v1/backup").code(), "wrong_state") << "it is not one file";
        return;
    }
    const std::string id = schedule(R"({"type":"t"})");
    const Answered answered = client_.get("/v1/backup");
    ASSERT_EQ(answered.status, 200);
    EXPECT_EQ(*answered.header("content-type"), "application/vnd.sqlite3");
    EXPECT_THAT(*answered.header("content-disposition"),
                testing::MatchesRegex("attachment; filename=\"semel-[0-9]{8}T[0-9]{6}Z.db\""));
    const auto facts = look_at(answered.body);
    ASSERT_TRUE(facts.has_value()) << facts.error().message();
    EXPECT_EQ(facts->jobs, (std::map<Status, std::int64_t>{{Status::pending, 1}}));
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        EXPECT_EQ(entry.path().string().find(".copying-"), std::string::npos) << entry.path();
    }
    EXPECT_EQ(client_.get("/v1/actions/" + id).status, 200) << "the server goes on";
}

TEST_F(BackupOverHttp, IsForAdminsAndTakesNoQuery) {
    EXPECT_EQ(client_.get("/v1/backup?limit=1").status, 400);
    Caller admin = token_caller(client_, R"(["admin"])");
    Caller writer = token_caller(admin, R"(["read","write","work"])");
    EXPECT_EQ(writer.get("/v1/backup").status, 403);
    EXPECT_EQ(client_.get("/v1/backup").status, 401);
    EXPECT_EQ(admin.get("/v1/backup").status, store_kind() == "sqlite" ? 200 : 409);
}

}  // namespace
}  // namespace semel::test
