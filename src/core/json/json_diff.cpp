#include "core/json/json_diff.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/json/canonical_json.hpp"
#include "core/json/json_pointer.hpp"
#include "core/json/json_writer.hpp"

namespace semel {
namespace {

constexpr std::array<std::string_view, 6> kSecretNames = {"password",      "secret", "token",
                                                          "authorization", "card",   "cvv"};
constexpr std::string_view kMasked = "\"***\"";
constexpr std::string_view kTooLong = "\"…\"";

bool is_secret_name(std::string_view name) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::any_of(kSecretNames.begin(), kSecretNames.end(), [&](std::string_view secret) {
        return std::equal(name.begin(), name.end(), secret.begin(), secret.end(),
                          [&](char a, char b) { return lower(a) == b; });
    });
}

std::vector<json::Member> sorted_members(json::Value object) {
    std::vector<json::Member> members;
    members.reserve(object.size());
    for (const json::Member& member : object.members()) members.push_back(member);
    std::sort(members.begin(), members.end(),
              [](const json::Member& a, const json::Member& b) { return a.name < b.name; });
    return members;
}

std::vector<json::Value> elements_of(json::Value array) {
    std::vector<json::Value> elements;
    elements.reserve(array.size());
    for (const json::Value element : array.elements()) elements.push_back(element);
    return elements;
}

// Compares like same_content, but value by value. So white space does not count, also if a number
// has no canonical form.
bool equal(json::Value a, json::Value b) {
    if (a.kind() != b.kind() || a.size() != b.size()) return false;
    if (a.raw() == b.raw()) return true;
    if (a.is_array()) {
        auto other = b.elements().begin();
        for (const json::Value element : a.elements()) {
            if (!equal(element, *other)) return false;
            ++other;
        }
        return true;
    }
    if (a.is_object()) {
        const auto in_a = sorted_members(a);
        const auto in_b = sorted_members(b);
        return std::equal(in_a.begin(), in_a.end(), in_b.begin(),
                          [](const json::Member& x, const json::Member& y) {
                              return x.name == y.name && equal(x.value, y.value);
                          });
    }
    return same_content(a, b);
}

class Differ {
public:
    explicit Differ(const DiffOptions& options) : options_(options) {}

    void compare(json::Value first, json::Value second);
    void replace_whole(json::Value second) { operation("replace", &second); }
    [[nodiscard]] bool found_nothing() const { return operations_ == 0 && !truncated_; }
    [[nodiscard]] DiffResult finish() { return {"[" + patch_ + "]", truncated_}; }

private:
    void compare_objects(json::Value first, json::Value second);
    void compare_arrays(json::Value first, json::Value second);
    void operation(std::string_view verb, const json::Value* value);
    void append_value(std::string& out, json::Value value);
    void append_container(std::string& out, json::Value value);

    // Runs `visit` with the path one token longer.
    template <typename Visit>
    void below(std::string_view token, bool secret, Visit visit);

    // Returns true if the patch, `more` bytes and the two brackets fit.
    [[nodiscard]] bool has_room(std::size_t more) const {
        return patch_.size() + more + 2 <= options_.bytes_max;
    }
    [[nodiscard]] bool is_full() const { return operations_ >= options_.operations_max; }
    [[nodiscard]] bool is_masked() const {
        return secret_ ||
               std::find(options_.mask.begin(), options_.mask.end(), path_) != options_.mask.end();
    }

