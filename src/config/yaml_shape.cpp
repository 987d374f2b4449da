#include "config/yaml_shape.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace semel {
namespace {

// What to write instead of an unknown member.
std::string instead_of_member(const std::string& path, const std::string& name,
                              std::span<const YamlMember> members) {
    std::vector<std::string> names;
    std::string list;
    for (const YamlMember& member : members) {
        names.emplace_back(member.name);
        list += (list.empty() ? "`" : ", `") + names.back() + "`";
    }
    if (const auto near = nearest(name, names)) {
        return "the nearest known key is `" + path + "." + *near + "`";
    }
    return "known here are " + list;
}

Result<void> check_value(const std::string& file, const std::string& path, const YAML::Node& key,
                         const YAML::Node& value, const YamlMember& member) {
    if (!value.IsNull() && member.fits != nullptr && member.fits(value)) {
        return {};
    }
    if (value.IsMap() && !member.members.empty()) {
        return check_shape(file, path, value, member.members);
    }
    return error_at(file, value.IsNull() ? key.Mark() : value.Mark(),
                    "`" + path + "` must be " + std::string(member.expects));
}

}  // namespace

Error error_at(const std::string& file, const YAML::Mark& mark, const std::string& message) {
    const std::string place = mark.is_null() ? file
                                             : file + ":" + std::to_string(mark.line + 1) + ":" +
                                                   std::to_string(mark.column + 1);
    return {ErrorCode::invalid, place + ": " + message};
}

Result<void> OnceEach::add(const std::string& name, const YAML::Mark& mark) {
    if (!seen_.insert(name).second) {
        return error_at(file_, mark,
                        "the " + std::string(kind_) + " `" + name + "` stands here a second time");
    }
    return {};
}

Result<void> check_shape(const std::string& file, const std::string& path, const YAML::Node& map,
                         std::span<const YamlMember> members) {
    if (!map.IsMap()) {
        return error_at(file, map.Mark(),
                        "`" + path + "` must be a map of keys, like `" +
                            std::string(members.front().name) + ": …`");
    }
    OnceEach keys(file);
    for (const auto& entry : map) {
        if (!entry.first.IsScalar()) {
            return error_at(file, entry.first.Mark(), "a key must be a plain word");
        }
        const std::string& name = entry.first.Scalar();
        const std::string inner = path + "." + name;
        SEMEL_CHECK(keys.add(inner, entry.first.Mark()));
        const auto known = std::ranges::find(members, name, &YamlMember::name);
        if (known == members.end()) {
            return error_at(
                file, entry.first.Mark(),
                "unknown key `" + inner + "`; " + instead_of_member(path, name, members));
        }
        SEMEL_CHECK(check_value(file, inner, entry.first, entry.second, *known));
    }
    for (const YamlMember& member : members) {
        if (member.is_required && !map[std::string(member.name)].IsDefined()) {
            return error_at(file, map.Mark(),
                            "`" + path + "` has no `" + std::string(member.name) +
                                "`; it must be " + std::string(member.expects));
        }
    }
    return {};
}

}  // namespace semel
