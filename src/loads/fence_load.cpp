#include "loads/fence_load.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <random>
#include <thread>

#include "loads/calls.hpp"
#include "runtime/once.hpp"
#include "runtime/requests.hpp"

namespace semel::loads {
namespace {

constexpr Millis kPollEvery = Millis(10);

using Began = Sampler::Clock::time_point;
using Claimed = std::function<void(const Result<FenceAnswer>&)>;

// Each key has its own content: equal contents would be reported as near misses.
OnceSpec spec_of(const FenceLoad& load, std::int64_t number) {
    OnceSpec spec;
    spec.key = "semel-bench:" + load.run + std::to_string(number);
    spec.content = R"({"invoice":)" + std::to_string(number) + R"(,"note":"hello"})";
    spec.wait = Millis(0);
    spec.tenant = load.tenant;
    return spec;
}

Result<FenceAnswer> accepted(const Result<Item<FenceAnswer>>& answered) {
    if (!answered) {
        return answered.error();
    }
    if (const auto* problem = std::get_if<Problem>(&*answered)) {
        return Error(ErrorCode::refused, problem->detail);
    }
    return std::get<FenceAnswer>(*answered);
}

// Claims like the library. `done` runs on the engine's thread.
void claim(BenchNode& node, const OnceSpec& spec, const Claimed& done) {
    auto request = to_request(spec, node.host().node().settings());
    if (const auto* problem = std::get_if<Problem>(&request)) {
        done(Error(ErrorCode::refused, problem->detail));
        return;
    }
    node.host().claim_fence({spec.tenant, std::get<FenceRequest>(std::move(request))},
                            [done](const auto& answered) { done(accepted(answered)); });
}

Result<std::int64_t> sealed_by(const Result<Reply<CallFence>>& reply) {
    if (!reply) {
        return reply.error();
    }
    if (const auto* problem = std::get_if<Problem>(&*reply)) {
        return Error(ErrorCode::refused, problem->detail);
    }
    return 1;
}

// REQUIRES: Calls::begin() was called for it.
void claim_and_seal(BenchNode& node, Calls& calls, const OnceSpec& spec) {
    const Began began = Sampler::Clock::now();
    claim(node, spec, [&node, &calls, began, spec](const Result<FenceAnswer>& answer) {
        if (!answer) {
            calls.end(began, answer.error());
            return;
        }
        if (answer->decision != Decision::new_) {
            calls.end(began, Error(ErrorCode::refused, spec.key + " is claimed already"));
            return;
        }
        FenceCall seal{.claim = answer->claim->id, .token = answer->claim->token};
        seal.effect_id = "effect";
        seal.receipt = R"({"paid":true})";
        node.host().submit(
            CallFence{spec.tenant, std::move(seal)},
            [&calls, began](const auto& reply) { calls.end(began, sealed_by(reply)); });
    });
}

Result<Figure> end(Calls& calls, const Sampler& sampler) {
    calls.wait_for_all();
    if (calls.error()) {
        return *calls.error();
    }
    Figure figure = sampler.end(calls.fresh());
    figure.fresh = calls.fresh();
    set_percentiles(figure, calls.waits_ms());
    return figure;
}

// A thread that calls the library repeatedly.
class Repeater {
public:
    Repeater(BenchNode& node, const ReplayLoad& load, std::uint64_t seed,
             std::atomic<bool>& is_over)
        : node_(node), load_(load), random_(seed), is_over_(is_over), thread_([this] { run(); }) {}

    // Returns the number of received receipts.
    [[nodiscard]] Result<std::int64_t> end() {
        thread_.join();
        return error_ ? Result<std::int64_t>(*error_) : count_;
    }

private:
    void run() {
        const FenceLoad& fences = load_.fences;
        const auto recent = static_cast<std::uint64_t>(std::min(load_.recent, fences.first));
        while (!is_over_) {
            const auto back = static_cast<std::int64_t>(random_() % recent);
            ask(spec_of(fences, fences.first - back));
        }
    }
    void ask(const OnceSpec& spec) {
        try {
            const auto answer = once(node_.host(), spec, [](const OnceWork& work) -> OnceEffect {
                throw Temporary(work.key + " should have been sealed");
            });
            if (!answer) {
                end_all(answer.error());
            } else if (const Problem* problem = answer->problem()) {
                end_all(Error(ErrorCode::refused, problem->detail));
            } else {
                ++count_;
            }
        } catch (const Temporary& unsealed) {
            end_all(Error(ErrorCode::refused, unsealed.what()));
        }
    }
    void end_all(Error error) {
        error_ = std::move(error);
        is_over_ = true;
    }

    BenchNode& node_;
    const ReplayLoad& load_;
    std::mt19937_64 random_;
    std::atomic<bool>& is_over_;
    std::int64_t count_ = 0;
    std::optional<Error> error_;
    std::thread thread_;  // last: it uses the others
};

}  // namespace

Result<Figure> run_pair_load(BenchNode& node, const FenceLoad& load, const Watch& watch) {
    Calls calls(load.callers);
    Pace pace(watch);
    const double seconds = std::chrono::duration<double>(load.duration).count();
    const Sampler sampler(node.counter());
    for (std::int64_t number = load.first + 1;
         sampler.seconds() < seconds && pace.go_on(sampler.seconds() / seconds); ++number) {
        if (!calls.begin()) {
            break;
        }
        claim_and_seal(node, calls, spec_of(load, number));
    }
    return end(calls, sampler);
}

Result<Figure> run_replay_load(BenchNode& node, const ReplayLoad& load, const Watch& watch) {
    Pace pace(watch);
    const double seconds = std::chrono::duration<double>(load.fences.duration).count();
    const Sampler sampler(node.counter());
    std::atomic<bool> is_over = false;
    std::deque<Repeater> callers;
    for (int i = 0; i < load.fences.callers; ++i) {
        callers.emplace_back(node, load, static_cast<std::uint64_t>(i + 1), is_over);
    }
    while (!is_over && sampler.seconds() < seconds && pace.go_on(sampler.seconds() / seconds)) {
        std::this_thread::sleep_for(kPollEvery);
    }
    is_over = true;
    std::int64_t count = 0;
    std::optional<Error> error;
    for (Repeater& caller : callers) {
        const auto receipts = caller.end();
        if (receipts) {
            count += *receipts;
        } else {
            error = receipts.error();
        }
    }
    return error ? Result<Figure>(*error) : sampler.end(count);
}

Result<Figure> seal_keys(BenchNode& node, const FenceLoad& load, std::int64_t last,
                         const Watch& watch) {
    Calls calls(load.callers);
    Pace pace(watch);
    const auto all = static_cast<double>(last - load.first);
    const Sampler sampler(node.counter());
    for (std::int64_t number = load.first + 1;
         number <= last && pace.go_on(static_cast<double>(number - load.first) / all); ++number) {
        if (!calls.begin()) {
            break;
        }
        claim_and_seal(node, calls, spec_of(load, number));
    }
    return end(calls, sampler);
}

}  // namespace semel::loads
