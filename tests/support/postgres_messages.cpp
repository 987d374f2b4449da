#include "support/postgres_messages.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

namespace semel::test {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::uint32_t kSslRequest = 80877103;
constexpr std::uint32_t kGssRequest = 80877104;

std::uint32_t number_at(std::string_view bytes) {
    std::uint32_t number = 0;
    for (const char byte : bytes.substr(0, kLengthBytes)) {
        number = number << 8U | static_cast<unsigned char>(byte);
    }
    return number;
}

// Takes a text that ends with a zero off the front.
std::string_view take_text(std::string_view& body) {
    const std::string_view text = body.substr(0, body.find('\0'));
    body.remove_prefix(std::min(text.size() + 1, body.size()));
    return text;
}

std::string first_word(std::string_view statement) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto* const begin = std::find_if(statement.begin(), statement.end(), is_letter);
    const auto* const end = std::find_if_not(begin, statement.end(), is_letter);
    std::string word(begin, end);
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

// Whether one of the statements is a COMMIT. Does not look for `;` in literals.
bool has_commit(std::string_view sql) {
    while (!sql.empty()) {
        const std::string word = first_word(sql.substr(0, sql.find(';')));
        if (word == "commit" || word == "end") {
            return true;
        }
        sql.remove_prefix(std::min(sql.find(';'), sql.size() - 1) + 1);
    }
    return false;
}

}  // namespace

std::vector<FrontendMessage> FrontendReader::read(std::string_view bytes) {
    buffer_ += bytes;
    std::vector<FrontendMessage> messages;
    for (;;) {
        const std::size_t type_bytes = is_started_ ? 1 : 0;
        if (buffer_.size() < type_bytes + kLengthBytes) {
            return messages;
        }
        const std::size_t size =
            type_bytes + number_at(std::string_view(buffer_).substr(type_bytes));
        if (buffer_.size() < size) {
            return messages;
        }
        messages.push_back(take(size));
    }
}

FrontendMessage FrontendReader::take(std::size_t size) {
    std::string bytes = buffer_.substr(0, size);
    buffer_.erase(0, size);
    const std::string_view all = bytes;
    const FrontendKind kind = is_started_ ? kind_of(all.front(), all.substr(1 + kLengthBytes))
                                          : kind_of_first(all.substr(kLengthBytes));
    return {kind, std::move(bytes)};
}

FrontendKind FrontendReader::kind_of_first(std::string_view body) {
    const std::uint32_t code = number_at(body);
    if (code == kSslRequest || code == kGssRequest) {
        return FrontendKind::encryption_request;
    }
    is_started_ = true;
    return FrontendKind::startup;
}

FrontendKind FrontendReader::kind_of(char type, std::string_view body) {
    switch (type) {
        case 'Q':
            return has_commit(take_text(body)) ? FrontendKind::commit_query : FrontendKind::query;
        case 'P': {  // Parse: the statement's name, its SQL
            const std::string_view name = take_text(body);
            statements_.insert_or_assign(std::string(name), has_commit(take_text(body)));
            return FrontendKind::other;
        }
        case 'B': {  // Bind: the portal's name, that of its statement
            const std::string_view portal = take_text(body);
            const auto statement = statements_.find(take_text(body));
            portals_.insert_or_assign(std::string(portal),
                                      statement != statements_.end() && statement->second);
            return FrontendKind::other;
        }
        case 'E': {  // Execute: the portal's name
            const auto portal = portals_.find(take_text(body));
            return portal != portals_.end() && portal->second ? FrontendKind::commit_execute
                                                              : FrontendKind::other;
        }
        case 'S': return FrontendKind::sync;
        default: return FrontendKind::other;
    }
}

void ReadyCounter::read(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t skipped = std::min(rest_, bytes.size());
        rest_ -= skipped;
        bytes.remove_prefix(skipped);
        const std::size_t missing = rest_ == 0 ? 1 + kLengthBytes - head_.size() : 0;
        head_ += bytes.substr(0, missing);
        bytes.remove_prefix(std::min(missing, bytes.size()));
        if (head_.size() == 1 + kLengthBytes) {
            count_ += head_.front() == 'Z' ? 1 : 0;
            rest_ = number_at(std::string_view(head_).substr(1)) - kLengthBytes;
            head_.clear();
        }
    }
}

}  // namespace semel::test
