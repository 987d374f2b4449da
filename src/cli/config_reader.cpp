#include "cli/config_reader.hpp"

#include <set>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace semel::cli {

namespace {

class Walk {
public:
    explicit Walk(std::string file) : file_(std::move(file)) {}

    Result<SettingsByKey> read(const YAML::Node& root) {
        if (!root.IsDefined() || root.IsNull()) {
            return std::move(settings_);  // an empty file
        }
        SEMEL_CHECK(read_section("", root));
        return std::move(settings_);
    }

    [[nodiscard]] Error at(const YAML::Mark& mark, const std::string& message) const {
        return {ErrorCode::invalid, place(mark) + ": " + message};
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
        std::set<std::string> seen;
        for (const auto& entry : node) {
            const YAML::Node& key = entry.first;
            if (!key.IsScalar()) {
                return at(key.Mark(), "a key must be a plain word");
            }
            if (!seen.insert(key.Scalar()).second) {
                return at(key.Mark(), "the key `" + path_of(section, key.Scalar()) +
                                          "` stands here a second time");
            }
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
        if (is_later(path)) {
            return at(key.Mark(), "`" + path + "` is not in this version of Semel; remove it");
        }
        if (known == nullptr) {
            return read_section(path, value);
        }
        Setting setting;
        setting.source = place(value.IsNull() ? key.Mark() : value.Mark());
        SEMEL_CHECK(read_value(*known, key, value, setting));
        if (!settings_.try_emplace(path, std::move(setting)).second) {
            return at(key.Mark(), "the key `" + path + "` stands here a second time");
        }
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

    // Whether everything under `path` comes in a later version.
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
    SettingsByKey settings_;
};

// Sees where documents begin, and nothing else.
class DocumentStarts final : public YAML::EventHandler {
public:
    std::vector<YAML::Mark> marks;

    void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
};

// Of the first two: a text like ` ,a` is one empty document after another to yaml-cpp, without end.
std::vector<YAML::Mark> document_starts(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentStarts starts;
    while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) {
    }
    return starts.marks;
}

}  // namespace

Result<SettingsByKey> read_config(const std::string& file, const std::string& text) {
    Walk walk(file);
    try {
        // The mark of a document's end may not stand inside quotes: without it, a quote that is
        // never closed would swallow the rest of the file in silence.
        const std::string ended = text + (text.ends_with('\n') ? "...\n" : "\n...\n");
        const auto starts = document_starts(ended);
        if (starts.size() > 1) {
            return walk.at(starts[1], "a second document; the file may have only one");
        }
        return walk.read(YAML::Load(ended));
    } catch (const YAML::Exception& failure) {
        const bool is_open = failure.msg == YAML::ErrorMsg::DOC_IN_SCALAR;
        return walk.at(failure.mark, "not valid YAML: " +
                                         (is_open ? "a quote is opened and not closed before here"
                                                  : failure.msg));
    }
}

}  // namespace semel::cli
