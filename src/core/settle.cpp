#include "core/settle.hpp"

#include <fmt/format.h>

#include "base/mutation.hpp"
#include "core/attempt_end.hpp"
#include "core/canonical_json.hpp"
#include "core/chain.hpp"
#include "core/json_diff.hpp"
#include "core/json_writer.hpp"

namespace semel {
namespace {

// What a call says, so that its repeat can be told from another call with the same token.
Hash256 content_of(const JobCall& call) {
    FieldHasher hasher("semel.call.v1");
    if (call.output) {
        // PostgreSQL takes JSON that we refuse, such as repeated names: that counts by its bytes.
        const auto output = json::Document::parse(*call.output);
        hasher.field(output ? fingerprint(output->root()).to_hex() : *call.output);
    }
    if (call.continue_with) {
        hasher.field("continueWith").field(call.continue_with->fingerprint.to_hex());
    }
    hasher.field(call.error);
    hasher.field(call.retry_after ? fmt::format("{}", call.retry_after->count()) : "");
    hasher.field(call.final ? "final" : "");
    return hasher.finish();
}

void write_step(JsonWriter& out, const std::string& type, const std::string& input) {
    out.begin_object("continueWith");
    out.member("type", type);
    out.member_raw("input", input);
    out.end_object();
}

// What a completion said, for people to compare.
std::string words_of(const JobCall& call) {
    JsonWriter out;
    out.begin_object();
    if (call.continue_with) {
        write_step(out, call.continue_with->step.type, call.continue_with->step.input);
    } else {
        out.member_raw("output", call.output.value_or("null"));
    }
    out.end_object();
    return out.take();
}

std::string words_of(const Workspace& workspace, const Job& completed) {
    JsonWriter out;
    out.begin_object();
    if (completed.next) {
        const Job* next = workspace.jobs.find(*completed.next);
        const JobBody* input = workspace.bodies.find(*completed.next);
        if (next != nullptr && input != nullptr) {
            write_step(out, next->type, input->payload);
        }
    } else {
        const JobResult* result = workspace.results.find(completed.id);
        out.member_raw("output",
                       result != nullptr && result->output ? *result->output : std::string("null"));
    }
    out.end_object();
    return out.take();
}

Problem other_content(const Workspace& workspace, const Job& job, const JobCall& call) {
    Problem problem{.code = ProblemCode::conflict,
                    .detail = fmt::format("this attempt was ended by a `{}` with other content; "
                                          "nothing was changed",
                                          to_string(call.verb)),
                    .existing_id = job.id,
                    .state = job.status};
    if (call.verb == Verb::complete) {
        const auto first = json::Document::parse(words_of(workspace, job));
        const auto second = json::Document::parse(words_of(call));
        if (first && second) {
            DiffResult diff = json_diff(first->root(), second->root());
            problem.diff_json = std::move(diff.patch_json);
            problem.diff_truncated = diff.truncated;
        }
    }
    return problem;
}

}  // namespace

JobAnswer answer_for(const Job& job) {
    JobAnswer answer{.id = job.id, .status = job.status, .token = job.token, .next = job.next};
    if (job.lease) {
        answer.lease_until = job.lease->until;
    }
    return answer;
}

Item<JobAnswer> answer_repeat(const Workspace& workspace, const Job& job, const JobCall& call) {
    if (!job.settled || job.settled->verb != call.verb) {
        return Problem{.code = ProblemCode::wrong_state,
                       .detail = fmt::format("this attempt has ended already: the job is {}",
                                             to_string(job.status)),
                       .state = job.status};
    }
    if (job.settled->content != content_of(call)) {
        return other_content(workspace, job, call);
    }
    return JobAnswer{
        .id = job.id, .status = job.settled->status, .token = job.token, .next = job.next};
}

std::optional<Problem> complete(Workspace& workspace, const JobCall& call) {
    if (workspace.jobs.find(call.id)->lease) {
        end_attempt(workspace, call.id, AttemptEnd::completed, "");
    }
    if (call.continue_with) {
        if (auto problem = continue_chain(workspace, call.id, call.continue_with->step)) {
            return problem;
        }
    }
    finish(workspace, call.id, Status::completed);
    std::optional<JobResult> result;
    if (call.output) {
        result = JobResult{.output = call.output, .error_message = {}, .error_code = {}};
    }
    workspace.set_result(call.id, std::move(result));
    workspace.edit_job(call.id).lost_in_a_row = 0;
    return std::nullopt;
}

void remember(Workspace& workspace, const JobCall& call) {
    if (SEMEL_MUTATION(repeat_not_remembered)) {
        return;
    }
    Job& job = workspace.edit_job(call.id);
    job.settled = Settled{call.verb, content_of(call), job.status};
}

}  // namespace semel
