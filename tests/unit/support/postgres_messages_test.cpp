#include "support/postgres_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel::test {
namespace {

using testing::ElementsAre;

std::string length_of(const std::string& body) {
    const std::size_t size = body.size() + 4;
    return {'\0', '\0', static_cast<char>(size >> 8U), static_cast<char>(size & 0xFFU)};
}

std::string message(char type, const std::string& body) {
    return type + length_of(body) + body;
}

std::string text(const std::string& value) {
    return value + '\0';
}

std::string startup() {
    const std::string version = {'\0', '\3', '\0', '\0'};
    return length_of(version) + version;
}

std::vector<FrontendKind> kinds(const std::vector<FrontendMessage>& messages) {
    std::vector<FrontendKind> found;
    found.reserve(messages.size());
    for (const FrontendMessage& one : messages) found.push_back(one.kind);
    return found;
}

std::vector<FrontendKind> kinds_after_startup(const std::string& bytes) {
    FrontendReader reader;
    static_cast<void>(reader.read(startup()));
    return kinds(reader.read(bytes));
}

TEST(FrontendReader, knows_how_a_session_begins) {
    FrontendReader reader;
    const std::string ssl_request = {0, 0, 0, 8, 4, '\xd2', '\x16', '\x2f'};
    EXPECT_THAT(
        kinds(reader.read(ssl_request + startup() + message('S', ""))),
        ElementsAre(FrontendKind::encryption_request, FrontendKind::startup, FrontendKind::sync));
}

TEST(FrontendReader, waits_for_the_rest_of_a_message) {
    FrontendReader reader;
    const std::string bytes = startup() + message('Q', text("commit"));
    std::string passed;
    std::vector<FrontendKind> found;
    for (const char byte : bytes) {
        for (const FrontendMessage& one : reader.read({&byte, 1})) {
            passed += one.bytes;
            found.push_back(one.kind);
        }
    }
    EXPECT_EQ(passed, bytes);
    EXPECT_THAT(found, ElementsAre(FrontendKind::startup, FrontendKind::commit_query));
}

TEST(FrontendReader, finds_commits_in_queries) {
    for (const char* sql :
         {"commit", " COMMIT ;", "End", "begin;\n insert into a;commit", ";commit work"}) {
        EXPECT_THAT(kinds_after_startup(message('Q', text(sql))),
                    ElementsAre(FrontendKind::commit_query))
            << sql;
    }
    for (const char* sql :
         {"", ";", "begin", "insert into commits", "select commit", "committed"}) {
        EXPECT_THAT(kinds_after_startup(message('Q', text(sql))), ElementsAre(FrontendKind::query))
            << sql;
    }
}

TEST(FrontendReader, follows_a_commit_from_parse_to_execute) {
    EXPECT_THAT(kinds_after_startup(message('P', text("c") + text("commit")) +
                                    message('P', text("") + text("insert")) +
                                    message('B', text("") + text("c")) + message('E', text("")) +
                                    message('B', text("") + text("")) + message('E', text("")) +
                                    message('S', "")),
                ElementsAre(FrontendKind::other, FrontendKind::other, FrontendKind::other,
                            FrontendKind::commit_execute, FrontendKind::other, FrontendKind::other,
                            FrontendKind::sync));
}

TEST(ReadyCounter, counts_messages_and_not_their_contents) {
    const std::string bytes =
        message('Z', "I") + message('D', message('Z', "I")) + message('2', "") + message('Z', "T");
    ReadyCounter whole;
    whole.read(bytes);
    EXPECT_EQ(whole.count(), 2);
    ReadyCounter pieces;
    for (const char byte : bytes) pieces.read({&byte, 1});
    EXPECT_EQ(pieces.count(), 2);
}

}  // namespace
}  // namespace semel::test
