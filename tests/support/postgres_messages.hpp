// PostgreSQL's protocol (3, not encrypted), as far as one must know it to see where a transaction
// commits, and when that was answered.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace semel::test {

enum class FrontendKind {
    encryption_request,  // SSLRequest, GSSENCRequest: answered by one byte
    startup,             // the first message of a session, and CancelRequest
    query,               // simple Query without a COMMIT
    commit_query,        // simple Query with one
    commit_execute,      // Execute of a portal whose statement is COMMIT
    sync,
    other,
};

struct FrontendMessage {
    FrontendKind kind;
    std::string bytes;
};

// What a client sends, message by message.
class FrontendReader {
public:
    // The messages that are complete with these bytes.
    [[nodiscard]] std::vector<FrontendMessage> read(std::string_view bytes);

private:
    [[nodiscard]] FrontendMessage take(std::size_t size);
    [[nodiscard]] FrontendKind kind_of_first(std::string_view body);
    [[nodiscard]] FrontendKind kind_of(char type, std::string_view body);

    std::string buffer_;
    bool is_started_ = false;                              // from then on messages have a type
    std::map<std::string, bool, std::less<>> statements_;  // whether it is COMMIT, by name
    std::map<std::string, bool, std::less<>> portals_;
};

// Counts how often a server says that it is ready for the next query: once when a session begins,
// then after each simple Query and each Sync.
class ReadyCounter {
public:
    void read(std::string_view bytes);
    [[nodiscard]] int count() const { return count_; }

private:
    std::string head_;      // of a message: its type and its length, as far as they are known
    std::size_t rest_ = 0;  // what is still to come of a message after its head
    int count_ = 0;
};

}  // namespace semel::test
