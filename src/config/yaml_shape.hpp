// What may stand in a map of a YAML file, as a table, and what is wrong with one that does not fit.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"

namespace semel {

struct YamlMember {
    std::string_view name;
    std::string_view expects;  // "a duration like 30s"
    // Whether a value is that. Null: it is a map, or may be one, of `members`.
    bool (*fits)(const YAML::Node& value) = nullptr;
    std::span<const YamlMember> members = {};
    bool is_required = false;
};

// The place and the message: semel.yaml:3:5: …
[[nodiscard]] Error error_at(const std::string& file, const YAML::Mark& mark,
                             const std::string& message);

// Names each of which may stand once: YAML itself would take one of them and say nothing.
class OnceEach {
public:
    // `kind` is what people call such a name.
    explicit OnceEach(std::string file, std::string_view kind = "key")
        : file_(std::move(file)), kind_(kind) {}

    // An error at `mark` where the name was there before.
    [[nodiscard]] Result<void> add(const std::string& name, const YAML::Mark& mark);

private:
    std::string file_;
    std::string_view kind_;
    std::set<std::string> seen_;
};

// Every member once, known, and as its table says. `path` is the map's own: gateway.routes.a
[[nodiscard]] Result<void> check_shape(const std::string& file, const std::string& path,
                                       const YAML::Node& map, std::span<const YamlMember> members);

}  // namespace semel
