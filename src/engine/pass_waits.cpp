#include "engine/pass_waits.hpp"

#include <utility>

#include "core/passes/pass_replay.hpp"

namespace semel {

PassWaits::PassWaits(Env& env, Store& store, Ledger& ledger, PassHolds& holds, Replayed replayed)
    : store_(store),
      holds_(holds),
      replayed_(std::move(replayed)),
      abandoned_(env, ledger),
      waits_(env, store, ledger,
             {.let_go = [this](const AdmitPass&, const PassAnswer& answer) { let_go(answer); },
              .owns_at_stop = false,
              .replay =
                  [this](const AdmitPass& command, const std::shared_ptr<const Claim>& left) {
                      return replay(command, left);
                  },
              .tries_for = kStoreWait,
              .abandon = [this](const AdmitPass& command) { abandon(command); }}) {}

PassWaits::WaitId PassWaits::admit(AdmitPass command, Callback done) {
    return waits_.claim(std::move(command),
                        [this, done = std::move(done)](Result<Item<PassAnswer>> answer) {
                            done(std::move(answer));
                            check_stopped();
                        });
}

std::optional<PassAnswer> PassWaits::replay(const AdmitPass& command,
                                            const std::shared_ptr<const Claim>& left) {
    auto answer = replay_pass(command, left, store_.now());
    if (answer) {
        replayed_(replay_entry(command, *left, *answer, store_.now()));
    }
    return answer;
}

void PassWaits::let_go(const PassAnswer& answer) {
    ++being_let_go_;
    holds_.let_go(answer, [this] { ended(); });
}

// Repeats the admission, because only its answer has the token, and then ends the pass. If the
// first admission was not committed, the repeat makes one and ends it. After the lease nothing
// needs an end.
void PassWaits::abandon(AdmitPass command) {
    ++being_let_go_;
    PassRequest& request = command.request;
    request.content.reset();
    request.dispatched = false;
    request.retries_uncertain = false;
    request.wait = Millis(1);  // an answer `in_flight` is not recorded
    abandoned_.submit(
        std::move(command), kPassLease, [this](const Result<Reply<AdmitPass>>& reply) {
            const auto* item = reply ? std::get_if<AdmitPass::Outcome>(&*reply) : nullptr;
            const auto* answer = item != nullptr ? std::get_if<PassAnswer>(item) : nullptr;
            if (answer != nullptr && answer->decision == Decision::new_) {
                let_go(*answer);
            }
            ended();
        });
}

void PassWaits::ended() {
    --being_let_go_;
    check_stopped();
}

void PassWaits::stop(std::function<void()> done) {
    stopped_ = std::move(done);
    waits_.stop();
    abandoned_.hurry();
    check_stopped();
}

void PassWaits::check_stopped() {
    if (stopped_ && waits_.empty() && being_let_go_ == 0) {
        std::exchange(stopped_, nullptr)();
    }
}

}  // namespace semel
