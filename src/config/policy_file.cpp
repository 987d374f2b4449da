#include "config/policy_file.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "config/files.hpp"
#include "config/secrets.hpp"
#include "config/yaml_document.hpp"
#include "config/yaml_shape.hpp"

namespace semel {
namespace {

constexpr std::size_t kPolicyBytesMax = 1024 * 1024;

// A key of the file. `apply` stores a permitted value, and returns false for another one.
struct PolicyKey {
    std::string_view path;
    std::string_view expects;
    bool (*apply)(Policy& policy, const YAML::Node& value);
};

bool read_bool(std::optional<bool>& out, const YAML::Node& value) {
    // Only these two words, because YAML readers differ on yes, on and y.
    if (!value.IsScalar() || (value.Scalar() != "true" && value.Scalar() != "false")) {
        return false;
    }
    out = value.Scalar() == "true";
    return true;
}

bool read_number(std::optional<std::int64_t>& out, const YAML::Node& value) {
    const auto number = value.IsScalar() ? parse_decimal(value.Scalar()) : std::nullopt;
    out = number;
    return number.has_value();
}

bool read_list(std::vector<std::string>& out, const YAML::Node& value) {
    if (!value.IsSequence()) {
        return false;
    }
    for (const auto& item : value) {
        if (!item.IsScalar() || item.Scalar().empty()) {
            return false;
        }
        out.push_back(item.Scalar());
    }
    return true;
}

bool read_fence_store(Policy& policy, const YAML::Node& value) {
    const auto store = value.IsScalar() ? parse_fence_store(value.Scalar()) : std::nullopt;
    policy.fence_store = store.value_or(FenceStore::main);
    return store.has_value();
}

bool read_store_url(Policy& policy, const YAML::Node& value) {
    policy.fence_store_url = value.IsScalar() ? value.Scalar() : "";
    return !policy.fence_store_url.empty();
}

constexpr std::string_view kList = "a list of words, like [a, b]";
constexpr std::string_view kBool = "`true` or `false`";
constexpr std::string_view kNumber = "a whole number, not below 0";

const std::vector<PolicyKey>& policy_keys() {
    static const std::vector<PolicyKey> kKeys = {
        {"require_headers", kList,
         [](Policy& p, const YAML::Node& v) { return read_list(p.require_headers, v); }},
        {"reject_on_body_mismatch", kBool,
         [](Policy& p, const YAML::Node& v) { return read_bool(p.reject_on_body_mismatch, v); }},
        {"stores.fence", "`main` or `redis`", &read_fence_store},
        {"stores.url", "a URL, like redis://127.0.0.1:6379", &read_store_url},
        {"stores.ttl.webhook_days", kNumber,
         [](Policy& p, const YAML::Node& v) { return read_number(p.webhook_days, v); }},
        {"stores.ttl.api_hours", kNumber,
         [](Policy& p, const YAML::Node& v) { return read_number(p.api_hours, v); }},
        {"stores.ttl.batch_days", kNumber,
         [](Policy& p, const YAML::Node& v) { return read_number(p.batch_days, v); }},
        {"logging.include_fields", kList,
         [](Policy& p, const YAML::Node& v) { return read_list(p.include_fields, v); }},
        {"on_conflict.status", kNumber,
         [](Policy& p, const YAML::Node& v) { return read_number(p.conflict_status, v); }},
        {"on_conflict.include_diff", kBool,
         [](Policy& p, const YAML::Node& v) { return read_bool(p.include_diff, v); }},
        {"on_conflict.mask", "a list of JSON pointers, like [/customer/card]",
         [](Policy& p, const YAML::Node& v) { return read_list(p.mask, v); }},
    };
    return kKeys;
}

// Returns the names that a section can have; "" is the top.
std::vector<std::string> names_in(const std::string& section) {
    const std::string prefix = section.empty() ? "" : section + ".";
    std::set<std::string> names;
    for (const PolicyKey& key : policy_keys()) {
        if (key.path.starts_with(prefix)) {
            const std::string_view rest = key.path.substr(prefix.size());
            names.emplace(rest.substr(0, rest.find('.')));
        }
    }
    return {names.begin(), names.end()};
}

std::string joined(const std::string& section, const std::string& name) {
    return section.empty() ? name : section + "." + name;
}

// Returns the advice for an unknown key, by its whole path.
std::string instead_of_key(const std::string& section, const std::string& name) {
    const std::vector<std::string> siblings = names_in(section);
    if (const auto near = nearest(name, siblings)) {
        return "the nearest known key is `" + joined(section, *near) + "`";
    }
    // A known name in the wrong place.
    for (const PolicyKey& key : policy_keys()) {
        if (key.path == name || key.path.ends_with("." + name)) {
            return "the nearest known key is `" + std::string(key.path) + "`";
        }
    }
    std::string list;
    for (const std::string& sibling : siblings) {
        list += list.empty() ? "`" : ", `";
        list += joined(section, sibling) + "`";
    }
    return "known here are " + list;
}

class PolicyWalk {
public:
    explicit PolicyWalk(const std::string& file) : file_(file), keys_(file) {}

