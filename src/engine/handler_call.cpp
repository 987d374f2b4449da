#include "engine/handler_call.hpp"

#include <algorithm>

#include "core/chains/chain_request.hpp"
#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

// Returns the step as the HTTP API accepts it. Its JSON parts were checked before, because raw text
// could end its member.
std::string to_json(const NextStep& next, json::Value options) {
    JsonWriter json;
    json.begin_object();
    json.member("type", next.type).member_raw("input", next.input);
    for (const auto& [name, value] : options.members()) {
        json.member_raw(name, value.raw());
    }
    return json.end_object().take();
}

JobCall call_of(const TakenJob& job, HandlerResult result) {
    JobCall call;
    call.id = job.job.id;
    call.token = job.job.token;
    call.verb = result.completed ? Verb::complete : Verb::fail;
    call.output = std::move(result.output);
    call.error = result.error.substr(0, kErrorBytesMax);
    call.final = result.final;
    if (result.retry_after) {
        call.retry_after = std::clamp(*result.retry_after, Millis(0), kDelayMax);
    }
    return call;
}

}  // namespace

Item<Continuation> read_next(const std::string& tenant, const NextStep& next,
                             const Settings& settings) {
    const auto input = json::Document::parse(next.input);
    const auto options = json::Document::parse(next.options);
    if (!input) {
        return invalid("its input is not JSON: " + input.error().message);
    }
    if (next.input.size() > kOutputBytesMax) {
        return invalid("its input is larger than 1 MiB");
    }
    if (!options || !options->root().is_object()) {
        return invalid("its options are not a JSON object");
    }
    const auto step = json::Document::parse(to_json(next, options->root()));
    if (!step) {
        return invalid(step.error().message);
    }
    return read_continuation(step->root(), tenant, settings, "");
}

HandlerResult refused_step(const Problem& problem) {
    return failed_for_good("what the handler continues with cannot be used: " + problem.detail);
}

JobCall to_call(const TakenJob& job, HandlerResult result, const Settings& settings) {
    if (result.output && result.output->size() > kOutputBytesMax) {
        return call_of(job, failed_for_good("the output is larger than 1 MiB"));
    }
    if (!result.completed || !result.next) {
        return call_of(job, std::move(result));
    }
    if (result.output) {
        return call_of(job, failed_for_good("a job has an output or goes on, not both"));
    }
    auto next = read_next(job.job.tenant, *result.next, settings);
    if (const auto* problem = std::get_if<Problem>(&next)) {
        return call_of(job, refused_step(*problem));
    }
    JobCall call = call_of(job, std::move(result));
    call.continue_with = std::get<Continuation>(std::move(next));
    return call;
}

std::optional<JobCall> after_refusal(const JobCall& call, const Problem& problem) {
    const bool is_about_the_job =
        problem.code == ProblemCode::stale_token || problem.code == ProblemCode::wrong_state ||
        ((problem.code == ProblemCode::not_found || problem.code == ProblemCode::conflict) &&
         problem.pointer.empty());
    if (!call.continue_with || is_about_the_job) {
        return std::nullopt;
    }
    JobCall failure;
    failure.id = call.id;
    failure.token = call.token;
    failure.verb = Verb::fail;
    failure.error = refused_step(problem).error;
    failure.final = true;
    return failure;
}

}  // namespace semel
