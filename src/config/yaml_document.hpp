// Loads a YAML text that must hold one document. Stricter than yaml-cpp: a second document or a
// quote that is not closed is an error. Pure. Threads: any.
#pragma once

#include <string>
#include <variant>

#include <yaml-cpp/yaml.h>

namespace semel {

// An error in a YAML text, and its place.
struct YamlFault {
    YAML::Mark mark;
    std::string what;
};

// Returns the root node, or the first error. An empty text gives a null node. Throws nothing.
[[nodiscard]] std::variant<YAML::Node, YamlFault> load_document(const std::string& text);

}  // namespace semel
