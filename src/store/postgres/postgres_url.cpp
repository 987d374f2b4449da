#include "store/postgres/postgres_url.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel::postgres {
namespace {

constexpr std::int64_t kCommittersMax = 16;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// postgres://user:password@hosts/… without the password.
std::string without_password(const std::string& address) {
    const std::size_t authority = address.find("://") + 3;
    const std::size_t end = std::min(address.find('/', authority), address.size());
    const std::size_t at = address.rfind('@', end);
    const std::size_t colon = address.find(':', authority);
    if (at == std::string::npos || at < authority || colon > at) {
        return address;
    }
    return address.substr(0, colon) + address.substr(at);
}

// Reads a word of ours; false: it is libpq's.
Result<bool> read_own(const std::string& word, PostgresUrl& parsed) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(std::min(equals + 1, word.size()));
    if (name == "prepared") {
        if (value != "true" && value != "false") {
            return Error(ErrorCode::invalid,
                         "in the store's URL, `prepared` must be true or false");
        }
        parsed.prepared = value == "true";
        return true;
    }
    if (name == "committers") {
        const auto number = parse_decimal(value);
        if (!number || *number < 1 || *number > kCommittersMax) {
            return Error(
                ErrorCode::invalid,
                fmt::format("in the store's URL, `committers` must be a number from 1 to {}",
                            kCommittersMax));
        }
        parsed.committers = static_cast<int>(*number);
        return true;
    }
    return false;
}

}  // namespace

Result<PostgresUrl> parse_url(const std::string& url) {
    const std::size_t question = url.find('?');
    PostgresUrl parsed;
    parsed.url = url.substr(0, question);
    parsed.shown = without_password(parsed.url);
    std::string words;
    bool names_target = false;
    const std::string rest = question == std::string::npos ? "" : url.substr(question + 1);
    for (const std::string& word : split(rest, '&')) {
        SEMEL_TRY(is_own, read_own(word, parsed));
        if (is_own) {
            continue;
        }
        names_target = names_target || word.rfind("target_session_attrs=", 0) == 0;
        words += (words.empty() ? "?" : "&") + word;
    }
    // Of several hosts, the one that takes writes.
    if (!names_target) {
        words += std::string(words.empty() ? "?" : "&") + "target_session_attrs=read-write";
    }
    parsed.url += words;
    return parsed;
}

}  // namespace semel::postgres