    Result<Policy> read(const YAML::Node& root) {
        if (root.IsDefined() && !root.IsNull()) {
            SEMEL_CHECK(read_section("", root));
        }
        return std::move(policy_);
    }

    [[nodiscard]] Error at(const YAML::Mark& mark, const std::string& message) const {
        return error_at(file_, mark, message);
    }

private:
    Result<void> read_section(const std::string& section, const YAML::Node& node) {
        if (!node.IsMap()) {
            return at(node.Mark(), (section.empty() ? "the file" : "`" + section + "`") +
                                       " must be a map of keys, like `" +
                                       names_in(section).front() + ": …`");
        }
        for (const auto& entry : node) {
            if (!entry.first.IsScalar()) {
                return at(entry.first.Mark(), "a key must be a plain word");
            }
            const std::string& name = entry.first.Scalar();
            const std::string path = joined(section, name);
            SEMEL_CHECK(keys_.add(path, entry.first.Mark()));
            SEMEL_CHECK(read_entry(section, path, entry.first, entry.second));
        }
        return {};
    }

    Result<void> read_entry(const std::string& section, const std::string& path,
                            const YAML::Node& key, const YAML::Node& value) {
        for (const PolicyKey& known : policy_keys()) {
            if (known.path == path) {
                if (!known.apply(policy_, value)) {
                    return at(value.IsNull() ? key.Mark() : value.Mark(),
                              "`" + path + "` must be " + std::string(known.expects));
                }
                return {};
            }
        }
        if (!names_in(path).empty()) {
            return read_section(path, value);
        }
        return at(key.Mark(),
                  "unknown key `" + path + "`; " + instead_of_key(section, key.Scalar()));
    }

    std::string file_;
    OnceEach keys_;  // by their paths: `stores.fence`, or `fence` in the section `stores`
    Policy policy_;
};

}  // namespace

Result<Policy> parse_policy(const std::string& file, const std::string& text) {
    PolicyWalk walk(file);
    const auto document = load_document(text);
    if (const auto* fault = std::get_if<YamlFault>(&document)) {
        return walk.at(fault->mark, fault->what);
    }
    return walk.read(std::get<YAML::Node>(document));
}

Result<Policy> read_policy_file(const std::string& path) {
    SEMEL_TRY(text, read_file(path, kPolicyBytesMax));
    return parse_policy(path, text);
}

Result<std::string> fence_store_url(const Policy& policy) {
    auto url = resolve_password(policy.fence_store_url);
    if (!url) {
        return Error(url.error().code(), "in `stores.url`, " + url.error().message());
    }
    return url;
}

Result<void> check_fence_store(const Policy& policy, CheckUrl check_url) {
    if (policy.fence_store == FenceStore::redis) {
        SEMEL_TRY(url, fence_store_url(policy));
        SEMEL_CHECK(check_url(url));
    }
    return {};
}

bool looks_like_policy(const std::string& text) {
    try {
        const YAML::Node root = YAML::Load(text);
        if (!root.IsMap()) {
            return false;
        }
        const std::vector<std::string> names = names_in("");
        for (const auto& entry : root) {
            if (entry.first.IsScalar() &&
                std::find(names.begin(), names.end(), entry.first.Scalar()) != names.end()) {
                return true;
            }
        }
    } catch (const YAML::Exception&) {
        return false;  // its reader will return the error
    }
    return false;
}

}  // namespace semel
