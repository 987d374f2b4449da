#include "cli/work/jobs_api.hpp"

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

// Added to the wait of a long poll, for the network and a busy server.
constexpr Millis kSlack = std::chrono::seconds(10);

CallOutcome outcome_of(int status, const std::string& code, const std::string& message) {
    if (status < 300) return {};
    if (status == 408 || status == 425 || status == 429 || status >= 500) {
        return {CallEnd::unreachable, message};
    }
    // The job is deleted, has ended, or has another owner.
    const bool is_lost = status == 404 || code == "stale_token" || code == "wrong_state";
    return {is_lost ? CallEnd::lost : CallEnd::refused, message, status};
}

CallOutcome outcome_of(const Result<net::Response>& response) {
    if (!response) {
        return {CallEnd::unreachable, response.error().message()};
    }
    if (response->status < 300) {
        return {};
    }
    const auto parsed = parse_answer(response->body);
    return outcome_of(response->status, parsed ? text_at(parsed->root(), "code") : "",
                      describe_problem(*response));
}

ApiCall post_call(std::string target, std::string body, Millis timeout) {
    ApiCall call;
    call.method = "POST";
    call.target = std::move(target);
    call.body = std::move(body);
    call.timeout = timeout;
    return call;
}

std::optional<ClaimedJob> read_job(json::Value value) {
    ClaimedJob job;
    job.id = text_at(value, "id");
    job.type = text_at(value, "type");
    job.tenant = text_at(value, "tenant");
    if (const auto input = value.find("input")) {
        job.input = std::string(input->raw());
    }
    const auto attempt = value.find("attempt");
    const auto token = value.find("token");
    if (job.id.empty() || !attempt || !token || !token->as_int64()) {
        return std::nullopt;
    }
    job.attempt = attempt->as_int64().value_or(0);
    job.token = *token->as_int64();
    job.chain_id = text_at(value, "chainId");
    if (const auto index = value.find("chainIndex")) {
        job.chain_index = index->as_int64().value_or(0);
    }
    if (const auto blockers = value.find("blockers")) {
        job.blockers = std::string(blockers->raw());
    }
    return job;
}

bool read_jobs(const std::string& body, std::vector<ClaimedJob>& jobs) {
    const auto parsed = parse_answer(body);
    const auto list = parsed ? parsed->root().find("jobs") : std::nullopt;
    if (!list || !list->is_array()) {
        return false;
    }
    for (const json::Value element : list->elements()) {
        auto job = read_job(element);
        if (!job) {
            return false;
        }
        jobs.push_back(*std::move(job));
    }
    return true;
}

}  // namespace

CallOutcome JobsApi::claim(const ClaimCall& call, std::vector<ClaimedJob>& jobs) {
    JsonWriter body;
    body.begin_object().begin_array("types");
    for (const std::string& type : call.types) {
        body.value(type);
    }
    body.end_array().member("max", call.max).member("worker", call.worker);
    body.member("leaseMs", call.lease.count()).member("waitMs", call.wait.count()).end_object();
    const auto response =
        caller_->call(post_call("/v1/jobs/claim", body.take(), call.wait + kSlack));
    CallOutcome outcome = outcome_of(response);
    if (outcome.end == CallEnd::lost) {
        outcome.end = CallEnd::refused;  // there is no job yet that could be lost
    }
    if (outcome.end == CallEnd::accepted && !read_jobs(response->body, jobs)) {
        // Claimed jobs become due again when their leases end.
        jobs.clear();
        return {CallEnd::unreachable, "the answer to a claim is not what Semel gives"};
    }
    return outcome;
}

CallOutcome JobsApi::post(const ClaimedJob& job, const char* verb, std::string body) {
    return outcome_of(caller_->call(
        post_call("/v1/jobs/" + percent_encode(job.id) + "/" + verb, std::move(body), kSlack)));
}

CallOutcome JobsApi::complete(const ClaimedJob& job, const std::optional<std::string>& output) {
    JsonWriter body;
    body.begin_object().member("token", job.token);
    if (output) {
        body.member_raw("output", *output);
    }
    return post(job, "complete", body.end_object().take());
}

CallOutcome JobsApi::fail(const ClaimedJob& job, const std::string& error, bool is_final) {
    JsonWriter body;
    body.begin_object().member("token", job.token).member("error", error);
    if (is_final) {
        body.member("final", true);
    }
    return post(job, "fail", body.end_object().take());
}

CallOutcome JobsApi::release(const ClaimedJob& job) {
    JsonWriter body;
    body.begin_object().member("token", job.token).end_object();
    return post(job, "release", body.take());
}

std::vector<CallOutcome> JobsApi::heartbeat(const std::vector<ClaimedJob>& jobs, Millis lease,
                                            Millis timeout) {
    JsonWriter body;
    body.begin_object().begin_array("items");
    for (const ClaimedJob& job : jobs) {
        body.begin_object().member("id", job.id).member("verb", "heartbeat");
        body.member("token", job.token).member("leaseMs", lease.count()).end_object();
    }
    body.end_array().end_object();
    const auto response = caller_->call(post_call("/v1/jobs/settle", body.take(), timeout));
    CallOutcome whole = outcome_of(response);
    std::vector<CallOutcome> outcomes(jobs.size(), whole);
    if (whole.end != CallEnd::accepted) {
        return outcomes;
    }
    const auto parsed = parse_answer(response->body);
    const auto results = parsed ? parsed->root().find("results") : std::nullopt;
    if (!results || !results->is_array() || results->size() != jobs.size()) {
        return std::vector<CallOutcome>(
            jobs.size(),
            {CallEnd::unreachable, "the answer to heartbeats is not what Semel gives"});
    }
    std::size_t index = 0;
    for (const json::Value result : results->elements()) {
        const auto status = result.find("status");
        const auto answer = result.find("body");
        outcomes[index++] = outcome_of(
            static_cast<int>(status ? status->as_int64().value_or(500) : 500),
            answer ? text_at(*answer, "code") : "", answer ? text_at(*answer, "detail") : "");
    }
    return outcomes;
}

}  // namespace semel::cli
