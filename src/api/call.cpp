#include "api/call.hpp"

#include <fmt/format.h>

#include "core/json/member_reader.hpp"

namespace semel {

std::optional<json::Document> Call::read_body(json::Limits limits) {
    if (request.body.empty()) {
        request.body = "{}";
    }
    auto parsed = json::Document::parse(std::move(request.body), limits);
    if (!parsed) {
        answer.problem(to_problem(parsed.error()));
        return std::nullopt;
    }
    return std::move(parsed).value();
}

std::optional<Uuid> Call::read_id(std::string_view what) const {
    auto id = Uuid::parse(value);
    if (!id) {
        answer.problem(not_found(fmt::format("there is no {} with this id", what)));
    }
    return id;
}

Problem no_longer_let_in() {
    return {.code = ProblemCode::unauthorized,
            .detail = "an API token is needed that has neither been deleted nor expired"};
}

std::shared_ptr<OpenPoll> open_poll(Call& call) {
    auto poll = std::make_shared<OpenPoll>();
    poll->caller = std::move(call.caller);
    if (call.request.when_gone) {
        call.request.when_gone([&node = call.services->node, poll] {
            node.post([poll] {
                poll->is_gone = true;
                if (poll->cancel) {
                    poll->cancel();
                }
            });
        });
    }
    return poll;
}

}  // namespace semel
