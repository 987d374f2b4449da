#include "config/reader.hpp"

#include "config/sources.hpp"
#include "config/yaml_document.hpp"
#include "config/yaml_shape.hpp"

namespace semel {

namespace {

class ConfigWalk {
public:
    ConfigWalk(const std::string& file, UntakenKeys* untaken)
        : file_(file), untaken_(untaken), keys_(file) {}

    Result<FileContent> read(const YAML::Node& root) {
        if (!root.IsDefined() || root.IsNull()) {
            return std::move(content_);  // an empty file
        }
        SEMEL_CHECK(read_section("", root));
        return std::move(content_);
    }

    [[nodiscard]] Error at(const YAML::Mark& mark, const std::string& message) const {
        return error_at(file_, mark, message);
    }

private:
    [[nodiscard]] std::string place(const YAML::Mark& mark) const {
        if (mark.is_null()) {
            return file_;
        }
        return file_ + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
    }

    Result<void> read_section(const std::string& section, const YAML::Node& node) {
        const std::string name = section.empty() ? "the file" : "`" + section + "`";
        if (!node.IsMap()) {
            return at(node.Mark(), name + " must be a map of keys, like `" +
                                       names_in_section(section).front() + ": …`");
        }
        for (const auto& entry : node) {
            const YAML::Node& key = entry.first;
            if (!key.IsScalar()) {
                return at(key.Mark(), "a key must be a plain word");
            }
            SEMEL_CHECK(keys_.add(path_of(section, key.Scalar()), key.Mark()));
            SEMEL_CHECK(read_entry(section, key, entry.second));
        }
        return {};
    }

    Result<void> read_entry(const std::string& section, const YAML::Node& key,
                            const YAML::Node& value) {
        const std::string path = path_of(section, key.Scalar());
        const ConfigKey* known = find_config_key(path);
        if (known == nullptr && !is_config_section(path)) {
            return at(key.Mark(),
                      "unknown key `" + path + "`; " + instead_of(section, key.Scalar()));
        }
        if (untaken_ == nullptr && is_later(path)) {
            return at(key.Mark(), "`" + path + "` is not in this version of Semel; remove it");
        }
        if (known == nullptr) {
            return read_section(path, value);
        }
        if (known->shape == Shape::later) {
            return read_untaken(path, key, value);
        }
        if (known->shape == Shape::file_only) {
            return read_routes_of(path, key, value);
        }
        Setting setting;
        setting.source = place(value.IsNull() ? key.Mark() : value.Mark());
        SEMEL_CHECK(read_value(*known, key, value, setting));
        content_.settings.emplace(path, std::move(setting));
        return {};
    }

    Result<void> read_value(const ConfigKey& known, const YAML::Node& key, const YAML::Node& value,
                            Setting& setting) {
        const std::string expects =
            "`" + std::string(known.path) + "` must be " + std::string(known.expects);
        if (value.IsNull()) {
            return at(key.Mark(), expects + "; it has no value");
        }
        if (known.shape == Shape::list) {
            if (!value.IsSequence()) {
                return at(value.Mark(), expects + ", like [a.example.com, b.example.com]");
            }
            for (const auto& item : value) {
                if (!item.IsScalar() || item.Scalar().empty()) {
                    return at(item.Mark(), expects);
                }
                setting.items.push_back(item.Scalar());
            }
            return {};
        }
        if (!value.IsScalar()) {
            return at(value.Mark(), expects + ", not a " + (value.IsMap() ? "map" : "list"));
        }
        if (value.Scalar().empty()) {
            return at(value.Mark(), expects + "; it is empty");
        }
        setting.items.push_back(value.Scalar());
        return {};
    }

    Result<void> read_routes_of(const std::string& path, const YAML::Node& key,
                                const YAML::Node& value) {
        if (value.IsNull()) {
            return at(key.Mark(), "`" + path + "` has no value");
        }
        const YamlWalk walk{.file = file_,
                            .later = untaken_ != nullptr ? &untaken_->paths : nullptr};
        SEMEL_TRY(routes, read_routes(walk, value));
        content_.routes = std::move(routes);
        return {};
    }

    // Reads a key that this version does not support. `semel check` has rules only for `sources`.
    Result<void> read_untaken(const std::string& path, const YAML::Node& key,
                              const YAML::Node& value) {
        if (value.IsNull()) {
            return at(key.Mark(), "`" + path + "` has no value");
        }
        if (path == "sources") {
            SEMEL_TRY(sources, read_sources({.file = file_}, value));
            untaken_->sources = std::move(sources);
        }
        untaken_->paths.push_back(path);
        return {};
    }

    // Returns true if this version supports nothing under `path`.
    static bool is_later(const std::string& path) {
        for (const ConfigKey& key : config_keys()) {
            const bool is_under = key.path == path || key.path.starts_with(path + ".");
            if (is_under && key.shape != Shape::later) {
                return false;
            }
        }
        return true;
    }

    static std::string path_of(const std::string& section, const std::string& name) {
        return section.empty() ? name : section + "." + name;
    }

    std::string file_;
    UntakenKeys* untaken_;
    OnceEach keys_;  // by their paths: `keys.retention`, or `retention` in the section `keys`
    FileContent content_;
};

}  // namespace

Result<FileContent> read_config(const std::string& file, const std::string& text,
                                UntakenKeys* untaken) {
    ConfigWalk walk(file, untaken);
    const auto document = load_document(text);
    if (const auto* fault = std::get_if<YamlFault>(&document)) {
        return walk.at(fault->mark, fault->what);
    }
    return walk.read(std::get<YAML::Node>(document));
}

}  // namespace semel
