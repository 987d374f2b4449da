// Checks a map of a YAML file against a table of its permitted members.
//
// Errors: `invalid`, one line with the place (file:line:column), the fact and the remedy.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"

namespace semel {

// A permitted member of a map. The characters of its texts live as long as the process.
struct YamlMember {
    std::string_view name;
    std::string_view expects;  // for errors: "a duration like 30s"
    // Whether a value is permitted. If it is not, or this is null, a map is checked against
    // `members`, unless they are empty.
    bool (*fits)(const YAML::Node& value) = nullptr;
    std::span<const YamlMember> members = {};
    bool is_required = false;
};

// Returns an error whose text is the place and the message: semel.yaml:3:5: …
[[nodiscard]] Error error_at(const std::string& file, const YAML::Mark& mark,
                             const std::string& message);

// Finds names that occur twice. Without it yaml-cpp would silently use one of them.
class OnceEach {
public:
    // `kind` names such a name in errors, like "key" or "route".
    explicit OnceEach(std::string file, std::string_view kind = "key")
        : file_(std::move(file)), kind_(kind) {}

    // Returns an error at `mark` if the name was added before.
    [[nodiscard]] Result<void> add(const std::string& name, const YAML::Mark& mark);

private:
    std::string file_;
    std::string_view kind_;
    std::set<std::string> seen_;
};

// Checks that each member is known, occurs once and has a permitted value, and that required ones
// exist. `path` is that of the map, like gateway.routes.a. REQUIRES: `members` is not empty.
[[nodiscard]] Result<void> check_shape(const std::string& file, const std::string& path,
                                       const YAML::Node& map, std::span<const YamlMember> members);

}  // namespace semel
