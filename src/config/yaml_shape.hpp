// Reads a map of a YAML file by a table of its permitted members: each value is checked and stored
// in one walk.
//
// Errors: `invalid`, one line with the place (file:line:column), the fact and the remedy.
// Threads: any. A YamlWalk and a OnceEach belong to one thread.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"

namespace semel {

// A permitted member of a map whose values are stored in a Target. The characters of its texts live
// as long as the process.
template <typename Target>
struct YamlMember {
    std::string_view name;
    std::string_view expects;  // for errors: "a duration like 30s"
    // Stores a permitted value, and returns false for another one. Null: only a map is permitted.
    bool (*apply)(Target& target, const YAML::Node& value) = nullptr;
    // The members of a map, stored in the same target. Empty: `apply` has to accept a map.
    std::span<const YamlMember> members = {};
    bool is_required = false;
    // Called before the members of a map are stored.
    void (*begin)(Target& target) = nullptr;
    // Whether the value is known, but not supported in this version. Null: it is supported.
    bool (*is_later)(const YAML::Node& value) = nullptr;
};

// The file's name and the collected members, which all maps of a file share.
struct YamlWalk {
    std::string file;  // the name that errors show
    // Gets the paths of members that this version does not support. Null: they are errors.
    std::vector<std::string>* later = nullptr;
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

namespace detail {

[[nodiscard]] Error unknown_member(const YamlWalk& walk, const std::string& path,
                                   const YAML::Node& key, const std::vector<std::string>& known);
[[nodiscard]] Error wrong_value(const YamlWalk& walk, const std::string& path,
                                const YAML::Node& key, const YAML::Node& value,
                                std::string_view expects);
// Notes a member of a later version, or returns the error.
[[nodiscard]] Result<void> note_later(const YamlWalk& walk, const std::string& path,
                                      const YAML::Node& key);

template <typename Target>
std::vector<std::string> names_of(std::span<const YamlMember<Target>> members) {
    std::vector<std::string> names;
    for (const YamlMember<Target>& member : members) names.emplace_back(member.name);
    return names;
}

}  // namespace detail

// Stores the members of a map in `target`. Each one must be known, occur once and have a permitted
// value, and required ones must exist. `path` is that of the map, like gateway.routes.a.
// REQUIRES: `members` is not empty.
template <typename Target>
[[nodiscard]] Result<void> read_map(
    const YamlWalk& walk, const std::string& path, const YAML::Node& map,
    std::type_identity_t<std::span<const YamlMember<Target>>> members, Target& target);

// Returns an error unless the map has exactly one member, because its members exclude each other.
[[nodiscard]] Result<void> check_only_one(const YamlWalk& walk, const std::string& path,
                                          const YAML::Node& map,
                                          const std::vector<std::string>& names);

namespace detail {

template <typename Target>
Result<void> read_member(const YamlWalk& walk, const std::string& path, const YAML::Node& key,
                         const YAML::Node& value, const YamlMember<Target>& member,
                         Target& target) {
    if (member.is_later != nullptr && member.is_later(value)) {
        SEMEL_CHECK(note_later(walk, path, key));
    }
    if (value.IsMap() && !member.members.empty()) {
        if (member.begin != nullptr) member.begin(target);
        return read_map(walk, path, value, member.members, target);
    }
    if (!value.IsNull() && member.apply != nullptr && member.apply(target, value)) {
        return {};
    }
    return wrong_value(walk, path, key, value, member.expects);
}

}  // namespace detail

template <typename Target>
Result<void> read_map(const YamlWalk& walk, const std::string& path, const YAML::Node& map,
                      std::type_identity_t<std::span<const YamlMember<Target>>> members,
                      Target& target) {
    if (!map.IsMap()) {
        return error_at(walk.file, map.Mark(),
                        "`" + path + "` must be a map of keys, like `" +
                            std::string(members.front().name) + ": …`");
    }
    OnceEach keys(walk.file);
    for (const auto& entry : map) {
        if (!entry.first.IsScalar()) {
            return error_at(walk.file, entry.first.Mark(), "a key must be a plain word");
        }
        const std::string& name = entry.first.Scalar();
        std::string inner = path;
        inner.append(".").append(name);
        SEMEL_CHECK(keys.add(inner, entry.first.Mark()));
        const auto known = std::ranges::find(members, name, &YamlMember<Target>::name);
        if (known == members.end()) {
            return detail::unknown_member(walk, path, entry.first,
                                          detail::names_of<Target>(members));
        }
        SEMEL_CHECK(detail::read_member(walk, inner, entry.first, entry.second, *known, target));
    }
    for (const YamlMember<Target>& member : members) {
        if (member.is_required && !map[std::string(member.name)].IsDefined()) {
            return error_at(walk.file, map.Mark(),
                            "`" + path + "` has no `" + std::string(member.name) +
                                "`; it must be " + std::string(member.expects));
        }
    }
    return {};
}

}  // namespace semel
