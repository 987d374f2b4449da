#include "store/postgres/postgres_url.hpp"

#include <vector>

namespace semel::postgres {
namespace {

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
        const std::string name = word.substr(0, word.find('='));
        if (name == "prepared") {
            if (word != "prepared=true" && word != "prepared=false") {
                return Error(ErrorCode::invalid,
                             "in the store's URL, `prepared` must be true or false");
            }
            parsed.prepared = word == "prepared=true";
            continue;
        }
        names_target = names_target || name == "target_session_attrs";
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
