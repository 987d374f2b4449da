#include "core/actions/other_content.hpp"

#include <fmt/format.h>

#include "core/chains/chain.hpp"
#include "core/json/json_diff.hpp"
#include "core/json/json_writer.hpp"

namespace semel {
namespace {

// The store keeps the job that a continuation made, not its request. `sure` compares the members
// that come from the request. `all` also compares members that the job can have inherited. It is
// used if nothing else differs.
enum class Words { sure, all };

void write_options(JsonWriter& out, const Job& job) {
    const bool is_limited = job.max_retries != kUnlimitedRetries;
    out.member_or_null("maxRetries", is_limited ? std::optional(job.max_retries) : std::nullopt);
    out.member_raw("backoff", job.backoff.to_json());
    out.member_or_null("lockGroup",
                       job.lock_group.empty() ? std::nullopt : std::optional(job.lock_group));
    out.member_or_null("timeoutMs",
                       job.timeout ? std::optional(job.timeout->count()) : std::nullopt);
    out.member("priority", job.priority);
    out.member("onBlockerFailed", to_string(job.on_blocker_failed));
}

void write_schedule(JsonWriter& out, std::optional<Time> at, std::optional<Millis> after) {
    if (!at && !after) {
        return;
    }
    out.begin_object("schedule");
    if (after) {
        out.member("afterMs", after->count());
    } else {
        out.member("at", format_rfc3339(*at));
    }
    out.end_object();
}

// Returns the blockers of a job.
std::vector<JobId> blockers_of(const Workspace& workspace, const Job& job) {
    std::vector<JobId> ids;
    for (const Edge& edge : workspace.edges_of_job(job.id)) ids.push_back(edge.blocker);
    return ids;
}

// Writes the step that a call requests, as it would follow `before`. A blocker that it would start
// counts as the existing blocker at its position, unless `words` asks for everything.
void write_asked(JsonWriter& out, const StepRequest& step, const Job& before,
                 const std::vector<JobId>& there, Words words) {
    out.begin_object("continueWith");
    out.member("type", step.type);
    out.member_raw("input", step.input);
    if (step.id) out.member("id", step.id->to_string());
    const bool is_delayed = step.delay && *step.delay > Millis(0);
    write_schedule(out, step.scheduled_at, is_delayed ? step.delay : std::nullopt);
    write_options(out, with_options(before, step));
    out.begin_array("blockers");
    for (std::size_t i = 0; i < step.blockers.size(); ++i) {
        const auto* id = std::get_if<JobId>(&step.blockers[i]);
        if (id != nullptr || (words == Words::sure && i < there.size())) {
            out.string((id != nullptr ? *id : there[i]).to_string());
            continue;
        }
        const auto& chain = *std::get<std::shared_ptr<const ChainRequest>>(step.blockers[i]);
        out.begin_object().member("type", chain.first.type);
        out.member_raw("input", chain.first.input).end_object();
    }
    out.end_array().end_object();
}

// Writes the existing step with the same members as the requested step.
void write_there(JsonWriter& out, const Job& next, const std::string& input,
                 const StepRequest* asked, const std::vector<JobId>& there, Words words) {
    out.begin_object("continueWith");
    out.member("type", next.type);
    out.member_raw("input", input);
    if (words == Words::all || (asked != nullptr && asked->id)) {
        out.member("id", next.id.to_string());
    }
    if (next.scheduled_at > next.created_at) {
        const bool in_delays = asked != nullptr && asked->delay;
        write_schedule(
            out, next.scheduled_at,
            in_delays ? std::optional(next.scheduled_at - next.created_at) : std::nullopt);
    }
    write_options(out, next);
    out.begin_array("blockers");
    for (const JobId& id : there) out.string(id.to_string());
    out.end_array().end_object();
}

// Returns the JSON Patch from the accepted content to the repeated one.
DiffResult compare(const Workspace& workspace, const Job& job, const JobCall& call, Words words) {
    const StepRequest* asked = call.continue_with ? &call.continue_with->step : nullptr;
    const Job* next = job.next ? workspace.jobs.find(*job.next) : nullptr;
    const JobBody* input = next != nullptr ? workspace.bodies.find(next->id) : nullptr;
    const auto there = next != nullptr ? blockers_of(workspace, *next) : std::vector<JobId>();
    JsonWriter first;
    first.begin_object();
    if (!job.next) {
        const JobResult* result = workspace.results.find(job.id);
        first.member_raw("output", result != nullptr ? result->output.value_or("null") : "null");
    } else if (input != nullptr) {
        write_there(first, *next, input->payload, asked, there, words);
    }
    first.end_object();
    JsonWriter second;
    second.begin_object();
    if (asked != nullptr) {
        write_asked(second, *asked, job, there, words);
    } else {
        second.member_raw("output", call.output.value_or("null"));
    }
    second.end_object();
    const auto before = json::Document::parse(first.take());
    const auto after = json::Document::parse(second.take());
    return before && after ? json_diff(before->root(), after->root()) : DiffResult{};
}

}  // namespace

Problem other_content(const Workspace& workspace, const Job& job, const JobCall& call) {
    Problem problem{.code = ProblemCode::conflict,
                    .detail = fmt::format("this attempt was ended by a `{}` with other content; "
                                          "nothing was changed",
                                          to_string(call.verb)),
                    .existing_id = job.id,
                    .state = job.status};
    if (call.verb != Verb::complete) {
        return problem;
    }
    DiffResult diff = compare(workspace, job, call, Words::sure);
    if (diff.patch_json == "[]") {
        diff = compare(workspace, job, call, Words::all);
    }
    problem.diff_json = std::move(diff.patch_json);
    problem.diff_truncated = diff.truncated;
    return problem;
}

}  // namespace semel
