// Users: programs with transactions of their own on the nodes' database. They ask for actions in
// them, and those who own a job may end it there, together with what they did.
#pragma once

#include <functional>
#include <memory>

#include "base/uuid.hpp"
#include "sim/checker.hpp"
#include "sim/user_transaction.hpp"

namespace semel::sim {

class Users {
public:
    Users(Context& context, Checker& checker, Database& database)
        : context_(context), checker_(checker), database_(database) {}

    // Sets every transaction of the plan on its way, at its time.
    void start();
    [[nodiscard]] bool all_done() const { return open_ == 0; }

    // Whether this end of an attempt is told in its owner's own transaction.
    [[nodiscard]] bool settles(const JobCall& word);
    enum class End { committed, stale, rolled_back };
    // Ends an attempt so. Its effect is part of that transaction.
    void settle(const TakenJob& job, const JobCall& word, std::function<void(End)> then);

private:
    struct Session;
    using Open = std::shared_ptr<Session>;

    [[nodiscard]] Open begin();
    // A statement, later: a transaction stays open as long as its user likes.
    void later(std::function<void()> run);
    void enqueue_next(const Open& session, const UserPlan& plan, std::size_t item);
    void enqueue(Session& session, const std::string& tenant, const ItemPlan& item,
                 bool is_unreadable);
    void start_chain(Session& session, const std::string& tenant, ChainPlan chain);
    void try_settle(const Open& session);
    void end(const Open& session, bool rolls_back);
    void roll_back(Session& session);

    Context& context_;
    Checker& checker_;
    Database& database_;
    int open_ = 0;
    int follow_ups_ = 0;
};

}  // namespace semel::sim
