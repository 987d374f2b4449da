#include "sim/user_transaction.hpp"

#include "sim/bugs/mutation.hpp"

namespace semel::sim {

void UserTransaction::enqueue(OutboxVerb verb, const std::string& tenant, const Uuid& subject,
                              std::string request) {
    OutboxEntry& entry = entries_.emplace_back();
    entry.id = database_.next_entry();
    entry.verb = verb;
    entry.tenant = tenant;
    entry.subject = subject;
    entry.content = std::move(request);
    if (SEMEL_MUTATION(enqueue_outside_transaction)) {
        database_.leave(entry);
    }
}

UserTransaction::Settled UserTransaction::settle(const JobId& job, Token token, OutboxVerb verb,
                                                 std::optional<std::string> content) {
    const auto found = database_.tables().job(job, false);
    if (!found) {
        return Settled::stale;
    }
    if (!database_.lock(RowName::job(job), id_)) {
        return Settled::waiting;
    }
    const Job& row = found->job;
    const bool is_owner = row.token == token || SEMEL_MUTATION(no_token_check_in_complete_job);
    if (!is_owner || row.settling || row.status != Status::running) {
        return Settled::stale;
    }
    OutboxEntry& entry = entries_.emplace_back();
    entry.id = database_.next_entry();
    entry.verb = verb;
    entry.tenant = row.tenant;
    entry.subject = job;
    entry.token = token;
    entry.content = std::move(content);
    return Settled::done;
}

void UserTransaction::commit() {
    for (const OutboxEntry& entry : entries_) {
        database_.leave(entry);
        const bool asks =
            entry.verb == OutboxVerb::enqueue || entry.verb == OutboxVerb::start_chain;
        if (!asks) database_.set_settling(entry.subject);
    }
    database_.end(id_);
}

}  // namespace semel::sim
