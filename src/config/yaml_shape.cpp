#include "config/yaml_shape.hpp"

#include "base/text.hpp"

namespace semel {
namespace {

std::string quoted_list(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "`" : ", `") + name + "`";
    }
    return list;
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

Result<void> check_only_one(const YamlWalk& walk, const std::string& path, const YAML::Node& map,
                            const std::vector<std::string>& names) {
    if (!map.IsDefined() || !map.IsMap() || map.size() == 1) {
        return {};
    }
    return error_at(walk.file, map.Mark(),
                    "`" + path + "` must have exactly one of " + quoted_list(names));
}

namespace detail {

Error unknown_member(const YamlWalk& walk, const std::string& path, const YAML::Node& key,
                     const std::vector<std::string>& known) {
    const std::string name = path + "." + key.Scalar();
    const auto near = nearest(key.Scalar(), known);
    return error_at(walk.file, key.Mark(),
                    "unknown key `" + name + "`; " +
                        (near ? "the nearest known key is `" + path + "." + *near + "`"
                              : "known here are " + quoted_list(known)));
}

Error wrong_value(const YamlWalk& walk, const std::string& path, const YAML::Node& key,
                  const YAML::Node& value, std::string_view expects) {
    return error_at(walk.file, value.IsNull() ? key.Mark() : value.Mark(),
                    "`" + path + "` must be " + std::string(expects));
}

Result<void> note_later(const YamlWalk& walk, const std::string& path, const YAML::Node& key) {
    if (walk.later == nullptr) {
        return error_at(walk.file, key.Mark(),
                        "`" + path + "` is not in this version of Semel; remove it");
    }
    walk.later->push_back(path);
    return {};
}

}  // namespace detail
}  // namespace semel
