#include "sim/simulation.hpp"

#include <memory>

#include "base/assert.hpp"
#include "sim/checker.hpp"
#include "sim/clients.hpp"
#include "sim/fence_clients.hpp"
#include "sim/workers.hpp"
#include "store/clocks/store_clock.hpp"

namespace semel::sim {
namespace {

constexpr int kEventsMax = 400'000;                     // more is a busy loop
constexpr Micros kSettling = std::chrono::seconds(45);  // after the faults, before liveness counts
constexpr Micros kLiveEvery = std::chrono::seconds(3);
constexpr Micros kRestMax = std::chrono::minutes(15);  // after the faults
constexpr Micros kStopMax = std::chrono::minutes(2);
constexpr Micros kMischiefEvery = std::chrono::milliseconds(500);

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
          machines_(static_cast<std::size_t>(plan.nodes)) {
        for (const WorkerPlan& worker : plan.workers) {
            const int number = static_cast<int>(workers_.size()) + 1;
            workers_.emplace_back(context_, checker_, *this, users_, worker, number);
        }
    }

    Process* process() override {
        std::vector<Process*> up;
        for (Machine& machine : machines_) {
            if (machine.process) up.push_back(machine.process.get());
        }
        return up.empty() ? nullptr : world_.random().any_of(up);
    }

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
        for (Machine& machine : machines_) start(machine);
        clients_.start();
        fence_clients_.start();
        users_.start();
        for (Worker& worker : workers_) worker.start();
        world_.after(kOutside, kMischiefEvery, [this] { mischief(); });
        run_until(plan_.duration);
        end_faults();
        rest();
        stop();
        if (!checker_.violation()) checker_.check_rest(machines_.front().process->node().store());
    }

    // ---- the machines ------------------------------------------------------------------------

    // Where a node runs, one process after another.
    struct Machine {
        std::unique_ptr<Process> process;
        bool crash_wanted = false;
    };

    // The clock of a store with one node is that node's, and begins anew with it; several go by
    // the clock of their database.
    void start_clock() {
        clock_ = std::make_unique<StoreClock>([this] { return world_.clocks(); }, last_time_);
        checker_.clock_started(database_.now());
    }

    void start(Machine& machine) {
        if (machine.process) {
            return;
        }
        if (plan_.nodes == 1) start_clock();
        trace_.line("process {} starts", ++processes_);
        checker_.process_started();
        machine.process =
            std::make_unique<Process>(context_, checker_, Shared{database_, wake_channel_, users_},
                                      processes_, [&machine] { machine.crash_wanted = true; });
    }

    void crash(Machine& machine) {
        machine.crash_wanted = false;
        if (!machine.process) {
            return;
        }
        trace_.line("process {} is gone", machine.process->number());
        checker_.process_crashed();
        world_.kill(machine.process->number());
        machine.process.reset();
        last_time_ = database_.now();
        world_.after(kOutside, Millis(world_.random().below(3'000)),
                     [this, &machine] { start(machine); });
    }

    // ---- time -----------------------------------------------------------------------------

    void run_until(Micros end) {
        while (!is_over() && world_.run_next(end)) {
            ++result_.events;
            for (Machine& machine : machines_) {
                if (machine.crash_wanted) crash(machine);
            }
        }
        if (result_.events >= kEventsMax) {
            checker_.fail(Invariant::live, "the engine is busy without end");
        }
    }

    [[nodiscard]] bool is_over() const {
        return checker_.violation().has_value() || result_.events >= kEventsMax;
    }

    // What happens to a machine now and then.
    void mischief() {
        if (!context_.faults_on) {
            return;
        }
        Random& random = world_.random();
        Machine& machine = machines_[static_cast<std::size_t>(random.below(plan_.nodes))];
        if (context_.strikes(Fault::crash_any_time)) machine.crash_wanted = true;
        if (context_.strikes(Fault::clock_step)) {
            const int hours = random.any_of(std::vector{-25, -1, 1, 25});
            trace_.line("the wall clock steps by {} h", hours);
            if (checker_.anyone_runs()) {
                result_.sometimes.hit(Sometimes::clock_stepped_during_lease);
            }
            world_.step_wall(std::chrono::hours(hours));
        }
        if (machine.process && context_.strikes(Fault::pause)) {
            const Micros until = std::min<Micros>(
                world_.now() + Millis(1'000 + random.below(20'000)), plan_.duration);
            trace_.line("process {} stands still until {} ms", machine.process->number(),
                        until.count() / 1000);
            if (checker_.anyone_runs()) result_.sometimes.hit(Sometimes::paused_past_a_lease);
            world_.pause(machine.process->number(), until);
        }
        world_.after(kOutside, kMischiefEvery, [this] { mischief(); });
    }

    // ---- the end --------------------------------------------------------------------------

    void end_faults() {
        trace_.line("the faults end");
        context_.faults_on = false;
        for (Machine& machine : machines_) start(machine);
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
        for (Machine& machine : machines_) {
            machine.process->node().stop(std::chrono::seconds(5), [&] { ++stopped; });
        }
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
    ProcessId processes_ = 0;
    std::vector<Machine> machines_;  // as many as planned, from the beginning on
};

}  // namespace

RunResult run(const Plan& plan, bool print_trace) {
    assertions_throw = true;
    return Simulation(plan, print_trace).run();
}

}  // namespace semel::sim
