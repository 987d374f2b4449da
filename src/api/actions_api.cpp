// Actions: schedule, list, show, run, retry, cancel, resolve.
#include <fmt/format.h>

#include "api/action_json.hpp"
#include "api/items.hpp"
#include "api/page_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "api/scheduled_json.hpp"
#include "core/actions/action_request.hpp"
#include "core/actions/filter_status.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

struct ListRequest {
    ActionFilter filter;
    IdPage page;
    WalkFields walk;
};

std::variant<ListRequest, Problem> read_list_request(const Call& call) {
    QueryReader reader(call.request.query);
    ListRequest request;
    const auto status = reader.text("status");
    if (status) {
        request.filter.status = read_filter_status(*status, [&reader](const std::string& why) {
            reader.fail("the query parameter `status` " + why);
        });
    }
    request.filter.type = reader.name("type");
    request.filter.lock_group = reader.name("lockGroup");
    request.filter.chain = reader.uuid("chainId");
    request.filter.from = reader.time("from");
    request.filter.to = reader.time("to");
    request.filter.schedule_name = reader.name("scheduleName");
    const ActionFilter& filter = request.filter;
    request.walk = {"actions",
                    call.caller.tenant,
                    status.value_or(""),
                    filter.type.value_or(""),
                    filter.lock_group.value_or(""),
                    filter.schedule_name.value_or(""),
                    filter.chain ? filter.chain->to_string() : "",
                    time_field(filter.from),
                    time_field(filter.to)};
    auto page = read_id_page(reader, request.walk);
    if (auto* problem = std::get_if<Problem>(&page)) {
        return std::move(*problem);
    }
    request.page = std::get<IdPage>(page);
    return request;
}

std::string actions_json(const std::vector<ActionView>& actions, const ListRequest& request) {
    return page_json(
        actions, request.page.limit, request.walk,
        [](JsonWriter& out, const ActionView& action) { write_action(out, action); },
        [](const ActionView& action) { return action.job.id; });
}

// Asks the loop which lanes have a worker, then answers.
void answer_details(const std::shared_ptr<Services>& services, ActionDetails details,
                    std::optional<Job> head, Answer answer) {
    services->node.post([services, details = std::move(details), head = std::move(head),
                         answer = std::move(answer)] {
        const Node& node = services->node;
        const Job& job = details.view.job;
        Surroundings surroundings;
        surroundings.now = services->node.store().now();
        surroundings.has_worker = node.has_worker({job.tenant, job.type});
        surroundings.blockers = details.blockers;
        if (head) {
            surroundings.group_head = GroupHead{*head, node.has_worker({head->tenant, head->type})};
        }
        answer.json(200, action_details_json(details, waiting_for(job, surroundings)));
    });
}

Receipt operated_receipt(const ActionView& action) {
    JsonWriter out;
    out.begin_object();
    out.member("id", action.job.id.to_string());
    out.member("status", to_string(action.job.status));
    out.key("action");
    write_action(out, action);
    out.end_object();
    return {.status = 200, .body = out.take()};
}

void operate(Call call, Operation operation, bool force) {
    const auto id = call.read_id("action");
    if (!id) {
        return;
    }
    OperateAction command;
    command.tenant = call.caller.tenant;
    command.id = *id;
    command.operation = operation;
    command.force = force;
    submit(std::move(call), std::move(command), operated_receipt);
}

// For a call without options: its body is {} or absent.
void operate_without_options(Call call, Operation operation) {
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    if (auto problem = MemberReader(body->root(), "").problem()) {
        call.answer.problem(*problem);
        return;
    }
    operate(std::move(call), operation, false);
}

}  // namespace

void schedule_action(Call&& call) {
    submit_one<ScheduleActions>(std::move(call), read_action_request, schedule_receipt);
}

void schedule_batch(Call&& call) {
    submit_items<ScheduleActions>(std::move(call), read_action_request, batch_receipt);
}

void list_actions(Call&& call) {
    auto read = read_list_request(call);
    if (auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    auto& request = std::get<ListRequest>(read);
    ActionFilter filter = request.filter;
    const auto before = request.page.before;
    const int limit = request.page.limit + 1;
    call.services->node.store().reads().list_actions(
        call.caller.tenant, std::move(filter), before, limit,
        [request = std::move(request),
         answer = std::move(call.answer)](Result<std::vector<ActionView>> actions) {
            if (!actions) {
                answer.error(actions.error());
                return;
            }
            answer.json(200, actions_json(*actions, request));
        });
}

void show_action(Call&& call) {
    const auto id = call.read_id("action");
    if (!id) {
        return;
    }
    auto& reads = call.services->node.store().reads();
    const std::string tenant = call.caller.tenant;
    reads.get_action(
        tenant, *id, [call = std::move(call)](Result<std::optional<ActionDetails>> found) {
            if (!found) {
                call.answer.error(found.error());
                return;
            }
            if (!*found) {
                call.answer.problem(not_found("there is no action with this id"));
                return;
            }
            ActionDetails details = std::move(**found);
            const auto head = details.group_head;
            if (details.view.job.place != Place::waiting || !head) {
                answer_details(call.services, std::move(details), std::nullopt, call.answer);
                return;
            }
            call.services->node.store().reads().get_action(
                call.caller.tenant, *head,
                [call, details](Result<std::optional<ActionDetails>> found_head) {
                    std::optional<Job> job;
                    if (found_head && *found_head) {
                        job = (*found_head)->view.job;
                    }
                    answer_details(call.services, details, std::move(job), call.answer);
                });
        });
}

void run_action(Call&& call) {
    operate_without_options(std::move(call), Operation::run_now);
}

void retry_action(Call&& call) {
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    MemberReader reader(body->root(), "");
    const bool force = reader.boolean("force").value_or(false);
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    operate(std::move(call), Operation::retry, force);
}

void cancel_action(Call&& call) {
    operate_without_options(std::move(call), Operation::cancel);
}

void resolve_action(Call&& call) {
    const auto id = call.read_id("action");
    if (!id) {
        return;
    }
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    ResolveAction command;
    command.tenant = call.caller.tenant;
    command.id = *id;
    MemberReader reader(body->root(), "");
    reader.require("outcome", reader.word("outcome", parse_resolution, "completed, failed or retry",
                                          command.resolution));
    const auto reason = reader.text("reason", 1, kErrorBytesMax);
    reader.require("reason", reason.has_value());
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    command.reason = *reason;
    submit(std::move(call), std::move(command), operated_receipt);
}

}  // namespace semel
