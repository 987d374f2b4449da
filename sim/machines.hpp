// Machines: where the nodes of a run live. Each machine runs one process after another. Processes
// crash and stand still, and clocks step, as the plan's faults say.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/context.hpp"

namespace semel::sim {

// Process: has number() and node().
template <typename Process>
class Machines {
public:
    struct Hooks {
        std::function<void()> starts;  // before a process is made
        std::function<std::unique_ptr<Process>(ProcessId, std::function<void()> crash)> make;
        std::function<void(ProcessId)> crashed;  // before it is destroyed
        std::function<void()> is_gone;           // after it
        std::function<bool()> anyone_runs;
    };

    Machines(Context& context, Hooks hooks)
        : context_(context),
          hooks_(std::move(hooks)),
          machines_(static_cast<std::size_t>(context.plan.nodes)) {}

    void start_all() {
        for (Machine& machine : machines_) start(machine);
    }
    // From now on something happens to a machine now and then, until the faults end.
    void begin_mischief() {
        context_.world.after(kOutside, kMischiefEvery, [this] { mischief(); });
    }
    // Ends the processes that want to crash. Call it after each event.
    void crash_wanted() {
        for (Machine& machine : machines_) {
            if (machine.crash_wanted) crash(machine);
        }
    }

    // One of those that are up; null while none is.
    [[nodiscard]] Process* any() {
        std::vector<Process*> up;
        for (Machine& machine : machines_) {
            if (machine.process) up.push_back(machine.process.get());
        }
        return up.empty() ? nullptr : context_.world.random().any_of(up);
    }
    // REQUIRES: all are up, as they are when the faults are over.
    [[nodiscard]] Process& first() { return *machines_.front().process; }
    void stop_all(Millis grace, const std::function<void()>& stopped) {
        for (Machine& machine : machines_) machine.process->node().stop(grace, stopped);
    }

private:
    struct Machine {
        std::unique_ptr<Process> process;
        bool crash_wanted = false;
    };

    static constexpr Micros kMischiefEvery = std::chrono::milliseconds(500);

    void start(Machine& machine) {
        if (machine.process) {
            return;
        }
        hooks_.starts();
        context_.trace.line("process {} starts", ++processes_);
        machine.process = hooks_.make(processes_, [&machine] { machine.crash_wanted = true; });
    }

    void crash(Machine& machine) {
        machine.crash_wanted = false;
        if (!machine.process) {
            return;
        }
        context_.trace.line("process {} is gone", machine.process->number());
        hooks_.crashed(machine.process->number());
        context_.world.kill(machine.process->number());
        machine.process.reset();
        hooks_.is_gone();
        context_.world.after(kOutside, Millis(context_.world.random().below(3'000)),
                             [this, &machine] { start(machine); });
    }

    void mischief() {
        if (!context_.faults_on) {
            return;
        }
        World& world = context_.world;
        Machine& machine = machines_[static_cast<std::size_t>(
            world.random().below(static_cast<int>(machines_.size())))];
        if (context_.strikes(Fault::crash_any_time)) machine.crash_wanted = true;
        if (context_.strikes(Fault::clock_step)) step_clock();
        if (machine.process && context_.strikes(Fault::pause)) pause(*machine.process);
        begin_mischief();
    }

    void step_clock() {
        const int hours = context_.world.random().any_of(std::vector{-25, -1, 1, 25});
        context_.trace.line("the wall clock steps by {} h", hours);
        if (hooks_.anyone_runs()) context_.sometimes.hit(Sometimes::clock_stepped_during_lease);
        context_.world.step_wall(std::chrono::hours(hours));
    }

    void pause(const Process& process) {
        World& world = context_.world;
        const Micros until = std::min<Micros>(
            world.now() + Millis(1'000 + world.random().below(20'000)), context_.plan.duration);
        context_.trace.line("process {} stands still until {} ms", process.number(),
                            until.count() / 1000);
        if (hooks_.anyone_runs()) context_.sometimes.hit(Sometimes::paused_past_a_lease);
        world.pause(process.number(), until);
    }

    Context& context_;
    Hooks hooks_;
    ProcessId processes_ = 0;
    std::vector<Machine> machines_;  // as many as planned, from the beginning on
};

}  // namespace semel::sim
