#include "core/chains/chain_request.hpp"

#include <fmt/format.h>

#include "core/json/canonical_json.hpp"
#include "core/json/member_reader.hpp"
#include "core/keys/dedup_key.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

// The arguments that all readers of a request share.
struct Reading {
    std::string_view tenant;
    const Settings& settings;
};

void read_time(MemberReader& reader, StepRequest& step) {
    const auto schedule = reader.object("schedule");
    if (!schedule) {
        return;
    }
    MemberReader members(*schedule, reader.pointer_to("schedule"));
    step.scheduled_at = members.time("at");
    step.delay = members.milliseconds("afterMs", Millis(0), kDelayMax);
    if (step.scheduled_at && step.delay) {
        members.fail("afterMs", "give `at` or `afterMs`, not both");
    }
    if (auto problem = members.problem()) {
        reader.fail(std::move(*problem));
    }
}

bool is_reference(json::Value blocker) {
    return blocker.is_string() || (blocker.is_object() && !blocker.find("type"));
}

// `{"id": …}` or the id alone.
Item<BlockerRequest> read_reference(json::Value blocker, const std::string& pointer) {
    std::optional<Uuid> id;
    if (blocker.is_string()) {
        id = Uuid::parse(blocker.as_string());
    } else {
        MemberReader reader(blocker, pointer);
        id = reader.uuid("id");
        if (auto problem = reader.problem()) {
            return std::move(*problem);
        }
    }
    if (!id) {
        return invalid(
            "a blocker is the id of a chain, {\"id\": …}, or the chain to start: {\"type\", "
            "\"input\", …}",
            pointer);
    }
    return BlockerRequest(*id);
}

Item<BlockerRequest> read_blocker(json::Value blocker, const Reading& reading,
                                  const std::string& pointer) {
    if (is_reference(blocker)) {
        return read_reference(blocker, pointer);
    }
    auto request = read_chain_request(blocker, reading.tenant, reading.settings, pointer);
    if (auto* problem = std::get_if<Problem>(&request)) {
        return std::move(*problem);
    }
    return BlockerRequest(
        std::make_shared<const ChainRequest>(std::get<ChainRequest>(std::move(request))));
}

void read_blockers(MemberReader& reader, const Reading& reading, StepRequest& step) {
    const auto blockers = reader.array("blockers", kBlockersMax);
    if (!blockers) {
        return;
    }
    const std::string pointer = reader.pointer_to("blockers");
    for (const json::Value blocker : blockers->elements()) {
        auto read =
            read_blocker(blocker, reading, fmt::format("{}/{}", pointer, step.blockers.size()));
        if (auto* problem = std::get_if<Problem>(&read)) {
            reader.fail(std::move(*problem));
            return;
        }
        step.blockers.push_back(std::get<BlockerRequest>(std::move(read)));
    }
}

// Accepts only ids of version 7, because lists are in the order of ids.
std::optional<JobId> read_own_id(MemberReader& reader) {
    const auto id = reader.uuid("id");
    if (id && !id->is_version_7()) {
        reader.fail("id", "`id` must be a UUID of version 7; leave it out, or make a new UUIDv7");
    }
    return id;
}

void read_step(MemberReader& reader, const Reading& reading, StepRequest& step) {
    const auto type = reader.name("type");
    reader.require("type", type.has_value());
    step.type = type.value_or("");
    if (const auto input = reader.any("input")) {
        step.input = std::string(input->raw());
    }
    step.id = read_own_id(reader);
    read_time(reader, step);
    step.options = read_work_options(reader);
    read_blockers(reader, reading, step);
    reader.word("onBlockerFailed", parse_on_blocker_failed, "fail or wait", step.on_blocker_failed);
}

std::optional<Scope> parse_chain_scope(std::string_view text) {
    const auto scope = parse_scope(text);
    return scope == Scope::pending ? std::nullopt : scope;
}

