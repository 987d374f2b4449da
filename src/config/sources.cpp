#include "config/sources.hpp"

#include <algorithm>
#include <array>

#include "config/yaml_values.hpp"

namespace semel {
namespace {

using yaml::Value;
using SourceMember = YamlMember<CheckedSource>;

// The function of a member whose value is checked and not stored.
template <bool (*Fits)(Value)>
bool accept(CheckedSource&, Value value) {
    return Fits(value);
}

bool take_scheme(CheckedSource& source, Value value) {
    // The known signature schemes. A provider with another scheme cannot be a source.
    constexpr std::array<std::string_view, 5> kSchemes = {"stripe", "github", "shopify", "slack",
                                                          "standard webhooks"};
    const Provider* provider = value.IsScalar() ? find_provider(value.Scalar()) : nullptr;
    if (provider == nullptr || std::ranges::find(kSchemes, provider->name) == kSchemes.end()) {
        return false;
    }
    source.provider = value.Scalar();
    return true;
}

template <std::optional<Millis> CheckedSource::*Member>
bool take_time(CheckedSource& source, Value value) {
    source.*Member = yaml::some_time(value);
    return (source.*Member).has_value();
}

bool take_subject(CheckedSource& source, Value value) {
    source.subject = yaml::is_pointer(value) ? value.Scalar() : "";
    return yaml::is_pointer(value);
}

bool take_key_fields(CheckedSource& source, Value value) {
    if (!yaml::is_list_of(value, &yaml::is_pointer)) {
        return false;
    }
    source.key_fields = yaml::texts_of(value);
    return true;
}

bool is_secrets(Value value) {
    return yaml::is_list_of(value, &yaml::is_secret);
}

bool is_number(Value value) {
    return yaml::whole_number(value, 0, INT64_MAX).has_value();
}

bool is_false(Value value) {
    return yaml::is_one_of(value, {"false"});
}

constexpr SourceMember kDeduplication[] = {
    {"key_fields", yaml::kPointers, &take_key_fields, {}, true},
    {"window_seconds", "a whole number", &accept<&is_number>},
};
constexpr SourceMember kStart[] = {
    {"action", "a type of actions", &accept<&yaml::is_name>},
    {"chain", "a type of chains", &accept<&yaml::is_name>},
};
constexpr SourceMember kSource[] = {
    {"scheme",
     "`stripe`, `github`, `shopify`, `slack` or `standard_webhooks`",
     &take_scheme,
     {},
     true},
    {"secrets", "a list of secrets, like [env:STRIPE_SECRET]", &accept<&is_secrets>, {}, true},
    {"horizon", yaml::kTime, &take_time<&CheckedSource::horizon>},
    {"ttl", yaml::kTime, &take_time<&CheckedSource::remembered>},
    {"tenant", yaml::kName, &accept<&yaml::is_name>},
    {"start", "one of { action: TYPE }, { chain: TYPE }", nullptr, kStart, true},
    {"deduplication", "`false`, or a map, like { key_fields: [/orderId] }", &accept<&is_false>,
     kDeduplication},
    {"subject", yaml::kPointer, &take_subject},
    {"version", yaml::kPointer, &accept<&yaml::is_pointer>},
    {"lock_group", yaml::kPointer, &accept<&yaml::is_pointer>},
};

Result<CheckedSource> read_source(const YamlWalk& walk, const std::string& name, Value node) {
    const std::string path = "sources." + name;
    CheckedSource source{.name = name};
    SEMEL_CHECK(read_map(walk, path, node, kSource, source));
    SEMEL_CHECK(check_only_one(walk, path + ".start", node["start"], {"action", "chain"}));
    return source;
}

}  // namespace

Result<std::vector<CheckedSource>> read_sources(const YamlWalk& walk, const YAML::Node& sources) {
    if (!sources.IsMap()) {
        return error_at(
            walk.file, sources.Mark(),
            "`sources` must be a map of sources by their names, like `stripe: { scheme: "
            "stripe, … }`");
    }
    std::vector<CheckedSource> read;
    OnceEach keys(walk.file);
    for (const auto& entry : sources) {
        if (!yaml::is_name(entry.first)) {
            return error_at(walk.file, entry.first.Mark(),
                            "the name of a source must be " + std::string(yaml::kName));
        }
        const std::string& name = entry.first.Scalar();
        SEMEL_CHECK(keys.add("sources." + name, entry.first.Mark()));
        SEMEL_TRY(source, read_source(walk, name, entry.second));
        read.push_back(std::move(source));
    }
    return read;
}

}  // namespace semel
