// Context: what every part of a run shares.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "sim/plan.hpp"
#include "sim/sometimes.hpp"
#include "sim/trace.hpp"
#include "sim/world.hpp"

namespace semel::sim {

// Chains that somebody has heard of, by tenant, newest first.
using SeenChains = std::map<std::string, std::deque<JobId>>;

struct Context {
    const Plan& plan;
    World& world;
    Trace& trace;
    SometimesCounts& sometimes;
    bool faults_on = true;
    SeenChains chains_seen = {};
    int steps_made = 0;  // by workers

    // Whether this fault happens here and now.
    bool strikes(Fault fault) {
        const double rate = plan.faults.of(fault);
        return faults_on && rate > 0 && world.random().chance(rate);
    }

    // How long something takes that takes `longest` at most; often nothing at all.
    Micros delay(Millis longest) {
        if (longest.count() == 0 || world.random().one_in(2)) {
            return Micros(0);
        }
        return Micros(world.random().below(static_cast<int>(longest.count()) * 1000));
    }
};

}  // namespace semel::sim
