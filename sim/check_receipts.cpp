// What an Idempotency-Key must do: for 24 hours of store time its request is carried out once and
// answered with the same bytes, and another request is refused.
#include "core/limits.hpp"
#include "sim/checker.hpp"

namespace semel::sim {

std::string Send::body() const {
    std::string body;
    for (const ItemPlan& item : items) body += item.to_json(request->tenant);
    return body;
}

void Checker::check_sealed(const Send& send, const Receipt& receipt) {
    if (sealed_for(send.number) != nullptr) {
        fail(
            Invariant::one_row_per_request,
            fmt::format("request {} was carried out twice under one Idempotency-Key", send.number));
    }
    sealed_[send.number] = {now(), send.body(), receipt};
}

const Checker::Sealed* Checker::sealed_for(int request) const {
    const auto at = sealed_.find(request);
    const bool is_kept = at != sealed_.end() && now() < at->second.at + kApiKeyRetention;
    return is_kept ? &at->second : nullptr;
}

// No other batch was loaded since the one that decided it: `now` is still the time of that one.
void Checker::answered_under_key(const Send& send, const Receipt& receipt) {
    const auto wrong = [&](const std::string& what) {
        fail(Invariant::receipts_equal, fmt::format("request {} {}", send.number, what));
    };
    const Sealed* sealed = sealed_for(send.number);
    if (sealed == nullptr) {
        wrong("was answered from an Idempotency-Key under which nothing is kept");
        return;
    }
    const bool is_refused = receipt.status >= 400;
    if (is_refused != (send.body() != sealed->body)) {
        wrong(is_refused ? "was refused, and its body is the one that was carried out"
                         : "was answered as another one under its Idempotency-Key");
    } else if (!is_refused && receipt != sealed->receipt) {
        wrong(fmt::format("was answered {} and {}", sealed->receipt.body, receipt.body));
    }
}

}  // namespace semel::sim
