#include "core/outbox.hpp"

#include "core/action_request.hpp"
#include "core/decide.hpp"
#include "core/json_writer.hpp"
#include "core/member_reader.hpp"

namespace semel {
namespace {

Item<ActionRequest> read_request(const OutboxEntry& entry, const Settings& settings) {
    const auto document = json::Document::parse(entry.content.value_or(""));
    if (!document) {
        return to_problem(document.error());
    }
    auto item = read_action_request(document->root(), entry.tenant, settings, "");
    if (auto* request = std::get_if<ActionRequest>(&item)) {
        request->id = entry.subject;
    }
    return item;
}

// PostgreSQL takes JSON that the contract refuses: repeated names, numbers beyond every double, any
// depth. What was done is done, so it is kept, as a string that holds its text: whoever reads the
// action can read that.
std::string acceptable(const std::string& output) {
    return json::Document::parse(output) ? output : JsonWriter().string(output).take();
}

JobCall call_of(const OutboxEntry& entry) {
    JobCall call;
    call.id = entry.subject;
    call.token = entry.token;
    if (entry.verb == OutboxVerb::complete) {
        call.verb = Verb::complete;
        call.output = entry.content ? std::optional(acceptable(*entry.content)) : std::nullopt;
    } else {
        call.verb = Verb::fail;
        call.error = entry.content.value_or("");
    }
    return call;
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

}  // namespace

OutboxCommand read_outbox_entry(const OutboxEntry& entry, const Settings& settings) {
    if (entry.verb == OutboxVerb::enqueue) {
        return ScheduleActions{.tenant = entry.tenant, .items = {read_request(entry, settings)}};
    }
    return SettleJobs{.tenant = entry.tenant, .calls = {call_of(entry)}};
}

void name_rows(const OutboxEntry& entry, const Settings& settings, LoadSpec& spec) {
    std::visit([&](const auto& command) { name_rows(command, spec); },
               read_outbox_entry(entry, settings));
}

std::string outbox_result_json(const Item<ScheduledAction>& answer) {
    JsonWriter out;
    out.begin_object();
    if (const auto* scheduled = std::get_if<ScheduledAction>(&answer)) {
        out.member("decision", to_string(scheduled->decision));
        out.member("id", scheduled->action.job.id.to_string());
        out.member_null("error");
    } else {
        const Problem& problem = std::get<Problem>(answer);
        // A request that meets a claim is told the decision, also when that is a refusal.
        out.key("decision");
        problem.code == ProblemCode::conflict ? out.string(to_string(Decision::conflict))
                                              : out.null();
        out.key("id");
        problem.existing_id ? out.string(problem.existing_id->to_string()) : out.null();
        write_problem(out, problem);
    }
    out.end_object();
    return out.take();
}

}  // namespace semel
