#include "sim/user_plan.hpp"

#include <algorithm>

#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace semel::sim {
namespace {

constexpr std::uint64_t kOtherDice = 0x0B0C5ULL << 20;
constexpr int kFirstNumber = 10'000'000;  // of their items; those of requests are smaller

class UserPlanner {
public:
    explicit UserPlanner(Plan& plan) : random_(plan.seed ^ kOtherDice), plan_(plan) {
        for (const RequestPlan& request : plan.requests) {
            if (!request.items.empty()) known_.push_back(&request);
            if (request.chain && !request.chain->chains.empty()) chains_.push_back(&request);
        }
    }

    void add() {
        if (known_.empty() || random_.one_in(2)) {
            return;
        }
        plan_.user_delay = Millis(random_.any_of(std::vector{0, 20, 400, 8'000}));
        plan_.settles_in_ten = random_.between(0, 9);
        for (int i = random_.between(1, 12); i > 0; --i) {
            plan_.users.push_back(user());
            // And soon again, with something new about the same.
            while (random_.one_in(2)) plan_.users.push_back(again(plan_.users.back()));
        }
        std::stable_sort(plan_.users.begin(), plan_.users.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
    }

private:
    // Wants what clients want, at about the same time: they meet on the same keys and groups.
    UserPlan user() {
        const RequestPlan& request = *random_.any_of(known_);
        UserPlan user;
        user.at = request.at + Millis(random_.below(random_.one_in(2) ? 10 : 2'000));
        user.tenant = request.tenant;
        for (int i = random_.between(1, 3); i > 0; --i) {
            ItemPlan& item = user.items.emplace_back(random_.any_of(request.items));
            item.number = kFirstNumber + ++numbers_;
            if (random_.one_in(3)) item.lock_group.clear();
        }
        if (!chains_.empty() && random_.one_in(2)) add_chain(user);
        user.is_unreadable = random_.one_in(12);
        user.rolls_back = random_.one_in(4);
        return user;
    }

    void add_chain(UserPlan& user) {
        const RequestPlan& request = *random_.any_of(chains_);
        user.at = request.at + Millis(random_.below(random_.one_in(2) ? 10 : 2'000));
        user.tenant = request.tenant;
        ChainPlan& chain = user.chains.emplace_back(random_.any_of(request.chain->chains));
        chain.first.number = kFirstNumber + ++numbers_;
        chain.id.reset();
        if (random_.one_in(2)) user.items.resize(1);
    }

    UserPlan again(UserPlan user) {
        user.at += Millis(random_.below(random_.one_in(2) ? 20 : 600));
        for (ItemPlan& item : user.items) item.number = kFirstNumber + ++numbers_;
        for (ChainPlan& chain : user.chains) chain.first.number = kFirstNumber + ++numbers_;
        user.rolls_back = false;
        return user;
    }

    Random random_;
    Plan& plan_;
    std::vector<const RequestPlan*> known_;   // those who ask for actions
    std::vector<const RequestPlan*> chains_;  // those who start chains
    int numbers_ = 0;
};

}  // namespace

void plan_users(Plan& plan) {
    if (plan.is_shared()) UserPlanner(plan).add();
}

}  // namespace semel::sim
