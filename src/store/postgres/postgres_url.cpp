#include "store/postgres/postgres_url.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <libpq-fe.h>

#include "base/text.hpp"

namespace semel::postgres {
namespace {

constexpr std::int64_t kCommittersMax = 16;
constexpr std::string_view kColonSlashes = "://";
constexpr std::int64_t kPortMax = 65535;

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

// The parts of a URL as libpq splits it. Credentials end with the first `@` before the first `/`.
// Only a `?` after them begins the options.
struct Parts {
    std::string scheme;  // with its ://
    std::optional<std::string> credentials;
    std::string place;  // hosts and database
    std::string words;

    [[nodiscard]] std::string without_password() const {
        const std::string user =
            credentials ? credentials->substr(0, credentials->find(':')) + "@" : "";
        return scheme + user + place;
    }
    [[nodiscard]] std::string whole() const {
        return scheme + (credentials ? *credentials + "@" : "") + place;
    }
};

// REQUIRES: is_url(url).
Parts parts_of(const std::string& url) {
    Parts parts;
    std::size_t begin = url.find(kColonSlashes) + kColonSlashes.size();
    parts.scheme = url.substr(0, begin);
    const std::size_t end = std::min(url.find_first_of("@/", begin), url.size());
    if (end < url.size() && url[end] == '@') {
        parts.credentials = url.substr(begin, end - begin);
        begin = end + 1;
    }
    const std::size_t question = std::min(url.find('?', begin), url.size());
    parts.place = url.substr(begin, question - begin);
    parts.words = url.substr(std::min(question + 1, url.size()));
    return parts;
}

// These errors do not quote the URL, because any part of it can be a misplaced password.
Error unreadable(const std::string& why) {
    return {ErrorCode::invalid, "in the store's URL, " + why};
}

constexpr const char* kEscapes =
    "in a user, a password or a name, write %40 for @, %2F for /, %3A for : and %25 for %";

// Reads one of Semel's own options. Returns false for an option of libpq.
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

Result<void> check_word(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
        return unreadable("every word behind the `?` must be name=value");
    }
    return {};
}

// Returns true for options with a password, which only libpq may read.
bool is_secret(const std::string& word) {
    return word.substr(0, word.find('=')).find("password") != std::string::npos;
}

void add_word(std::string& words, const std::string& word) {
    words += (words.empty() ? "?" : "&") + word;
}

struct FreeOptions {
    void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

// Returns the options that libpq finds in a URL, or its error, which quotes the URL: do not show it
// if the URL has a password.
Result<Options> read_by_libpq(const std::string& url) {
    char* said = nullptr;
    Options options(PQconninfoParse(url.c_str(), &said));
    const std::unique_ptr<char, void (*)(void*)> words(said, PQfreemem);
    if (options == nullptr) {
        std::string text = words != nullptr ? words.get() : "out of memory";
        while (!text.empty() && text.back() == '\n') text.pop_back();
        return Error(ErrorCode::invalid, "the store's URL cannot be read: " + text);
    }
    return options;
}

Result<void> check_ports(const PQconninfoOption* options) {
    for (; options->keyword != nullptr; ++options) {
        if (options->val == nullptr || options->keyword != std::string_view("port")) continue;
        for (const std::string& port : split(options->val, ',')) {
            const auto number = parse_decimal(port);
            if (!number || *number < 1 || *number > kPortMax) {
                return unreadable(
                    fmt::format("the port must be a number from 1 to {}; {}", kPortMax, kEscapes));
            }
        }
    }
    return {};
}

// Checks that libpq can read the URL. `words`: its options with the `?`. `harmless`: the options
// without a password.
Result<void> check_readable(const Parts& parts, const std::string& words,
                            const std::string& harmless) {
    if (parts.place.find('@') != std::string::npos) {
        return unreadable(fmt::format("there is an `@` too many: {}", kEscapes));
    }
    SEMEL_CHECK(read_by_libpq(parts.without_password() + harmless));
    const auto options = read_by_libpq(parts.whole() + words);
    return options ? check_ports(options->get())
                   : unreadable(fmt::format("the password cannot be read: {}", kEscapes));
}

}  // namespace

bool is_url(const std::string& store) {
    return store.starts_with("postgres://") || store.starts_with("postgresql://");
}

bool is_keywords(const std::string& store) {
    constexpr std::array kNames = {"host",     "hostaddr", "port",           "dbname",
                                   "user",     "password", "service",        "sslmode",
                                   "passfile", "options",  "connect_timeout"};
    const std::size_t equals = store.find('=');
    if (equals == std::string::npos) return false;
    const std::string name = store.substr(0, store.find_last_not_of(' ', equals - 1) + 1);
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_half_url(const std::string& store) {
    return !is_url(store) && (store.starts_with("postgres:") || store.starts_with("postgresql:"));
}

std::string shown(const std::string& store) {
    if (is_half_url(store)) {
        return "postgres:…";
    }
    if (!is_url(store)) {
        return is_keywords(store) ? "(connection words)" : store;
    }
    const auto parsed = parse_url(store);
    return parsed ? parsed->shown : "postgres://…";
}

Result<PostgresUrl> parse_url(const std::string& url) {
    const Parts parts = parts_of(url);
    PostgresUrl parsed;
    std::string words;
    std::string harmless;
    bool names_target = false;
    for (const std::string& word : split(parts.words, '&')) {
        SEMEL_TRY(is_own, read_own(word, parsed));
        if (is_own) {
            continue;
        }
        SEMEL_CHECK(check_word(word));
        names_target = names_target || word.starts_with("target_session_attrs=");
        add_word(words, word);
        if (!is_secret(word)) add_word(harmless, word);
    }
    SEMEL_CHECK(check_readable(parts, words, harmless));
    // Of several hosts, libpq chooses a host that accepts writes.
    if (!names_target) {
        add_word(words, "target_session_attrs=read-write");
    }
    parsed.url = parts.whole() + words;
    parsed.shown = parts.without_password();
    return parsed;
}

}  // namespace semel::postgres
