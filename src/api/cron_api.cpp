// The cron trigger, for hosts that scale to zero: a request that runs due work and waits for its
// end.
#include "api/action_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "base/hash.hpp"

namespace semel {
namespace {

constexpr std::int64_t kLimitDefault = 100;
constexpr std::int64_t kLimitMax = 1000;

void refuse(const Answer& answer, int status, std::string_view code, std::string_view message) {
    JsonWriter out;
    out.begin_object();
    out.member("success", false);
    out.member("error", code);
    out.member("message", message);
    out.end_object();
    // Not a problem document: schedulers that call this know this shape.
    answer.send(
        {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = out.take()});
}

// Returns false after it has answered the call.
bool check_secret(const Call& call) {
    const std::string& secret = call.services->options.cron_secret;
    if (secret.empty()) {
        refuse(call.answer, 500, "CRON_SECRET_NOT_CONFIGURED",
               "set actions.cron_secret in the config, and send it as x-cron-secret");
        return false;
    }
    const std::string* given = call.request.header("x-cron-secret");
    if (given == nullptr || call.request.count("x-cron-secret") > 1 ||
        !constant_time_equal(*given, secret)) {
        refuse(call.answer, 401, "INVALID_CRON_SECRET",
               "the header x-cron-secret is missing or is not the configured secret");
        return false;
    }
    return true;
}

std::string report_json(const Node::ProcessedWork& work, std::chrono::milliseconds took, Time now) {
    JsonWriter out;
    out.begin_object().member("success", true).begin_object("data");
    out.begin_object("processing");
    out.member("processed", work.round.processed());
    out.member("succeeded", work.round.succeeded);
    out.member("failed", work.round.errors.size());
    out.begin_array("errors");
    for (const auto& [id, error] : work.round.errors) {
        out.begin_object();
        out.member("actionId", id.to_string()).member("error", error);
        out.end_object();
    }
    out.end_array().end_object();
    out.begin_object("cleanup").member("deletedCount", work.deleted).end_object();
    out.member("executionTime", static_cast<std::int64_t>(took.count()));
    out.end_object();
    out.begin_object("info");
    write_time(out, "timestamp", now);
    out.end_object().end_object();
    return out.take();
}

}  // namespace

void process_due(Call&& call) {
    if (!check_secret(call)) {
        return;
    }
    QueryReader reader(call.request.query);
    const auto limit = reader.integer("limit", 1, kLimitMax).value_or(kLimitDefault);
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    Node& node = call.services->node;
    const auto began = std::chrono::steady_clock::now();
    node.post([&node, limit, began, answer = std::move(call.answer)] {
        node.process_due(static_cast<int>(limit), [&node, began, answer](
                                                      const Result<Node::ProcessedWork>& work) {
            if (!work) {
                answer.error(work.error());
                return;
            }
            const auto took = std::chrono::steady_clock::now() - began;
            answer.json(200, report_json(*work, std::chrono::duration_cast<Millis>(took),
                                         node.store().now()));
        });
    });
}

}  // namespace semel
