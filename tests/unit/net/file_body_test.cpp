// Bodies that are not held in memory: sent from a file, received by a sink.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/file_source.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

// More than fits in the buffers of both sides, and no multiple of a piece.
constexpr std::size_t kLargeFile = std::size_t{20} * 1024 * 1024 + 12'345;

std::string large_text() {
    std::string text(kLargeFile, ' ');
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = static_cast<char>('a' + i * 7919 / 4096 % 26);
    }
    return text;
}

class FileBody : public testing::Test {
protected:
    // A server whose every answer is the file, which has lost its name already.
    std::unique_ptr<Server> serve(const std::string& content) {
        const std::string path = folder_.path("body");
        std::ofstream(path, std::ios::binary) << content;
        auto opened = OpenFile::open(path);
        EXPECT_TRUE(opened.has_value());
        file_ = std::make_shared<const OpenFile>(std::move(opened).value());
        return start({}, [this](const Request&, const Responder& respond) {
            Response response;
            response.source = make_file_source(file_);
            respond(std::move(response));
        });
    }
    static Client client_of(const Server& server) {
        return Client(*Url::parse("http://127.0.0.1:" + std::to_string(server.port())));
    }

    TempDir folder_;
    std::shared_ptr<const OpenFile> file_;
};

TEST_F(FileBody, ALargeFileArrivesWholeAndTheConnectionGoesOn) {
    const std::string content = large_text();
    const auto server = serve(content);
    std::filesystem::remove(folder_.path("body"));
    Client client = client_of(*server);
    for (int i = 0; i < 2; ++i) {
        std::string received;
        const auto answer = client.download(
            "GET", "/", {}, kPatience,
            [&](std::string_view piece, std::optional<std::uint64_t> size) -> Result<void> {
                EXPECT_EQ(size, kLargeFile);
                received += piece;
                return {};
            });
        ASSERT_TRUE(answer.has_value()) << answer.error().message();
        EXPECT_EQ(answer->body, "");
        EXPECT_TRUE(received == content);
    }
    EXPECT_EQ(server->stats().accepted, 1U);
}

TEST_F(FileBody, AnEmptyFileAndHeadHaveNoBody) {
    const auto server = serve("");
    EXPECT_EQ(client_of(*server).send("GET", "/", {}, "", kPatience)->body, "");
    const auto large = serve(large_text());
    const auto head = client_of(*large).send("HEAD", "/", {}, "", kPatience);
    ASSERT_TRUE(head.has_value());
    EXPECT_EQ(*head->header("content-length"), std::to_string(kLargeFile));
}

TEST_F(FileBody, AFileThatBecameShorterIsNoWholeAnswer) {
    const auto server = serve(large_text());
    std::filesystem::resize_file(folder_.path("body"), kLargeFile / 2);
    const auto answer = client_of(*server).send("GET", "/", {}, "", kPatience);
    EXPECT_FALSE(answer.has_value());
}

TEST_F(FileBody, AClientThatGoesAwayLetsGoOfTheFile) {
    const auto server = serve(large_text());
    {
        RawClient client(server->port(), 4096);
        ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        ASSERT_TRUE(client.read_bytes(1000).has_value());
        EXPECT_GT(file_.use_count(), 1);
        client.reset();
    }
    EXPECT_TRUE(eventually([this] { return file_.use_count() == 1; }));
}

TEST_F(FileBody, AnErrorOfTheSinkEndsTheCall) {
    const auto server = serve(large_text());
    const auto answer = client_of(*server).download(
        "GET", "/", {}, kPatience,
        [](std::string_view, std::optional<std::uint64_t>) -> Result<void> {
            return Error(ErrorCode::unavailable, "the disk is full");
        });
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().message(), "the disk is full");
}

TEST_F(FileBody, ARefusalIsNotForTheSink) {
    const auto server =
        start({}, [](const Request&, const Responder& respond) { respond(text("no", 403)); });
    const auto answer = client_of(*server).download(
        "GET", "/", {}, kPatience,
        [](std::string_view, std::optional<std::uint64_t>) -> Result<void> {
            ADD_FAILURE();
            return {};
        });
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->body, "no");
}

}  // namespace
}  // namespace semel::net