void read_window(MemberReader& reader, const Settings& settings, ChainDeduplication& wanted) {
    wanted.window = reader.milliseconds("windowMs", Millis(1), kDelayMax);
    if (wanted.window && settings.key_retention && *wanted.window > *settings.key_retention) {
        reader.fail("windowMs",
                    fmt::format("`windowMs` is longer than keys are remembered ({} ms); shorten "
                                "it or raise keys.retention",
                                settings.key_retention->count()));
    }
}

void read_excluded(MemberReader& reader, ChainDeduplication& wanted) {
    const auto chains = reader.array("excludeChainIds", kExcludedChainsMax);
    if (!chains) {
        return;
    }
    for (const json::Value chain : chains->elements()) {
        const auto id = chain.is_string() ? Uuid::parse(chain.as_string()) : std::nullopt;
        if (!id) {
            reader.fail("excludeChainIds", "`excludeChainIds` must hold ids of chains");
            return;
        }
        wanted.excluded.push_back(*id);
    }
}

void read_deduplication(MemberReader& outer, const Reading& reading, ChainRequest& request) {
    const auto value = outer.object("deduplication");
    if (!value) {
        return;
    }
    MemberReader reader(*value, outer.pointer_to("deduplication"));
    ChainDeduplication wanted;
    const auto key = reader.text("key", 1, kKeyBytesMax);
    reader.require("key", key.has_value());
    reader.word("scope", parse_chain_scope, "incomplete or any", wanted.scope);
    read_window(reader, reading.settings, wanted);
    read_excluded(reader, wanted);
    if (auto problem = reader.problem()) {
        outer.fail(std::move(*problem));
        return;
    }
    Key made = make_key(reading.tenant, "chains", {request.first.type, *key});
    wanted.claim = made.claim;
    wanted.full_key = std::move(made.full_key);
    request.deduplication = std::move(wanted);
}

void add_blockers(FieldHasher& hasher, json::Value object, const StepRequest& step) {
    hasher.field(fmt::format("{}", step.blockers.size()));
    if (step.blockers.empty()) {
        return;
    }
    auto given = object.find("blockers")->elements().begin();
    for (const BlockerRequest& blocker : step.blockers) {
        const auto* id = std::get_if<JobId>(&blocker);
        hasher.field(id != nullptr ? id->to_string() : fingerprint(*given).to_hex());
        ++given;
    }
}

// Returns a hash that is equal for requests with the same meaning. Options that can be inherited
// are not included, because they depend on the job before.
Hash256 fingerprint_of(json::Value object, const StepRequest& step) {
    FieldHasher hasher("semel.continuation.v1");
    const auto input = json::Document::parse(step.input);
    hasher.field(step.type).field(input ? fingerprint(input->root()).to_hex() : step.input);
    hasher.field(step.id ? step.id->to_string() : "");
    hasher.field(step.scheduled_at ? fmt::format("{}", to_ms(*step.scheduled_at)) : "");
    hasher.field(fmt::format("{}", step.delay.value_or(Millis(0)).count()));
    hasher.field(to_string(step.on_blocker_failed));
    add_blockers(hasher, object, step);
    return hasher.finish();
}

}  // namespace

Item<ChainRequest> read_chain_request(json::Value object, std::string_view tenant,
                                      const Settings& settings, const std::string& pointer) {
    const Reading reading{tenant, settings};
    MemberReader reader(object, pointer);
    ChainRequest request;
    request.first.pointer = pointer;
    read_step(reader, reading, request.first);
    read_deduplication(reader, reading, request);
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    return request;
}

Item<Continuation> read_continuation(json::Value object, std::string_view tenant,
                                     const Settings& settings, const std::string& pointer) {
    MemberReader reader(object, pointer);
    Continuation continuation;
    continuation.step.pointer = pointer;
    read_step(reader, Reading{tenant, settings}, continuation.step);
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    continuation.fingerprint = fingerprint_of(object, continuation.step);
    return continuation;
}

}  // namespace semel
