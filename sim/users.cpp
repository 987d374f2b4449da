#include "sim/users.hpp"

#include "sim/chain_steps.hpp"

namespace semel::sim {
namespace {

constexpr Millis kCalm = Millis(5);       // the longest a statement takes when faults have stopped
constexpr int kPollAgainWithin = 10'000;  // µs, for a lock
constexpr int kFirstFollowUp = 20'000'000;

}  // namespace

struct Users::Session {
    UserTransaction transaction;
    UuidGenerator ids;
    LeftBehind left;
    // Of one that ends an attempt:
    TakenJob job = {};
    JobCall word = {};
    std::function<void(End)> then = {};
};

Users::Open Users::begin() {
    ++open_;
    auto session = std::make_shared<Session>(Session{
        UserTransaction(database_),
        UuidGenerator([this] { return context_.world.random().next(); }),
        {},
    });
    session->left.began_after = checker_.user_commits();
    return session;
}

void Users::later(std::function<void()> run) {
    const Millis longest =
        context_.faults_on ? context_.plan.user_delay : std::min(kCalm, context_.plan.user_delay);
    context_.world.after(kOutside, context_.delay(longest), std::move(run));
}

// ---- asking for actions -------------------------------------------------------------------------

void Users::start() {
    for (const UserPlan& user : context_.plan.users) {
        ++open_;
        context_.world.after(kOutside, user.at, [this, &user] {
            --open_;
            enqueue_next(begin(), user, 0);
        });
    }
}

void Users::enqueue_next(const Open& session, const UserPlan& plan, std::size_t item) {
    if (item == plan.items.size()) {
        for (const ChainPlan& chain : plan.chains) start_chain(*session, plan.tenant, chain);
        end(session, plan.rolls_back);
        return;
    }
    enqueue(*session, plan.tenant, plan.items[item], plan.is_unreadable);
    later([this, session, &plan, item] { enqueue_next(session, plan, item + 1); });
}

void Users::enqueue(Session& session, const std::string& tenant, const ItemPlan& item,
                    bool is_unreadable) {
    session.transaction.enqueue(OutboxVerb::enqueue, tenant,
                                session.ids.next(context_.world.wall()),
                                is_unreadable ? "{}" : item.to_json(tenant));
    session.left.items.emplace(session.transaction.entries().back().id,
                               is_unreadable ? std::nullopt : std::optional(item));
    context_.trace.line("entry {} asks for #{}{}", session.transaction.entries().back().id,
                        item.number, is_unreadable ? ", unreadably" : "");
}

void Users::start_chain(Session& session, const std::string& tenant, ChainPlan chain) {
    resolve(context_, tenant, chain);
    const std::string request = chain.to_json(tenant);
    chain.id = session.ids.next(context_.world.wall());
    session.transaction.enqueue(OutboxVerb::start_chain, tenant, *chain.id, request);
    const std::int64_t entry = session.transaction.entries().back().id;
    context_.trace.line("entry {} starts chain #{}", entry, chain.first.number);
    session.left.chains.emplace(entry, std::move(chain));
}

// ---- ending attempts ----------------------------------------------------------------------------

bool Users::settles(const JobCall& word) {
    const bool can_be_said = (word.verb == Verb::complete || word.verb == Verb::fail) &&
                             !word.retry_after && !word.final;
    return can_be_said && context_.plan.settles_in_ten > 0 &&
           context_.world.random().below(10) < context_.plan.settles_in_ten;
}

void Users::settle(const TakenJob& job, const JobCall& word, std::function<void(End)> then) {
    const Open session = begin();
    session->job = job;
    session->word = word;
    session->then = std::move(then);
    // What it does next it may ask for in the same transaction.
    const auto& users = context_.plan.users;
    if (context_.faults_on && !users.empty() && context_.world.random().one_in(3)) {
        ItemPlan item = context_.world.random().any_of(users).items.front();
        item.number = kFirstFollowUp + ++follow_ups_;
        enqueue(*session, job.job.tenant, item, false);
    }
    later([this, session] { try_settle(session); });
}

void Users::try_settle(const Open& session) {
    const JobCall& word = session->word;
    const std::string& tenant = session->job.job.tenant;
    OutboxVerb verb = OutboxVerb::fail;
    std::optional<std::string> content = word.error;
    if (word.continue_with) {
        verb = OutboxVerb::continue_with;
        content = checker_.asked(word.continue_with->step.input).to_json(tenant);
    } else if (word.verb == Verb::complete) {
        verb = OutboxVerb::complete;
        content = word.output;
    }
    const auto settled = session->transaction.settle(word.id, word.token, verb, content);
    switch (settled) {
        case UserTransaction::Settled::waiting:
            context_.sometimes.hit(Sometimes::user_waited_for_a_node);
            context_.world.after(kOutside,
                                 Micros(1 + context_.world.random().below(kPollAgainWithin)),
                                 [this, session] { try_settle(session); });
            return;
        case UserTransaction::Settled::stale:
            context_.trace.line("{} with token {} is stale", checker_.name(word.id),
                                to_int(word.token));
            context_.sometimes.hit(Sometimes::stale_token_rolled_a_user_back);
            roll_back(*session);
            session->then(End::stale);
            return;
        case UserTransaction::Settled::done: break;
    }
    const bool rolls_back = context_.faults_on && context_.world.random().one_in(6);
    later([this, session, rolls_back] { end(session, rolls_back); });
}

// ---- the end ------------------------------------------------------------------------------------

void Users::end(const Open& session, bool rolls_back) {
    if (rolls_back) {
        roll_back(*session);
        if (session->then) session->then(End::rolled_back);
        return;
    }
    --open_;
    session->left.entries = session->transaction.entries();
    checker_.user_committed(session->left);
    if (checker_.violation()) {
        return;
    }
    if (session->then && session->word.verb == Verb::complete) checker_.effect(session->job);
    session->transaction.commit();
    if (session->then) session->then(End::committed);
}

void Users::roll_back(Session& session) {
    --open_;
    context_.trace.line("a user rolls {} entries back", session.transaction.entries().size());
    context_.sometimes.hit(Sometimes::user_rolled_back);
    session.transaction.roll_back();
}

}  // namespace semel::sim
