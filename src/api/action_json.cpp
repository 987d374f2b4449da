#include "api/action_json.hpp"

#include "api/chain_json.hpp"

namespace semel {
namespace {

void write_occurrence(JsonWriter& out, const std::optional<Occurrence>& occurrence) {
    if (!occurrence) {
        out.member_null("scheduleName").member_null("slot");
        out.member_null("recurringInterval").member_null("recurrenceType");
        return;
    }
    out.member("scheduleName", occurrence->name);
    write_time(out, "slot", occurrence->slot);
    out.member("recurringInterval", occurrence->interval);
    out.member("recurrenceType", to_string(occurrence->type));
}

void write_members(JsonWriter& out, const ActionView& action) {
    const Job& job = action.job;
    out.member("id", job.id.to_string());
    out.member("tenant", job.tenant);
    out.member("type", job.type);
    out.member("status", to_string(job.status));
    if (job.settling) {
        out.member("settling", true);
    }
    out.member_raw("payload", action.body.payload);
    out.member_raw_or_null("output", action.result.output);
    out.member_or_null("errorMessage", action.result.error_message);
    out.member_or_null("errorCode", action.result.error_code);
    out.member("attempts", job.attempts);
    out.key("maxRetries");
    if (job.max_retries == kUnlimitedRetries) {
        out.null();
    } else {
        out.integer(job.max_retries);
    }
    out.key("lockGroup");
    if (job.lock_group.empty()) {
        out.null();
    } else {
        out.string(job.lock_group);
    }
    out.member("priority", job.priority);
    write_time(out, "scheduledAt", job.scheduled_at);
    write_time(out, "startedAt", job.started_at);
    write_time(out, "completedAt", job.completed_at);
    write_time(out, "createdAt", job.created_at);
    write_time(out, "updatedAt", job.updated_at);
    write_occurrence(out, job.occurrence);
    out.key("supersededBy");
    if (job.superseded_by) {
        out.string(job.superseded_by->to_string());
    } else {
        out.null();
    }
    write_time(out, "uniqueUntil", job.unique_until);
    out.member("chainId", job.chain.to_string());
    out.member("chainIndex", job.chain_index);
    out.member_raw("backoff", job.backoff.to_json());
    out.key("timeoutMs");
    if (job.timeout) {
        out.integer(job.timeout->count());
    } else {
        out.null();
    }
}

void write_attempt(JsonWriter& out, const Attempt& attempt) {
    out.begin_object();
    out.member("attempt", attempt.number);
    out.member("worker", attempt.worker);
    out.member("token", to_int(attempt.token));
    write_time(out, "startedAt", attempt.started_at);
    write_time(out, "endedAt", attempt.ended_at);
    out.member("outcome", to_string(attempt.end));
    out.key("error");
    if (attempt.error.empty()) {
        out.null();
    } else {
        out.string(attempt.error);
    }
    out.end_object();
}

void write_running_attempt(JsonWriter& out, const Job& job) {
    out.begin_object();
    out.member("attempt", job.attempts);
    out.member("worker", job.lease->worker);
    out.member("token", to_int(job.token));
    write_time(out, "startedAt", job.lease->started_at);
    out.member_null("endedAt");
    out.member("outcome", "running");
    out.member_null("error");
    write_time(out, "leaseUntil", job.lease->until);
    write_time(out, "timeoutAt", job.lease->timeout_at);
    out.end_object();
}

}  // namespace

void write_time(JsonWriter& out, std::string_view name, const std::optional<Time>& time) {
    out.key(name);
    if (time) {
        out.string(format_rfc3339(*time));
    } else {
        out.null();
    }
}

void write_action(JsonWriter& out, const ActionView& action) {
    out.begin_object();
    write_members(out, action);
    out.end_object();
}

void write_step(JsonWriter& out, const StepView& step) {
    out.begin_object();
    write_members(out, step.view);
    write_blockers(out, step.blockers, BlockerOutputs::left_out);
    out.end_object();
}

std::string action_details_json(const ActionDetails& details,
                                const std::optional<WaitingFor>& waiting_for) {
    JsonWriter out;
    out.begin_object();
    write_members(out, details.view);
    out.begin_array("history");
    for (const Attempt& attempt : details.history) {
        write_attempt(out, attempt);
    }
    if (details.view.job.lease) {
        write_running_attempt(out, details.view.job);
    }
    out.end_array();
    write_blockers(out, details.blockers, BlockerOutputs::left_out);
    out.key("waitingFor");
    if (waiting_for) {
        write_waiting_for(out, *waiting_for);
    } else {
        out.null();
    }
    out.end_object();
    return out.take();
}

}  // namespace semel
