// A JSON value as a plain tree, made, written and compared without the code under test, so that
// the two can be held against each other. All of it repeats from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/json/json.hpp"

namespace semel::test {

struct Child;

struct Tree {
    json::Kind kind = json::Kind::null;
    std::string scalar;  // a string decoded, anything else as text
    std::vector<Child> children;
};

struct Child {
    std::string name;  // empty for an element
    Tree tree;
};

// Parses what must be valid; a failure ends the test program with the parser's words.
json::Document parsed(const std::string& text);

class TreeMaker {
public:
    explicit TreeMaker(std::uint64_t seed) : random_(seed) {}

    // At most `depth` containers deep. Names are few, so that two trees have many in common.
    Tree tree(int depth);
    // The same with a few random edits.
    Tree edited(Tree tree);
    // As text, with random white space and, where a string allows them, random escapes.
    std::string text(const Tree& tree);
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

private:
    std::string name();
    std::string number();
    std::string string();
    std::string space();
    std::string quoted(const std::string& text);

    std::mt19937_64 random_;
};

Tree tree_of(json::Value value);

// Objects without regard to order; numbers by value where a double holds them exactly.
bool same(const Tree& a, const Tree& b);

// Applies an RFC 6902 patch of add, remove and replace; false where it does not fit.
bool apply_patch(Tree& tree, json::Value patch);

}  // namespace semel::test
