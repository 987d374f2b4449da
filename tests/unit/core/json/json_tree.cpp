#include "unit/core/json/json_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "core/json/canonical_json.hpp"
#include "core/json/json_pointer.hpp"

namespace semel::test {

json::Document parsed(const std::string& text) {
    json::ParseResult result = json::Document::parse(text);
    if (!result) {
        std::fprintf(stderr, "not JSON: %s: %s\n", result.error().message.c_str(), text.c_str());
        std::abort();
    }
    return std::move(result).value();
}

std::string TreeMaker::name() {
    static const std::array<std::string, 10> kNames = {"a",   "b",   "c", "id", "",
                                                       "a/b", "m~n", "é", "\"", "\U0001F600"};
    return kNames[below(kNames.size())];
}

std::string TreeMaker::number() {
    static const std::array<std::string, 14> kNumbers = {
        "0",   "-0",    "1",    "1.0", "1e0",    "10e-1",
        "2",   "-1.5",  "1e21", "0.1", "5e-324", "9007199254740993",
        "100", "1.0E+2"};
    return below(4) == 0 ? std::to_string(static_cast<std::int64_t>(random_()))
                         : kNumbers[below(kNumbers.size())];
}

std::string TreeMaker::string() {
    static const std::array<std::string, 9> kPieces = {
        "x", "plain text", "\n", "\"", "\\", "/", "é", "\U0001F600", std::string(1, '\0')};
    std::string text;
    for (std::uint64_t i = below(4); i > 0; --i) text += kPieces[below(kPieces.size())];
    return text;
}

std::string TreeMaker::space() {
    static const std::array<std::string, 4> kSpaces = {" ", "\n", "\t", "\r\n"};
    return below(3) == 0 ? kSpaces[below(kSpaces.size())] : "";
}

Tree TreeMaker::tree(int depth) {
    const std::uint64_t kind = below(depth > 0 ? 10 : 4);
    if (kind == 0) return {json::Kind::null, "null", {}};
    if (kind == 1) return {json::Kind::boolean, below(2) == 0 ? "true" : "false", {}};
    if (kind == 2) return {json::Kind::number, number(), {}};
    if (kind == 3) return {json::Kind::string, string(), {}};
    Tree made{kind < 7 ? json::Kind::array : json::Kind::object, "", {}};
    for (std::uint64_t i = below(6); i > 0; --i) {
        std::string child = made.kind == json::Kind::object ? name() : "";
        const bool taken = std::any_of(made.children.begin(), made.children.end(),
                                       [&](const auto& other) { return other.name == child; });
        if (made.kind == json::Kind::array || !taken) {
            made.children.push_back({std::move(child), tree(depth - 1)});
        }
    }
    return made;
}

Tree TreeMaker::edited(Tree tree) {
    if (tree.children.empty() || below(4) == 0) return this->tree(2);
    const std::size_t at = below(tree.children.size());
    const auto place = tree.children.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(4)) {
        case 0: tree.children.erase(place); break;
        case 1:
            if (tree.kind == json::Kind::array) tree.children.insert(place, {"", this->tree(1)});
            break;
        case 2: std::reverse(tree.children.begin(), tree.children.end()); break;
        default: place->tree = edited(place->tree); break;
    }
    return tree;
}

std::string TreeMaker::quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool must = byte < 0x20 || c == '"' || c == '\\';
        if (must || (byte < 0x80 && below(8) == 0)) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), below(2) == 0 ? "\\u%04x" : "\\u%04X",
                          byte);
            out += escape.data();
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string TreeMaker::text(const Tree& tree) {
    if (tree.kind == json::Kind::string) return space() + quoted(tree.scalar) + space();
    const bool is_object = tree.kind == json::Kind::object;
    if (!is_object && tree.kind != json::Kind::array) return space() + tree.scalar + space();
    std::string out = space() + (is_object ? '{' : '[') + space();
    bool first = true;
    for (const auto& [name, child] : tree.children) {
        if (!first) out += ',';
        first = false;
        if (is_object) out += space() + quoted(name) + space() + ':';
        out += text(child);
    }
    return out + (is_object ? '}' : ']') + space();
}

Tree tree_of(json::Value value) {
    Tree tree{value.kind(), "", {}};
    if (value.is_array()) {
        for (const json::Value element : value.elements()) {
            tree.children.push_back({"", tree_of(element)});
        }
    } else if (value.is_object()) {
        for (const auto& [name, member] : value.members()) {
            tree.children.push_back({std::string(name), tree_of(member)});
        }
    } else {
        tree.scalar = value.is_string() ? value.as_string() : value.raw();
    }
    return tree;
}

bool same(const Tree& a, const Tree& b) {
    if (a.kind != b.kind || a.children.size() != b.children.size()) return false;
    if (a.kind == json::Kind::number && a.scalar != b.scalar) {
        const auto canonical = canonical_number(a.scalar);
        return canonical && canonical == canonical_number(b.scalar);
    }
    if (a.scalar != b.scalar) return false;
    for (std::size_t i = 0; i < a.children.size(); ++i) {
        const auto& [name, child] = a.children[i];
        const auto other =
            a.kind == json::Kind::array
                ? b.children.begin() + static_cast<std::ptrdiff_t>(i)
                : std::find_if(b.children.begin(), b.children.end(),
                               [&n = name](const auto& entry) { return entry.name == n; });
        if (other == b.children.end() || !same(child, other->tree)) return false;
    }
    return true;
}

namespace {

using Children = std::vector<Child>;

// Where the token leads in this container; for an array possibly one past the end.
Children::iterator child_at(Tree& tree, const std::string& token) {
    if (tree.kind == json::Kind::array) {
        const std::size_t index = std::stoul(token);
        return tree.children.begin() +
               static_cast<std::ptrdiff_t>(std::min(index, tree.children.size()));
    }
    return std::find_if(tree.children.begin(), tree.children.end(),
                        [&](const auto& entry) { return entry.name == token; });
}

bool apply_operation(Tree& root, json::Value operation) {
    const auto verb = operation.find("op")->as_string();
    const auto tokens = json::parse_pointer(operation.find("path")->as_string());
    const auto value = operation.find("value");
    if (!tokens) return false;
    if (tokens->empty()) {
        if (verb == "remove") return false;
        root = tree_of(*value);
        return true;
    }
    Tree* parent = &root;
    for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
        const auto child = child_at(*parent, (*tokens)[i]);
        if (child == parent->children.end()) return false;
        parent = &child->tree;
    }
    const auto place = child_at(*parent, tokens->back());
    const bool exists = place != parent->children.end();
    if (verb == "add") {
        const bool is_object = parent->kind == json::Kind::object;
        if (is_object && exists) return false;  // RFC 6902 allows it; a diff has no reason to
        parent->children.insert(place, {is_object ? tokens->back() : "", tree_of(*value)});
        return true;
    }
    if (!exists) return false;
    if (verb == "replace") {
        place->tree = tree_of(*value);
    } else {
        parent->children.erase(place);
    }
    return verb == "replace" || verb == "remove";
}

}  // namespace

bool apply_patch(Tree& tree, json::Value patch) {
    for (const json::Value operation : patch.elements()) {
        if (!apply_operation(tree, operation)) return false;
    }
    return true;
}

}  // namespace semel::test
