#include "sim/simulation.hpp"

#include <memory>

#include "base/assert.hpp"
#include "sim/checker.hpp"
#include "sim/clients.hpp"
#include "sim/workers.hpp"
#include "store/memory/memory_store.hpp"
#include "store/store_clock.hpp"

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
          store_(make_memory_store([this] { return clock_->now(); })),
          clients_(context_, checker_, *this) {
        for (const WorkerPlan& worker : plan.workers) {
            const int number = static_cast<int>(workers_.size()) + 1;
            workers_.emplace_back(context_, checker_, *this, worker, number);
        }
    }

    Process* process() override { return process_.get(); }

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
        start_process();
        clients_.start();
        for (Worker& worker : workers_) worker.start();
        world_.after(kOutside, kMischiefEvery, [this] { mischief(); });
        run_until(plan_.duration);
        end_faults();
        rest();
        stop();
        if (!checker_.violation()) checker_.check_rest(*store_);
    }

    // ---- the process ----------------------------------------------------------------------

    void start_process() {
        clock_ = std::make_unique<StoreClock>([this] { return world_.clocks(); }, last_time_);
        trace_.line("process {} starts", ++processes_);
        checker_.process_started(store_->now());
        process_ = std::make_unique<Process>(context_, checker_, *store_, processes_,
                                             [this] { crash_wanted_ = true; });
    }

    void crash() {
        crash_wanted_ = false;
        if (!process_) {
            return;
        }
        trace_.line("process {} is gone", processes_);
        checker_.process_crashed();
        world_.kill(process_->number());
        process_.reset();
        last_time_ = store_->now();
        world_.after(kOutside, Millis(world_.random().below(3'000)), [this] {
            if (!process_) start_process();
        });
    }

    // ---- time -----------------------------------------------------------------------------

    void run_until(Micros end) {
        while (!is_over() && world_.run_next(end)) {
            ++result_.events;
            if (crash_wanted_) crash();
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
        if (context_.strikes(Fault::crash_any_time)) crash_wanted_ = true;
        if (context_.strikes(Fault::clock_step)) {
            const int hours = random.any_of(std::vector{-25, -1, 1, 25});
            trace_.line("the wall clock steps by {} h", hours);
            if (checker_.anyone_runs()) {
                result_.sometimes.hit(Sometimes::clock_stepped_during_lease);
            }
            world_.step_wall(std::chrono::hours(hours));
        }
        if (process_ && context_.strikes(Fault::pause)) {
            const Micros until = std::min<Micros>(
                world_.now() + Millis(1'000 + random.below(20'000)), plan_.duration);
            trace_.line("process {} stands still until {} ms", processes_, until.count() / 1000);
            if (checker_.anyone_runs()) result_.sometimes.hit(Sometimes::paused_past_a_lease);
            world_.pause(process_->number(), until);
        }
        world_.after(kOutside, kMischiefEvery, [this] { mischief(); });
    }

    // ---- the end --------------------------------------------------------------------------

    void end_faults() {
        trace_.line("the faults end");
        context_.faults_on = false;
        if (!process_) start_process();
        for (Worker& worker : workers_) worker.behave();
    }

    void rest() {
        const Micros begin = world_.now();
        // Twice: a request may still be on its way when everything looks finished.
        for (int calm = 0; !is_over() && calm < 2;) {
            calm = checker_.all_finished() && clients_.all_done() ? calm + 1 : 0;
            if (world_.now() >= begin + kSettling) checker_.check_live(store_->now());
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
        bool stopped = false;
        process_->node().stop(std::chrono::seconds(5), [&] { stopped = true; });
        run_until(world_.now() + kStopMax);
        if (!stopped && !is_over()) {
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
    std::unique_ptr<Store> store_;
    Clients clients_;
    std::deque<Worker> workers_;
    ProcessId processes_ = 0;
    bool crash_wanted_ = false;
    std::unique_ptr<Process> process_;
};

}  // namespace

RunResult run(const Plan& plan, bool print_trace) {
    assertions_throw = true;
    return Simulation(plan, print_trace).run();
}

}  // namespace semel::sim
