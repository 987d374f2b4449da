#include "sim/simulation.hpp"

#include <memory>

#include "base/assert.hpp"
#include "sim/checker.hpp"
#include "sim/clients.hpp"
#include "sim/fence_clients.hpp"
#include "sim/machines.hpp"
#include "sim/pass_simulation.hpp"
#include "sim/workers.hpp"
#include "store/clocks/store_clock.hpp"

namespace semel::sim {
namespace {

constexpr int kEventsMax = 400'000;                     // more is a busy loop
constexpr Micros kSettling = std::chrono::seconds(45);  // after the faults, before liveness counts
constexpr Micros kLiveEvery = std::chrono::seconds(3);
constexpr Micros kRestMax = std::chrono::minutes(15);  // after the faults
constexpr Micros kStopMax = std::chrono::minutes(2);

class Simulation final : public Server {
public:
    Simulation(const Plan& plan, bool print_trace)
        : plan_(plan),
          trace_(print_trace),
          world_(plan.seed ^ 0x5EED5EED5EED5EEDULL, plan.begin, trace_),
          context_{plan, world_, trace_, result_.sometimes},
          checker_(context_),
          wake_channel_(context_),
          database_([this] { return clock_->now(); }),
          users_(context_, checker_, database_),
          clients_(context_, checker_, *this),
          fence_clients_(context_, checker_, *this),
          machines_(context_, hooks()) {
        for (const WorkerPlan& worker : plan.workers) {
            const int number = static_cast<int>(workers_.size()) + 1;
            workers_.emplace_back(context_, checker_, *this, users_, worker, number);
        }
    }

    Process* process() override { return machines_.any(); }

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
        fence_clients_.start();
        users_.start();
        for (Worker& worker : workers_) worker.start();
        machines_.begin_mischief();
        run_until(plan_.duration);
        end_faults();
        rest();
        stop();
        if (!checker_.violation()) checker_.check_rest(machines_.first().node().store());
    }

    // ---- the machines ------------------------------------------------------------------------

    // The clock of a store with one node is that node's, and begins anew with it; several go by
    // the clock of their database.
    void start_clock() {
        clock_ = std::make_unique<StoreClock>([this] { return world_.clocks(); }, last_time_);
        checker_.clock_started(database_.now());
    }

    Machines<Process>::Hooks hooks() {
        return {.starts =
                    [this] {
                        if (plan_.nodes == 1) start_clock();
                        checker_.process_started();
                    },
                .make =
                    [this](ProcessId number, std::function<void()> crash) {
                        return std::make_unique<Process>(context_, checker_,
                                                         Shared{database_, wake_channel_}, users_,
                                                         number, std::move(crash));
                    },
                .crashed = [this](ProcessId) { checker_.process_crashed(); },
                .is_gone = [this] { last_time_ = database_.now(); },
                .anyone_runs = [this] { return checker_.anyone_runs(); }};
    }

    // ---- time -----------------------------------------------------------------------------

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

    // ---- the end --------------------------------------------------------------------------

    void end_faults() {
        trace_.line("the faults end");
        context_.faults_on = false;
        machines_.start_all();
        for (Worker& worker : workers_) worker.behave();
    }

    void rest() {
        const Micros begin = world_.now();
        // Twice: a request may still be on its way when everything looks finished.
        for (int calm = 0; !is_over() && calm < 2;) {
            const bool is_calm = checker_.all_finished() && clients_.all_done() &&
                                 fence_clients_.all_done() && users_.all_done();
            calm = is_calm ? calm + 1 : 0;
            if (world_.now() >= begin + kSettling) checker_.check_live(database_.now());
            if (world_.now() >= begin + kRestMax) {
                return;  // check_rest says what is unfinished
            }
            run_until(world_.now() + kLiveEvery);
        }
    }

    void stop() {
        if (is_over()) {
            return;
        }
        int stopped = 0;
        machines_.stop_all(std::chrono::seconds(5), [&] { ++stopped; });
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
    Checker checker_;
    Time last_time_;
    std::unique_ptr<StoreClock> clock_;
    WakeChannel wake_channel_;
    Database database_;
    Users users_;
    Clients clients_;
    FenceClients fence_clients_;
    std::deque<Worker> workers_;
    Machines<Process> machines_;
};

}  // namespace

RunResult run(const Plan& plan, bool print_trace) {
    assertions_throw = true;
    return plan.passes.requests.empty() ? Simulation(plan, print_trace).run()
                                        : run_passes(plan, print_trace);
}

}  // namespace semel::sim
