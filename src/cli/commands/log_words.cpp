#include "cli/commands/log_words.hpp"

#include <algorithm>
#include <array>

#include "cli/api_client.hpp"
#include "core/keys/near_keys.hpp"

namespace semel::cli {

std::string shown_key(const std::string& written) {
    const auto parsed = json::Document::parse(written);
    if (!parsed || !parsed->root().is_array() || parsed->root().size() != 1) {
        return written;
    }
    const json::Value part = *parsed->root().elements().begin();
    return part.is_string() ? std::string(part.as_string()) : written;
}

namespace {

// Returns the keys, one after another, and the number of further ones.
std::string shown_keys(const std::string& written) {
    const auto named = read_near_keys(written);
    if (!named) {
        return written;
    }
    std::string shown;
    for (const std::string& key : named->keys) {
        shown += (shown.empty() ? "" : ", ") + shown_key(key);
    }
    return shown + named->rest;
}

}  // namespace

std::string note_of(json::Value line) {
    const std::string reason = text_at(line, "reason");
    if (text_at(line, "decision") == "near_miss" && !reason.empty()) {
        return "the same content came under " + shown_keys(reason);
    }
    return reason;
}

std::string rule_with_words(const std::string& rule) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords = {{
        {"first", "nobody had the key"},
        {"free", "its last owner had let it go, or it had expired"},
        {"lease_over", "its last owner's lease had ended: a takeover"},
        {"ended", "its last owner had ended"},
        {"window_over", "the window of its last owner was over"},
        {"forgotten", "its last owner was remembered no longer"},
        {"successor", "its last owner had been taken already: it runs after that one"},
        {"key", "no chain that counts had the key"},
    }};
    const auto* const found = std::find_if(kWords.begin(), kWords.end(),
                                           [&](const auto& word) { return word.first == rule; });
    return found == kWords.end() ? rule : rule + ": " + std::string(found->second);
}

}  // namespace semel::cli
