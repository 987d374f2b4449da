#include "support/any_command.hpp"

#include <fmt/format.h>

#include "support/rows.hpp"

namespace semel::test {
namespace {

std::string problem_text(const Problem& problem) {
    std::string text =
        fmt::format("{} '{}' at '{}' {} {} {}", to_string(problem.code), problem.detail,
                    problem.pointer, problem.existing_id ? problem.existing_id->to_string() : "-",
                    problem.state ? to_string(*problem.state) : "-", problem.diff_json);
    for (const Uuid& id : problem.dependants) text += " " + id.to_string();
    return text;
}

std::string item_text(const ScheduledAction& answer) {
    std::string text =
        fmt::format("{} replaced {} differs {} purged {} {}", to_string(answer.decision),
                    answer.replaced, answer.payload_differs, answer.purged, to_text(answer.action));
    for (const std::string& name : answer.ignored) text += " ignored " + name;
    if (answer.successor_of) text += " successor of " + answer.successor_of->to_string();
    return text;
}

std::string item_text(const JobAnswer& answer) {
    return fmt::format("{} {} {} {} next {}", answer.id.to_string(), to_string(answer.status),
                       to_int(answer.token), answer.lease_until ? to_ms(*answer.lease_until) : 0,
                       answer.next ? answer.next->to_string() : "-");
}

std::string item_text(const TakenJob& taken) {
    return to_text(taken.job) + taken.payload + to_text(taken.blockers);
}

std::string item_text(const StartedChain& started) {
    return fmt::format("deduplicated {} differs {} purged {} {}", started.deduplicated,
                       started.input_differs, started.purged, to_text(started.chain));
}

std::string item_text(const JobId& id) {
    return id.to_string();
}

template <typename T>
std::string item_text(const Item<T>& item) {
    const auto* problem = std::get_if<Problem>(&item);
    return problem != nullptr ? problem_text(*problem) : item_text(std::get<T>(item));
}

template <typename T>
std::string outcome_text(const std::vector<T>& items) {
    std::string text;
    for (const auto& item : items) text += "\n    " + item_text(item);
    return text;
}

template <typename Row>
std::string outcome_text(const Row& row) {
    return to_text(row);
}

std::string outcome_text(const JobAnswer& answer) {
    return item_text(answer);
}

std::string outcome_text(const Item<FenceAnswer>& item) {
    const auto* answer = std::get_if<FenceAnswer>(&item);
    if (answer == nullptr) {
        return problem_text(std::get<Problem>(item));
    }
    return fmt::format("{} takeover {} retry {} last {} {}", to_string(answer->decision),
                       answer->takeover, answer->retry_after.value_or(Millis(0)).count(),
                       answer->last_version.value_or(-1),
                       answer->claim ? to_text(*answer->claim) : "-");
}

std::string outcome_text(const UpkeepOutcome& outcome) {
    return fmt::format("{} more {} next {}", outcome.count, outcome.more,
                       outcome.next_at ? to_ms(*outcome.next_at) : 0);
}

}  // namespace

bool is_refused(const AnyReply& reply) {
    return std::visit([](const auto& one) { return std::holds_alternative<Problem>(one); }, reply);
}

std::string to_text(const AnyReply& reply) {
    return std::visit(
        [](const auto& one) {
            const auto* problem = std::get_if<Problem>(&one);
            return problem != nullptr ? problem_text(*problem) : outcome_text(std::get<0>(one));
        },
        reply);
}

}  // namespace semel::test
