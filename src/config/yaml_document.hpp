// A YAML file that holds one document.
#pragma once

#include <string>
#include <variant>

#include <yaml-cpp/yaml.h>

namespace semel {

struct YamlFault {
    YAML::Mark mark;
    std::string what;
};

// An empty text is a node that is null. Nothing is thrown.
[[nodiscard]] std::variant<YAML::Node, YamlFault> load_document(const std::string& text);

}  // namespace semel
