#include "core/outbox/outbox.hpp"

#include "core/actions/action_request.hpp"
#include "core/chains/chain_request.hpp"
#include "core/decide.hpp"
#include "core/fences/fence_request.hpp"
#include "core/json/json_writer.hpp"
#include "core/json/member_reader.hpp"

namespace semel {
namespace {

template <typename Request>
using Reader = Item<Request> (*)(json::Value object, std::string_view tenant,
                                 const Settings& settings, const std::string& pointer);

template <typename Request>
Item<Request> read_content(const OutboxEntry& entry, const Settings& settings,
                           Reader<Request> read) {
    const auto document = json::Document::parse(entry.content.value_or(""));
    return document ? read(document->root(), entry.tenant, settings, "")
                    : Item<Request>(to_problem(document.error()));
}

ScheduleActions read_action(const OutboxEntry& entry, const Settings& settings) {
    auto item = read_content<ActionRequest>(entry, settings, read_action_request);
    if (auto* request = std::get_if<ActionRequest>(&item)) {
        request->id = entry.subject;
    }
    return {.tenant = entry.tenant, .items = {std::move(item)}};
}

// PostgreSQL accepts JSON that the API refuses: repeated names, numbers beyond every double, any
// depth. The job's work is committed, so such an output is kept, as a string with its text.
std::string acceptable(const std::string& output) {
    return json::Document::parse(output) ? output : JsonWriter().string(output).take();
}

StartChains read_chain(const OutboxEntry& entry, const Settings& settings) {
    auto item = read_content<ChainRequest>(entry, settings, read_chain_request);
    if (auto* request = std::get_if<ChainRequest>(&item)) {
        request->first.id = entry.subject;
    }
    return {.tenant = entry.tenant, .items = {std::move(item)}};
}

JobCall call_of(const OutboxEntry& entry, Verb verb) {
    JobCall call;
    call.id = entry.subject;
    call.token = entry.token;
    call.verb = verb;
    return call;
}

JobCall completion_of(const OutboxEntry& entry) {
    JobCall call = call_of(entry, Verb::complete);
    call.output = entry.content ? std::optional(acceptable(*entry.content)) : std::nullopt;
    return call;
}

JobCall failure_of(const OutboxEntry& entry) {
    JobCall call = call_of(entry, Verb::fail);
    call.error = entry.content.value_or("");
    return call;
}

CallFence seal_of(const OutboxEntry& entry) {
    CallFence command;
    command.tenant = entry.tenant;
    command.call.token = entry.token;
    command.call.claim = fence_key(entry.tenant, entry.fence).claim;
    command.call.verb = FenceVerb::seal;
    command.call.effect_id = entry.effect_id;
    if (entry.content && *entry.content != "null") {
        command.call.receipt = acceptable(*entry.content);
    }
    return command;
}

JobCall read_continued(const OutboxEntry& entry, const Settings& settings) {
    auto item = read_content<Continuation>(entry, settings, read_continuation);
    if (const auto* problem = std::get_if<Problem>(&item)) {
        return refuse_continuation(entry, *problem);
    }
    JobCall call = call_of(entry, Verb::complete);
    call.continue_with = std::get<Continuation>(std::move(item));
    return call;
}

JobCall read_call(const OutboxEntry& entry, const Settings& settings) {
    switch (entry.verb) {
        case OutboxVerb::complete: return completion_of(entry);
        case OutboxVerb::continue_with: return read_continued(entry, settings);
        case OutboxVerb::fail:
        case OutboxVerb::enqueue:
        case OutboxVerb::start_chain:
        case OutboxVerb::seal: break;
    }
    return failure_of(entry);
}

void write_problem(JsonWriter& out, const Problem& problem) {
    out.begin_object("error");
    out.member("code", to_string(problem.code));
    out.member("detail", problem.detail);
    if (!problem.pointer.empty()) {
        out.member("pointer", problem.pointer);
    }
    if (!problem.diff_json.empty()) {
        out.member_raw("diff", problem.diff_json);
    }
    out.end_object();
}

std::string result_json(Decision decision, const JobId& id) {
    JsonWriter out;
    out.begin_object();
    out.member("decision", to_string(decision));
    out.member("id", id.to_string());
    out.member_null("error");
    out.end_object();
    return out.take();
}

// Writes the decision too: a refused request that met a key has one.
std::string result_json(const Problem& problem) {
    JsonWriter out;
    out.begin_object();
    out.key("decision");
    problem.code == ProblemCode::conflict ? out.string(to_string(Decision::conflict)) : out.null();
    out.key("id");
    problem.existing_id ? out.string(problem.existing_id->to_string()) : out.null();
    write_problem(out, problem);
    out.end_object();
    return out.take();
}

}  // namespace

OutboxCommand read_outbox_entry(const OutboxEntry& entry, const Settings& settings) {
    if (entry.verb == OutboxVerb::enqueue) {
        return read_action(entry, settings);
    }
    if (entry.verb == OutboxVerb::start_chain) {
        return read_chain(entry, settings);
    }
    if (entry.verb == OutboxVerb::seal) {
        return seal_of(entry);
    }
    return SettleJobs{.tenant = entry.tenant, .calls = {read_call(entry, settings)}};
}

JobCall refuse_continuation(const OutboxEntry& entry, const Problem& problem) {
    JobCall call = call_of(entry, Verb::fail);
    call.error = "continue_with was refused: " + problem.detail;
    call.final = true;
    return call;
}

void name_rows(const OutboxEntry& entry, const Settings& settings, LoadSpec& spec) {
    std::visit([&](const auto& command) { name_rows(command, spec); },
               read_outbox_entry(entry, settings));
}

std::string outbox_result_json(const Item<ScheduledAction>& answer) {
    if (const auto* problem = std::get_if<Problem>(&answer)) {
        return result_json(*problem);
    }
    const auto& scheduled = std::get<ScheduledAction>(answer);
    return result_json(scheduled.decision, scheduled.action.job.id);
}

std::string outbox_result_json(const Item<StartedChain>& answer) {
    if (const auto* problem = std::get_if<Problem>(&answer)) {
        return result_json(*problem);
    }
    const auto& started = std::get<StartedChain>(answer);
    return result_json(started.deduplicated ? Decision::duplicate : Decision::new_,
                       started.chain.first.id);
}

}  // namespace semel
