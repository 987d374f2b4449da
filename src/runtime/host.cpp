#include "runtime/host.hpp"

#include "core/fences/fence.hpp"
#include "runtime/in_commit.hpp"

namespace semel {
namespace {

NodeOptions with_zones(NodeOptions options, ZoneSource& zones) {
    options.settings.zones = &zones;
    return options;
}

}  // namespace

Host::Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer,
           std::unique_ptr<Store> fences)
    : handlers_(options.concurrency),
      zones_(ZoneFiles::default_folder()),
      env_(loop_, handlers_, observer),
      store_(std::move(store)),
      fences_(std::move(fences)),
      node_(env_, *store_, with_zones(std::move(options), zones_), fences_.get()) {}

Host::~Host() {
    stop(Millis(0));
}

void Host::add_handler(std::string type, HandlerOptions options, HandlerFunction handler) {
    SEMEL_ASSERT(life_ == Life::fresh);
    handlers_.add(type, std::move(handler));
    node_.add_handler(std::move(type), options);
}

void Host::start() {
    SEMEL_ASSERT(life_ == Life::fresh);
    loop_.start();
    loop_.post([this] { node_.start(); });
    life_ = Life::running;
}

void Host::drain(Millis grace) {
    if (life_ != Life::running) {
        return;
    }
    std::promise<void> drained;
    loop_.post([&] { node_.stop(grace, [&drained] { drained.set_value(); }); });
    drained.get_future().wait();
    life_ = Life::drained;
}

void Host::stop(Millis grace) {
    drain(grace);
    if (life_ != Life::drained) {
        return;
    }
    life_ = Life::stopped;
    handlers_.stop();
    loop_.stop();
}

Result<void> Host::post(std::function<void()> run) {
    if (is_in_commit()) {
        return Error(ErrorCode::refused,
                     "statements within a commit cannot call the engine, which waits for them");
    }
    if (life_ != Life::running || !loop_.post(std::move(run))) {
        return Error(ErrorCode::stopped, "the engine is not running");
    }
    return {};
}

Result<void> Host::write(std::optional<Attempting> attempt, WriteTask::Statements statements) {
    std::promise<Result<void>> answered;
    auto answer = answered.get_future();
    SEMEL_CHECK(post([&] {
        node_.submit_writes(
            std::move(attempt), std::move(statements),
            [&answered](const Result<void>& outcome) { answered.set_value(outcome); });
    }));
    return answer.get();
}

Result<std::optional<AwaitedChain>> Host::wait_for_chain(const std::string& tenant,
                                                         const JobId& chain, Millis patience) {
    std::promise<Result<std::optional<AwaitedChain>>> answered;
    auto answer = answered.get_future();
    SEMEL_CHECK(post([&] {
        node_.wait_for_chain(tenant, chain, patience,
                             [&answered](auto awaited) { answered.set_value(std::move(awaited)); });
    }));
    return answer.get();
}

// Null within a commit: there, the answer would depend on whether the receipt is in memory.
std::shared_ptr<const Claim> Host::find_receipt(const ClaimFence& command) {
    return is_in_commit() ? nullptr : node_.find_receipt(command);
}

Result<Host::HeldAnswer> Host::claim_and_hold(ClaimFence command, FenceHolds::Lost lost) {
    std::promise<Result<HeldAnswer>> answered;
    auto answer = answered.get_future();
    SEMEL_CHECK(post([&] {
        node_.claim_fence(std::move(command), [&](Result<Item<FenceAnswer>> claimed) {
            answered.set_value(claimed ? hold(*std::move(claimed), std::move(lost))
                                       : Result<HeldAnswer>(claimed.error()));
        });
    }));
    return answer.get();
}

// Runs on the loop, so that every claimed lease is renewed, and no hold begins after a stop.
Result<Host::HeldAnswer> Host::hold(Item<FenceAnswer> claimed, FenceHolds::Lost lost) {
    const auto* answer = std::get_if<FenceAnswer>(&claimed);
    if (answer == nullptr || answer->decision != Decision::new_) {
        return HeldAnswer{std::move(claimed)};
    }
    const Claim& claim = *answer->claim;
    const auto id = node_.hold_fence({claim.tenant, claim.id, claim.token, claim.effect->lease},
                                     std::move(lost));
    if (!id) {
        node_.submit(CallFence{claim.tenant, let_go(*answer)},
                     [](const Result<Reply<CallFence>>&) {});
        return Error(ErrorCode::stopped, "the engine is being stopped");
    }
    return HeldAnswer{std::move(claimed), *id};
}

Result<Reply<CallFence>> Host::end_hold(FenceHolds::HoldId hold, FenceCall call) {
    std::promise<Result<Reply<CallFence>>> answered;
    auto answer = answered.get_future();
    SEMEL_CHECK(post([&] {
        node_.end_hold(hold, std::move(call), [&](Result<Reply<CallFence>> reply) {
            answered.set_value(std::move(reply));
        });
    }));
    return answer.get();
}

void Host::claim_fence(ClaimFence command, const FenceWaits::Callback& done) {
    const auto posted = post([this, command = std::move(command), done]() mutable {
        node_.claim_fence(std::move(command), done);
    });
    if (!posted) {
        done(posted.error());
    }
}

}  // namespace semel
