#include "sim/pass_simulation.hpp"

#include <memory>

#include "base/assert.hpp"
#include "sim/machines.hpp"
#include "sim/pass_clients.hpp"
#include "store/clocks/store_clock.hpp"

namespace semel::sim {
namespace {

constexpr int kEventsMax = 400'000;  // more is a busy loop
constexpr Micros kLookEvery = std::chrono::seconds(5);
constexpr Micros kRestMax = std::chrono::minutes(30);  // after the faults
constexpr Micros kStopMax = std::chrono::minutes(2);
constexpr Millis kGrace = std::chrono::seconds(5);

class PassSimulation final : public PassServer {
public:
    PassSimulation(const Plan& plan, bool print_trace)
        : plan_(plan),
          trace_(print_trace),
          world_(plan.seed ^ 0x5EED5EED5EED5EEDULL, plan.begin, trace_),
          context_{plan, world_, trace_, result_.sometimes},
          wake_channel_(context_),
          database_([this] { return clock_->now(); }),
          checker_(context_, database_),
          upstream_(context_, checker_),
          clients_(context_, checker_, upstream_, *this),
          machines_(context_, hooks()) {}

    PassProcess* process() override { return machines_.any(); }

    RunResult run() {
        try {
            play();
        } catch (const AssertionFailed& failed) {
            checker_.fail(Invariant::assertion, failed.what());
        }
        result_.hash = trace_.hash();
        result_.violation = checker_.violation();
        result_.recent.assign(trace_.recent().begin(), trace_.recent().end());
        return std::move(result_);
    }

private:
    void play() {
        start_clock();
        machines_.start_all();
        clients_.start();
        machines_.begin_mischief();
        run_until(plan_.duration);
        trace_.line("the faults end");
        context_.faults_on = false;
        machines_.start_all();
        rest();
        stop();
        if (!checker_.violation()) checker_.check_rest(machines_.first().node().store());
    }

    // The clock of a store with one node is that node's, and begins anew with it.
    void start_clock() {
        clock_ = std::make_unique<StoreClock>([this] { return world_.clocks(); }, last_time_);
    }

    Machines<PassProcess>::Hooks hooks() {
        return {.starts =
                    [this] {
                        if (plan_.nodes == 1) start_clock();
                    },
                .make =
                    [this](ProcessId number, std::function<void()> crash) {
                        return std::make_unique<PassProcess>(context_, checker_,
                                                             Shared{database_, wake_channel_},
                                                             number, std::move(crash));
                    },
                .crashed = [this](ProcessId process) { checker_.process_crashed(process); },
                .is_gone = [this] { last_time_ = database_.now(); },
                .anyone_runs = [this] { return checker_.anyone_holds(); }};
    }

    void run_until(Micros end) {
        while (!is_over() && world_.run_next(end)) {
            ++result_.events;
            machines_.crash_wanted();
        }
        if (result_.events >= kEventsMax) {
            checker_.fail(Invariant::live, "the engine is busy without end");
        }
    }

    [[nodiscard]] bool is_over() const {
        return checker_.violation().has_value() || result_.events >= kEventsMax;
    }

    // What is never finished is found by check_rest().
    void rest() {
        const Micros end = world_.now() + kRestMax;
        while (!is_over() && world_.now() < end &&
               !(clients_.all_done() && checker_.all_finished())) {
            run_until(world_.now() + kLookEvery);
        }
    }

    void stop() {
        if (is_over()) {
            return;
        }
        int stopped = 0;
        machines_.stop_all(kGrace, [&] { ++stopped; });
        run_until(world_.now() + kStopMax);
        if (stopped < plan_.nodes && !is_over()) {
            checker_.fail(Invariant::live, "the engine does not stop");
        }
    }

    const Plan& plan_;
    RunResult result_;
    Trace trace_;
    World world_;
    Context context_;
    Time last_time_;
    std::unique_ptr<StoreClock> clock_;
    WakeChannel wake_channel_;
    Database database_;
    PassChecker checker_;
    UpstreamModel upstream_;
    PassClients clients_;
    Machines<PassProcess> machines_;
};

}  // namespace

RunResult run_passes(const Plan& plan, bool print_trace) {
    return PassSimulation(plan, print_trace).run();
}

}  // namespace semel::sim
