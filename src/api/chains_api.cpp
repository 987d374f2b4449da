// Chains: start, list, show, cancel, delete, complete without a worker.
#include <limits>

#include <fmt/format.h>

#include "api/action_json.hpp"
#include "api/chain_json.hpp"
#include "api/items.hpp"
#include "api/job_calls.hpp"
#include "api/page_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/actions/filter_status.hpp"
#include "core/chains/chain_request.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

struct ChainList {
    ChainFilter filter;
    IdPage page;
    WalkFields walk;
};

std::variant<ChainList, Problem> read_list(const Call& call) {
    QueryReader reader(call.request.query);
    ChainList list;
    const auto status = reader.text("status");
    if (status) {
        list.filter.status = read_filter_status(*status, [&reader](const std::string& why) {
            reader.fail("the query parameter `status` " + why);
        });
    }
    list.filter.type = reader.name("type");
    list.filter.from = reader.time("from");
    list.filter.to = reader.time("to");
    list.walk = {"chains",
                 call.caller.tenant,
                 status.value_or(""),
                 list.filter.type.value_or(""),
                 time_field(list.filter.from),
                 time_field(list.filter.to)};
    auto page = read_id_page(reader, list.walk);
    if (auto* problem = std::get_if<Problem>(&page)) {
        return std::move(*problem);
    }
    list.page = std::get<IdPage>(page);
    return list;
}

// The steps of one chain, from an index on.
struct StepList {
    int from = 0;
    int limit = 0;
    WalkFields walk;
};

std::variant<StepList, Problem> read_step_list(const Call& call, const JobId& chain) {
    QueryReader reader(call.request.query);
    StepList list;
    list.walk = {"steps", call.caller.tenant, chain.to_string()};
    list.limit = read_limit(reader);
    const auto cursor = reader.text("cursor");
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    if (cursor) {
        auto last = read_number_cursor(*cursor, list.walk);
        if (auto* problem = std::get_if<Problem>(&last)) {
            return std::move(*problem);
        }
        const std::int64_t index = std::get<std::int64_t>(last);
        if (index < 0 || index >= std::numeric_limits<int>::max()) {
            return invalid("`cursor` is not one that this list gave out");
        }
        list.from = static_cast<int>(index) + 1;
    }
    return list;
}

std::string chains_json(const std::vector<ChainView>& chains, const ChainList& list) {
    return page_json(chains, list.page.limit, list.walk, write_chain,
                     [](const ChainView& chain) { return chain.first.id; });
}

std::string steps_json(const std::vector<StepView>& steps, const StepList& list) {
    return page_json(steps, list.limit, list.walk, write_step,
                     [](const StepView& step) { return std::int64_t{step.view.job.chain_index}; });
}

Receipt chain_receipt(const ChainView& chain) {
    return {.status = 200, .body = chain_json(chain)};
}

Receipt deleted_receipt(const DeleteChain::Outcome& chains) {
    JsonWriter out;
    out.begin_object().begin_array("deleted");
    for (const JobId& id : chains) out.string(id.to_string());
    out.end_array().end_object();
    return {.status = 200, .body = out.take()};
}

}  // namespace

void start_chain(Call&& call) {
    submit_one<StartChains>(std::move(call), read_chain_request, start_receipt);
}

void start_chains(Call&& call) {
    submit_items<StartChains>(std::move(call), read_chain_request, start_batch_receipt);
}

void list_chains(Call&& call) {
    auto read = read_list(call);
    if (auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    auto& list = std::get<ChainList>(read);
    ChainFilter filter = list.filter;
    const auto before = list.page.before;
    const int limit = list.page.limit + 1;
    call.services->node.store().reads().list_chains(
        call.caller.tenant, std::move(filter), before, limit,
        [list = std::move(list),
         answer = std::move(call.answer)](Result<std::vector<ChainView>> chains) {
            if (chains) {
                answer.json(200, chains_json(*chains, list));
            } else {
                answer.error(chains.error());
            }
        });
}

void show_chain(Call&& call) {
    const auto id = call.read_id("chain");
    if (!id) {
        return;
    }
    call.services->node.store().reads().get_chain(
        call.caller.tenant, *id,
        [answer = std::move(call.answer)](Result<std::optional<ChainView>> found) {
            if (!found) {
                answer.error(found.error());
            } else if (!*found) {
                answer.problem(no_such_chain());
            } else {
                answer.json(200, chain_json(**found));
            }
        });
}

void list_chain_jobs(Call&& call) {
    const auto id = call.read_id("chain");
    if (!id) {
        return;
    }
    auto read = read_step_list(call, *id);
    if (auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    const auto& list = std::get<StepList>(read);
    call.services->node.store().reads().list_steps(
        call.caller.tenant, *id, list.from, list.limit + 1,
        [list, answer = std::move(call.answer)](Result<std::vector<StepView>> steps) {
            if (!steps) {
                answer.error(steps.error());
            } else if (steps->empty() && list.from == 0) {
                answer.problem(no_such_chain());
            } else {
                answer.json(200, steps_json(*steps, list));
            }
        });
}

void cancel_chain(Call&& call) {
    const auto id = call.read_id("chain");
    if (!id) {
        return;
    }
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    if (auto problem = MemberReader(body->root(), "").problem()) {
        call.answer.problem(*problem);
        return;
    }
    CancelChain command{.tenant = call.caller.tenant, .chain = *id};
    submit(std::move(call), std::move(command), chain_receipt);
}

void delete_chain(Call&& call) {
    const auto id = call.read_id("chain");
    if (!id) {
        return;
    }
    QueryReader reader(call.request.query);
    const bool cascade = reader.boolean("cascade").value_or(false);
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    DeleteChain command{.tenant = call.caller.tenant, .chain = *id, .cascade = cascade};
    submit(std::move(call), std::move(command), deleted_receipt);
}

void complete_chain(Call&& call) {
    const auto id = call.read_id("chain");
    if (!id) {
        return;
    }
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    MemberReader reader(body->root(), "");
    const auto index = reader.integer("chainIndex", 0, std::numeric_limits<int>::max());
    reader.require("chainIndex", index.has_value());
    Completion completion =
        read_completion(reader, call.caller.tenant, call.services->node.settings());
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    CompleteChain command;
    command.tenant = call.caller.tenant;
    command.chain = *id;
    command.chain_index = static_cast<int>(*index);
    command.output = std::move(completion.output);
    command.continue_with = std::move(completion.continue_with);
    submit(std::move(call), std::move(command),
           [](const JobAnswer& answer) { return job_receipt(answer); });
}

}  // namespace semel