    const DiffOptions& options_;
    std::string patch_;
    std::string path_;
    bool secret_ = false;  // the path's last token is a secret's name
    std::size_t operations_ = 0;
    bool truncated_ = false;
};

template <typename Visit>
void Differ::below(std::string_view token, bool secret, Visit visit) {
    const std::size_t length = path_.size();
    path_ += '/';
    path_ += json::escape_token(token);
    const bool outer = std::exchange(secret_, secret);
    visit();
    secret_ = outer;
    path_.resize(length);
}

void Differ::compare(json::Value first, json::Value second) {
    if (first.raw() == second.raw() || (truncated_ && is_full())) return;
    const bool same_kind = first.kind() == second.kind();
    if (is_masked() || !same_kind || !(first.is_array() || first.is_object())) {
        if (!equal(first, second)) operation("replace", &second);
    } else if (first.is_object()) {
        compare_objects(first, second);
    } else {
        compare_arrays(first, second);
    }
}

// Merges the two lists of names, so that the operations come in the order of names.
void Differ::compare_objects(json::Value first, json::Value second) {
    const auto before = sorted_members(first);
    const auto after = sorted_members(second);
    auto a = before.begin();
    auto b = after.begin();
    while (a != before.end() || b != after.end()) {
        const bool take_a = b == after.end() || (a != before.end() && a->name <= b->name);
        const bool take_b = a == before.end() || (b != after.end() && b->name <= a->name);
        const std::string_view name = take_a ? a->name : b->name;
        const bool secret = options_.mask_default_names && is_secret_name(name);
        below(name, secret, [&] {
            if (take_a && take_b) {
                compare(a->value, b->value);
            } else if (take_a) {
                operation("remove", nullptr);
            } else {
                operation("add", &b->value);
            }
        });
        if (take_a) ++a;
        if (take_b) ++b;
    }
}

// Skips equal elements at both ends. Compares the elements between in pairs, and adds or removes
// the rest of the longer side. Linear, and exact for appending, inserting or removing a run.
void Differ::compare_arrays(json::Value first, json::Value second) {
    const auto before = elements_of(first);
    const auto after = elements_of(second);
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && equal(before[head], after[head])) ++head;
    std::size_t tail = 0;
    while (tail < shorter - head &&
           equal(before[before.size() - 1 - tail], after[after.size() - 1 - tail])) {
        ++tail;
    }
    const std::size_t paired = shorter - tail;
    for (std::size_t i = head; i < paired; ++i) {
        below(std::to_string(i), false, [&] { compare(before[i], after[i]); });
    }
    for (std::size_t i = before.size() - tail; i > paired; --i) {
        below(std::to_string(i - 1), false, [&] { operation("remove", nullptr); });
    }
    for (std::size_t i = paired; i < after.size() - tail; ++i) {
        below(std::to_string(i), false, [&] { operation("add", &after[i]); });
    }
}

// Adds one operation at the current path. A value that is too long is left out, but its path is
// shown.
void Differ::operation(std::string_view verb, const json::Value* value) {
    if (is_full()) {
        truncated_ = true;
        return;
    }
    const std::size_t before = patch_.size();
    patch_ += before == 0 ? "" : ",";
    patch_ += R"({"op":")";
    patch_ += verb;
    patch_ += R"(","path":)";
    json::append_quoted(patch_, path_);
    const std::size_t head = patch_.size();
    if (value != nullptr) {
        patch_ += R"(,"value":)";
        append_value(patch_, *value);
        if (!has_room(1)) {
            truncated_ = true;
            patch_.resize(head);
            patch_ += R"(,"value":)";
            patch_ += kTooLong;
        }
    }
    patch_ += '}';
    if (!has_room(0)) {
        truncated_ = true;
        patch_.resize(before);
        return;
    }
    ++operations_;
}

// Appends the value without spaces, with the original spelling of numbers and strings.
void Differ::append_value(std::string& out, json::Value value) {
    if (out.size() > options_.bytes_max) return;  // it will be cut off anyway
    if (is_masked()) {
        out += kMasked;
    } else if (value.is_array() || value.is_object()) {
        append_container(out, value);
    } else {
        out += value.raw();
    }
}

void Differ::append_container(std::string& out, json::Value value) {
    std::size_t index = 0;
    if (value.is_array()) {
        out += '[';
        for (const json::Value element : value.elements()) {
            out += index == 0 ? "" : ",";
            below(std::to_string(index++), false, [&] { append_value(out, element); });
        }
        out += ']';
        return;
    }
    out += '{';
    for (const json::Member& member : value.members()) {
        out += index++ == 0 ? "" : ",";
        json::append_quoted(out, member.name);
        out += ':';
        const bool secret = options_.mask_default_names && is_secret_name(member.name);
        below(member.name, secret, [&] { append_value(out, member.value); });
    }
    out += '}';
}

}  // namespace

DiffResult json_diff(json::Value first, json::Value second, const DiffOptions& options) {
    Differ differ(options);
    differ.compare(first, second);
    if (differ.found_nothing() && !same_content(first, second)) differ.replace_whole(second);
    return differ.finish();
}

}  // namespace semel
