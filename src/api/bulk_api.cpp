// Bulk runs: one operation on all actions that match a filter.
#include "api/action_json.hpp"
#include "api/resources.hpp"
#include "core/json/member_reader.hpp"

namespace semel {
namespace {

std::variant<StartBulk, Problem> read_bulk_request(json::Value body, const std::string& tenant) {
    MemberReader reader(body, "");
    StartBulk command;
    command.tenant = tenant;
    const auto filter = reader.object("filter");
    reader.require("filter", filter.has_value());
    reader.require("verb",
                   reader.word("verb", parse_operation, "run, retry or cancel", command.operation));
    command.dry_run = reader.boolean("dryRun").value_or(false);
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    auto read = ActionFilter::from_json(*filter, "/filter");
    if (auto* problem = std::get_if<Problem>(&read)) {
        return std::move(*problem);
    }
    command.filter = std::get<ActionFilter>(std::move(read));
    return command;
}

std::string bulk_json(const BulkRun& bulk_run) {
    JsonWriter out;
    out.begin_object();
    out.member("id", bulk_run.id.to_string());
    out.member("verb", to_string(bulk_run.operation));
    out.member_raw("filter", bulk_run.filter.to_json());
    out.member("dryRun", bulk_run.dry_run);
    out.member("matched", bulk_run.matched);
    out.member("done", bulk_run.done);
    out.begin_array("skipped");
    for (const auto& [reason, count] : bulk_run.skipped) {
        out.begin_object().member("reason", reason).member("count", count).end_object();
    }
    out.end_array();
    write_time(out, "createdAt", bulk_run.created_at);
    write_time(out, "finishedAt", bulk_run.finished_at);
    out.end_object();
    return out.take();
}

}  // namespace

void start_bulk(Call&& call) {
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    auto read = read_bulk_request(body->root(), call.caller.tenant);
    if (auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    auto command = std::get<StartBulk>(std::move(read));
    Reads& reads = call.services->node.store().reads();
    const std::string tenant = command.tenant;
    const ActionFilter filter = command.filter;
    reads.count_actions(
        tenant, filter,
        [call = std::move(call),
         command = std::move(command)](const Result<MatchedActions>& matched) mutable {
            if (!matched) {
                call.answer.error(matched.error());
                return;
            }
            command.matched = *matched;
            submit(std::move(call), std::move(command), [](const BulkRun& bulk_run) -> Receipt {
                return {.status = 202, .body = bulk_json(bulk_run)};
            });
        });
}

void show_bulk(Call&& call) {
    const auto id = call.read_id("bulk run");
    if (!id) {
        return;
    }
    call.services->node.store().reads().get_bulk_run(
        call.caller.tenant, *id,
        [answer = std::move(call.answer)](const Result<std::optional<BulkRun>>& found) {
            if (!found) {
                answer.error(found.error());
            } else if (!*found) {
                answer.problem(not_found("there is no bulk run with this id"));
            } else {
                answer.json(200, bulk_json(**found));
            }
        });
}

}  // namespace semel
