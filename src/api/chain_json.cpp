#include "api/chain_json.hpp"

#include "api/action_json.hpp"
#include "api/answer.hpp"

namespace semel {
namespace {

// The usual bytes of a chain without its input and output.
constexpr std::size_t kUsualChainBytes = 512;

enum class Width { whole, brief };

void write_members(JsonWriter& out, const ChainView& chain, Width width) {
    out.member("id", chain.first.id.to_string());
    out.member("type", chain.first.type);
    out.member("tenant", chain.first.tenant);
    if (width == Width::whole) {
        out.member_raw("input", chain.input.payload);
    }
    out.member("status", to_string(chain.last.status));
    if (width == Width::whole) {
        out.member_raw_or_null("output", chain.result.output);
        out.member_or_null("errorMessage", chain.result.error_message);
    }
    out.member("chainIndex", chain.last.chain_index);
    write_time(out, "createdAt", chain.first.created_at);
    write_time(out, "completedAt", chain.last.completed_at);
}

void write_started(JsonWriter& out, const StartedChain& started, Width width) {
    out.begin_object("chain");
    if (started.purged) {
        out.member("id", started.chain.first.id.to_string());
        out.member("status", to_string(started.chain.last.status));
        out.member("purged", true);
    } else {
        write_members(out, started.chain, width);
    }
    out.end_object();
    out.member("deduplicated", started.deduplicated);
    if (!started.purged) {
        out.member("inputDiffers", started.input_differs);
    }
}

}  // namespace

void write_chain(JsonWriter& out, const ChainView& chain) {
    out.begin_object();
    write_members(out, chain, Width::whole);
    out.end_object();
}

std::string chain_json(const ChainView& chain) {
    JsonWriter out(kUsualChainBytes + chain.input.payload.size());
    out.begin_object().key("chain");
    write_chain(out, chain);
    out.end_object();
    return out.take();
}

Receipt start_receipt(const StartChains::Outcome& items) {
    const auto& item = items.front();
    if (const auto* problem = std::get_if<Problem>(&item)) {
        return problem_receipt(*problem, decision_of(*problem));
    }
    const auto& started = std::get<StartedChain>(item);
    JsonWriter out(kUsualChainBytes + started.chain.input.payload.size());
    out.begin_object();
    write_started(out, started, Width::whole);
    out.end_object();
    return {.status = started.deduplicated ? 200 : 201, .body = out.take()};
}

Receipt start_batch_receipt(const StartChains::Outcome& items) {
    JsonWriter out;
    out.begin_object().begin_array("results");
    for (const auto& item : items) {
        out.begin_object();
        if (const auto* problem = std::get_if<Problem>(&item)) {
            out.member_raw("error", problem_json(*problem, decision_of(*problem)));
        } else {
            write_started(out, std::get<StartedChain>(item), Width::brief);
        }
        out.end_object();
    }
    out.end_array().end_object();
    return {.status = 200, .body = out.take()};
}

Problem no_such_chain() {
    return not_found("there is no chain with this id");
}

HttpProblem still_running(const ChainView& chain) {
    HttpProblem problem({.code = ProblemCode::in_progress,
                         .detail = "the chain did not end in the time that was given; ask again",
                         .state = chain.last.status},
                        408);
    JsonWriter out;
    write_chain(out, chain);
    problem.chain = out.take();
    problem.title = "The chain has not ended";
    return problem;
}

void write_blockers(JsonWriter& out, const std::vector<BlockerView>& blockers,
                    BlockerOutputs outputs) {
    out.begin_array("blockers");
    for (const BlockerView& blocker : blockers) {
        out.begin_object();
        out.member("id", blocker.id.to_string());
        out.member("type", blocker.type);
        out.key("status");
        if (blocker.status) {
            out.string(to_string(*blocker.status));
        } else {
            out.null();
        }
        if (outputs == BlockerOutputs::shown) {
            out.member_raw_or_null("output", blocker.output);
        }
        out.end_object();
    }
    out.end_array();
}

}  // namespace semel
