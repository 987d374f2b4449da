// Jobs: the calls of workers over HTTP.
#include <algorithm>

#include <fmt/format.h>

#include "api/action_json.hpp"
#include "api/chain_json.hpp"
#include "api/items.hpp"
#include "api/job_calls.hpp"
#include "api/metrics.hpp"
#include "api/resources.hpp"
#include "base/crash_point.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"
#include "core/names.hpp"

namespace semel {
namespace {

constexpr std::string_view kDefaultWorker = "worker";

std::vector<std::string> read_types(MemberReader& reader) {
    std::vector<std::string> types;
    const auto array = reader.array("types", kItemsMax);
    reader.require("types", array.has_value());
    if (!array) {
        return types;
    }
    if (array->size() == 0) {
        reader.fail("types", "`types` must name at least one type");
    }
    for (const json::Value type : array->elements()) {
        if (!type.is_string() || !is_name(type.as_string())) {
            reader.fail("types",
                        "`types` must hold names of 1 to 255 bytes without control "
                        "characters");
            break;
        }
        types.emplace_back(type.as_string());
    }
    std::sort(types.begin(), types.end());
    types.erase(std::unique(types.begin(), types.end()), types.end());
    return types;
}

ClaimRequest read_claim(MemberReader& reader) {
    ClaimRequest request;
    request.types = read_types(reader);
    request.max = static_cast<int>(
        reader.integer("max", 1, static_cast<std::int64_t>(kItemsMax)).value_or(1));
    request.worker = reader.name("worker").value_or(std::string(kDefaultWorker));
    request.lease = reader.milliseconds("leaseMs", kLeaseMin, kLeaseMax).value_or(kLeaseDefault);
    request.wait = reader.milliseconds("waitMs", Millis(0), kWaitMax).value_or(Millis(0));
    return request;
}

std::string taken_json(const std::vector<TakenJob>& taken) {
    JsonWriter out;
    out.begin_object().begin_array("jobs");
    for (const auto& [job, payload, blockers] : taken) {
        out.begin_object();
        out.member("id", job.id.to_string());
        out.member("tenant", job.tenant);
        out.member("type", job.type);
        out.member("chainId", job.chain.to_string());
        out.member("chainIndex", job.chain_index);
        out.member_raw("input", payload);
        out.member("attempt", job.attempts);
        out.member("token", to_int(job.token));
        write_time(out, "leaseUntil", job.lease->until);
        write_blockers(out, blockers, BlockerOutputs::shown);
        out.end_object();
    }
    out.end_array().end_object();
    return out.take();
}

// The members of one verb's call, without its id.
JobCall read_job_call(MemberReader& reader, Verb verb, const Call& by) {
    JobCall call;
    call.verb = verb;
    const auto token = reader.integer("token", 1, std::numeric_limits<std::int64_t>::max());
    reader.require("token", token.has_value());
    call.token = Token{token.value_or(0)};
    if (verb == Verb::complete) {
        Completion completion =
            read_completion(reader, by.caller.tenant, by.services->node.settings());
        call.output = std::move(completion.output);
        call.continue_with = std::move(completion.continue_with);
    }
    if (verb == Verb::fail) {
        const auto error = reader.text("error", 0, kErrorBytesMax);
        reader.require("error", error.has_value());
        call.error = error.value_or("");
        call.retry_after = reader.milliseconds("retryAfterMs", Millis(0), kDelayMax);
        call.final = reader.boolean("final").value_or(false);
    }
    if (verb == Verb::heartbeat) {
        call.lease = reader.milliseconds("leaseMs", kLeaseMin, kLeaseMax);
    }
    return call;
}

bool is_stale(const Item<JobAnswer>& item) {
    const auto* problem = std::get_if<Problem>(&item);
    return problem != nullptr && problem->code == ProblemCode::stale_token;
}

void count_stale(const SettleJobs::Outcome& items, Metrics& metrics) {
    for (auto left = std::count_if(items.begin(), items.end(), is_stale); left > 0; --left) {
        metrics.on_stale_token();
    }
}

void call_job(Call call, Verb verb) {
    const auto id = call.read_id("job");
    if (!id) {
        return;
    }
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    MemberReader reader(body->root(), "");
    JobCall job_call = read_job_call(reader, verb, call);
    job_call.id = *id;
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    SettleJobs command;
    command.tenant = call.caller.tenant;
    command.calls.emplace_back(std::move(job_call));
    auto services = call.services;
    submit(std::move(call), std::move(command),
           [services = std::move(services)](const SettleJobs::Outcome& items) {
               count_stale(items, services->metrics);
               return job_receipt(items.front());
           });
}

// One item of a settle, with its id as the caller wrote it.
struct SettleItem {
    std::optional<std::string> id;
    Item<JobCall> call;
};

SettleItem read_settle_item(json::Value value, const std::string& pointer, const Call& by) {
    MemberReader reader(value, pointer);
    const auto id = reader.text("id", 0, kNameBytesMax);
    reader.require("id", id.has_value());
    const auto word = reader.text("verb", 0, kNameBytesMax);
    reader.require("verb", word.has_value());
    const auto verb = word ? parse_verb(*word) : std::nullopt;
    if (word && !verb) {
        reader.fail("verb", "`verb` must be complete, fail, heartbeat or release");
    }
    JobCall call = read_job_call(reader, verb.value_or(Verb::complete), by);
    if (auto problem = reader.problem()) {
        return {id, std::move(*problem)};
    }
    const auto job = Uuid::parse(*id);
    if (!job) {
        return {id, not_found("there is no job with this id")};
    }
    call.id = *job;
    return {id, std::move(call)};
}

Receipt settle_receipt(const SettleJobs::Outcome& items,
                       const std::vector<std::optional<std::string>>& ids) {
    JsonWriter out;
    out.begin_object().begin_array("results");
    std::size_t index = 0;
    for (const auto& item : items) {
        const Receipt receipt = job_receipt(item);
        out.begin_object();
        out.member_or_null("id", ids[index]);
        out.member("status", receipt.status);
        out.member_raw("body", receipt.body);
        out.end_object();
        ++index;
    }
    out.end_array().end_object();
    return {.status = 200, .body = out.take()};
}

// Runs on the loop, so that no API token changes between the check and the claim.
void begin_claim(const std::shared_ptr<Services>& services, const std::shared_ptr<OpenPoll>& poll,
                 ClaimRequest request, Answer answer) {
    if (!services->lets_in(poll->caller)) {
        answer.problem(no_longer_let_in());
        return;
    }
    if (poll->is_gone) {
        answer.json(200, taken_json({}));
        return;
    }
    Node& node = services->node;
    request.wait = patience_of(poll->caller, request.wait, node.store().now());
    services->polls.add(poll);
    const auto id = node.claim(std::move(request), [services, poll, answer = std::move(answer)](
                                                       Result<std::vector<TakenJob>> taken) {
        services->polls.remove(poll);
        if (taken) {
            answer.json(200, taken_json(*taken));
            SEMEL_CRASH_POINT_IF(!taken->empty(), claim_answered);
        } else {
            answer.error(taken.error());
        }
    });
    poll->cancel = [&node, id] { node.cancel_claim(id); };
}

}  // namespace

void claim_jobs(Call&& call) {
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    MemberReader reader(body->root(), "");
    ClaimRequest request = read_claim(reader);
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    request.tenant = call.caller.tenant;
    const auto poll = open_poll(call);  // a disconnected client must get no job
    call.services->node.post([services = call.services, poll, request = std::move(request),
                              answer = std::move(call.answer)]() mutable {
        begin_claim(services, poll, std::move(request), std::move(answer));
    });
}

void complete_job(Call&& call) {
    call_job(std::move(call), Verb::complete);
}

void fail_job(Call&& call) {
    call_job(std::move(call), Verb::fail);
}

void heartbeat_job(Call&& call) {
    call_job(std::move(call), Verb::heartbeat);
}

void release_job(Call&& call) {
    call_job(std::move(call), Verb::release);
}

void settle_jobs(Call&& call) {
    SettleJobs command;
    command.tenant = call.caller.tenant;
    std::vector<std::optional<std::string>> ids;
    const bool is_read = each_item(call, [&](json::Value item, const std::string& pointer) {
        SettleItem read = read_settle_item(item, pointer, call);
        ids.push_back(std::move(read.id));
        command.calls.push_back(std::move(read.call));
    });
    if (!is_read) {
        return;
    }
    auto services = call.services;
    submit(
        std::move(call), std::move(command),
        [services = std::move(services), ids = std::move(ids)](const SettleJobs::Outcome& settled) {
            count_stale(settled, services->metrics);
            return settle_receipt(settled, ids);
        });
}

}  // namespace semel
