#include <semel/schedules.hpp>

#include "runtime/host.hpp"
#include "runtime/requests.hpp"

namespace semel {
namespace {

// Executes a command about one schedule, and returns only its refusal.
template <typename Command>
Result<std::optional<Problem>> run(Host& host, Command command) {
    if (auto problem = check_key(command.key)) {
        return problem;
    }
    SEMEL_TRY(reply, host.execute(std::move(command)));
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return std::optional(std::move(*problem));
    }
    return std::optional<Problem>();
}

template <typename Answer>
Answer refused(Problem problem) {
    Answer answer;
    answer.problem = std::move(problem);
    return answer;
}

}  // namespace

Result<PutAnswer> Schedules::put(const RecurringSpec& schedule) {
    auto command = to_command(schedule, host_.node().settings());
    if (auto* problem = std::get_if<Problem>(&command)) {
        return refused<PutAnswer>(std::move(*problem));
    }
    SEMEL_TRY(reply, host_.execute(std::get<PutSchedule>(std::move(command))));
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return refused<PutAnswer>(std::move(*problem));
    }
    const auto& view = std::get<ScheduleView>(reply);
    PutAnswer answer;
    answer.is_new = view.is_new;
    if (view.current) {
        answer.next_at = view.current->scheduled_at;
    }
    return answer;
}

Result<ScheduleAnswer> Schedules::trigger(const std::string& name, const std::string& tenant) {
    const ScheduleKey key{tenant, name};
    if (auto problem = check_key(key)) {
        return refused<ScheduleAnswer>(std::move(*problem));
    }
    SEMEL_TRY(reply, host_.execute(TriggerSchedule{key}));
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return refused<ScheduleAnswer>(std::move(*problem));
    }
    ScheduleAnswer answer;
    answer.id = std::get<ActionView>(reply).job.id;
    return answer;
}

Result<std::optional<Problem>> Schedules::pause(const std::string& name,
                                                const std::string& tenant) {
    return run(host_, PauseSchedule{{tenant, name}, true});
}

Result<std::optional<Problem>> Schedules::resume(const std::string& name,
                                                 const std::string& tenant) {
    return run(host_, PauseSchedule{{tenant, name}, false});
}

Result<std::optional<Problem>> Schedules::remove(const std::string& name,
                                                 const std::string& tenant) {
    return run(host_, DeleteSchedule{{tenant, name}});
}

}  // namespace semel
