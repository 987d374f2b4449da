#include "loads/schedule_load.hpp"

#include <random>

#include "loads/calls.hpp"

namespace semel::loads {
namespace {

constexpr std::int64_t kRecentKeys = 1000;  // duplicates are of these

Result<std::int64_t> fresh_of(const Result<ScheduledAction>& answer) {
    if (!answer) {
        return answer.error();
    }
    return answer->decision == Decision::new_ ? 1 : 0;
}

// Chooses the next key: a new one, or a repeat.
class Keys {
public:
    explicit Keys(const ScheduleLoad& load) : load_(load), last_(load.first) {}

    std::int64_t next() {
        const bool again = last_ > 0 && static_cast<int>(random_() % 100) < load_.duplicates;
        if (!again) {
            return ++last_;
        }
        const auto back = static_cast<std::int64_t>(random_() % kRecentKeys);
        return std::max<std::int64_t>(1, last_ - back);
    }

private:
    const ScheduleLoad& load_;
    std::mt19937_64 random_{1};
    std::int64_t last_;
};

}  // namespace

ActionSpec keyed_action(const ScheduleLoad& load, std::int64_t number) {
    ActionSpec action;
    action.type = kScheduleType;
    action.payload =
        R"({"entityId":")" + load.run + std::to_string(number) + R"(","note":"hello"})";
    action.deduplication.window = std::chrono::hours(1);
    action.tenant = load.tenant;
    return action;
}

Result<Figure> run_schedule_load(BenchNode& node, const ScheduleLoad& load, const Watch& watch) {
    Calls calls(load.callers);
    Keys keys(load);
    Pace pace(watch);
    const double seconds = std::chrono::duration<double>(load.duration).count();
    const Sampler sampler(node.counter());
    while (sampler.seconds() < seconds && pace.go_on(sampler.seconds() / seconds)) {
        const ActionSpec action = keyed_action(load, keys.next());
        if (!calls.begin()) {
            break;
        }
        node.schedule(action, [&calls, began = Sampler::Clock::now()](const auto& answer) {
            calls.end(began, fresh_of(answer));
        });
    }
    calls.wait_for_all();
    if (calls.error()) {
        return *calls.error();
    }
    Figure figure = sampler.end(static_cast<std::int64_t>(calls.waits_ms().size()));
    figure.fresh = calls.fresh();
    set_percentiles(figure, calls.waits_ms());
    return figure;
}

}  // namespace semel::loads
