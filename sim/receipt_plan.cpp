// Keys that are sealed early and then asked for all the time, at every node, while operators delete
// them: what nodes remember of a receipt has to be right just then.
#include <algorithm>

#include "sim/fence_plan.hpp"
#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace semel::sim {
namespace {

// So chosen that the seeds in seeds.txt keep the plans with which they once failed.
constexpr std::uint64_t kOtherDice = 0x2EC04ULL << 28;
constexpr int kSeedsWithRepeats = 6;  // one in so many of those without other fences
constexpr int kAfterwards = 15'000;   // some stories begin when the faults are over

class ReceiptPlanner {
public:
    explicit ReceiptPlanner(Plan& plan) : random_(plan.seed ^ kOtherDice), plan_(plan) {}

    void add() {
        if (!random_.one_in(kSeedsWithRepeats) || !plan_.fences.claims.empty()) {
            return;
        }
        ttl_min_ = random_.any_of(std::vector{1, 20, 300});
        strangers_ = random_.one_in(2) ? 0 : random_.between(1, 4);
        deletions_ = random_.any_of(std::vector{2, 6, 15});
        for (int i = random_.between(1, 3); i > 0; --i) add_story();
        const auto by_time = [](const auto& one) { return one.at; };
        std::ranges::stable_sort(plan_.fences.claims, {}, by_time);
        std::ranges::stable_sort(plan_.fences.visits, {}, by_time);
    }

private:
    // Repeats for a few seconds, and deletions in between.
    void add_story() {
        key_.tenant = random_.any_of(kTenants);
        key_.key = random_.one_in(2) ? "r" : "rr";
        const int every = random_.any_of(std::vector{50, 200, 600});
        const Millis begin(random_.below(static_cast<int>(plan_.duration.count()) + kAfterwards));
        Millis at = begin;
        for (int i = random_.between(10, 30); i > 0; --i) {
            add_claim(at);
            at += Millis(random_.below(every));
        }
        const int lasts = static_cast<int>((at - begin).count());
        for (int i = random_.between(1, deletions_); i > 0; --i) {
            add_deletion(begin + Millis(random_.below(lasts + 1)));
        }
    }

    // Most say the same, and seal at once.
    void add_claim(Millis at) {
        FenceClaimPlan claim;
        claim.number = ++numbers_;
        claim.at = at;
        claim.key = key_;
        if (random_.below(10) < strangers_) claim.key.tenant = other_tenant(key_.tenant);
        if (!random_.one_in(4)) claim.content = random_.one_in(8) ? 1 : 0;
        claim.lease = Millis(random_.between(100, 1'000));
        claim.ttl_seconds = random_.between(ttl_min_, 2 * ttl_min_);
        if (random_.one_in(6)) claim.wait = Millis(random_.below(1'000));
        claim.asks = random_.between(1, 2);
        claim.work.takes = Millis(random_.below(random_.one_in(4) ? 800 : 40));
        if (random_.one_in(12)) claim.work.end = FenceEnd::release;
        claim.work.has_receipt = !random_.one_in(5);
        plan_.fences.claims.push_back(claim);
    }

    // Often just when others ask: then it shares its batch with them.
    void add_deletion(Millis at) {
        FenceVisitPlan visit;
        visit.number = ++numbers_;
        visit.at = at;
        visit.key = key_;
        visit.what = FenceVisit::remove;
        visit.sends = random_.one_in(4) ? 2 : 1;
        plan_.fences.visits.push_back(visit);
        if (random_.one_in(2)) {
            for (int i = random_.between(1, 4); i > 0; --i) add_claim(at);
        }
    }

    Random random_;
    Plan& plan_;
    FenceKeyPlan key_;
    int numbers_ = 0;
    int ttl_min_ = 1;
    int deletions_ = 1;  // at most, of one key
    int strangers_ = 0;  // times in ten
};

}  // namespace

void plan_receipts(Plan& plan) {
    ReceiptPlanner(plan).add();
}

}  // namespace semel::sim
