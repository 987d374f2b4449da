#include "core/actions/settle.hpp"

#include <fmt/format.h>

#include "core/actions/attempt_end.hpp"
#include "core/actions/other_content.hpp"
#include "core/chains/chain.hpp"
#include "core/json/canonical_json.hpp"

namespace semel {
namespace {

void add_continuation(FieldHasher& hasher, const Job& job, const Continuation& continuation) {
    const Job next = with_options(job, continuation.step);
    hasher.field("continueWith").field(continuation.fingerprint.to_hex());
    hasher.field(fmt::format("{}", next.max_retries)).field(next.backoff.to_json());
    hasher.field(next.lock_group);
    hasher.field(next.timeout ? fmt::format("{}", next.timeout->count()) : "");
    hasher.field(fmt::format("{}", next.priority));
}

// Returns the hash of a call's content, which separates its repeat from another call with the same
// token. An option with the value that the job would have anyway does not count.
Hash256 content_of(const Job& job, const JobCall& call) {
    FieldHasher hasher("semel.call.v1");
    if (call.output) {
        // PostgreSQL accepts JSON that Semel refuses, such as repeated names: compared by its
        // bytes.
        const auto output = json::Document::parse(*call.output);
        hasher.field(output ? fingerprint(output->root()).to_hex() : *call.output);
    }
    if (call.continue_with) {
        add_continuation(hasher, job, *call.continue_with);
    }
    hasher.field(call.error);
    hasher.field(call.retry_after ? fmt::format("{}", call.retry_after->count()) : "");
    hasher.field(call.final ? "final" : "");
    return hasher.finish();
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
    if (job.settled->content != content_of(job, call)) {
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
    Job& job = workspace.edit_job(call.id);
    job.settled = Settled{call.verb, content_of(job, call), job.status};
}

}  // namespace semel
