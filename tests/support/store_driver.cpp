#include "support/store_driver.hpp"

#include <algorithm>

namespace semel::test {

void Mailbox::post(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    arrived_.notify_one();
}

void Mailbox::run_until(const std::function<bool()>& is_done) {
    while (!is_done()) {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            arrived_.wait(lock, [&] { return !tasks_.empty(); });
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
    }
}

StoreDriver::StoreDriver(Store& store, std::uint64_t seed)
    : store_(store),
      committer_(store.open_committer(
          [mailbox = mailbox_](std::function<void()> task) { mailbox->post(std::move(task)); })),
      engine_(seed),
      random_([this] { return engine_(); }),
      ids_(random_) {}

Result<Loaded> StoreDriver::load(LoadSpec spec) {
    return await<Loaded>(
        [&](Done<Loaded> done) { committer_->load(std::move(spec), std::move(done)); });
}

Result<Written> StoreDriver::write_own(OwnWrites writes) {
    const auto shared = std::make_shared<const OwnWrites>(std::move(writes));
    return await<Written>([&](Done<Written> done) { committer_->write(shared, std::move(done)); });
}

Result<void> StoreDriver::commit(Changes changes) {
    const auto shared = std::make_shared<const Changes>(std::move(changes));
    return await<void>([&](Done<void> done) { committer_->commit(shared, std::move(done)); });
}

Result<void> StoreDriver::roll_back() {
    return await<void>([&](Done<void> done) { committer_->roll_back(std::move(done)); });
}

Loaded StoreDriver::look(LoadSpec spec) {
    Loaded loaded = load(std::move(spec)).value();
    SEMEL_ASSERT(roll_back().has_value());
    return loaded;
}

Result<void> StoreDriver::write(Changes changes) {
    SEMEL_CHECK(load({}));
    return commit(std::move(changes));
}

LoadSpec StoreDriver::without_guesses(LoadSpec spec) {
    for (JobRef& ref : spec.jobs) ref.completed_by.reset();
    return spec;
}

void StoreDriver::finish(Workspace& workspace) {
    SEMEL_ASSERT(commit(workspace.take_changes()).has_value());
}

std::optional<ActionDetails> StoreDriver::get_action(const std::string& tenant, const JobId& id) {
    using Answer = std::optional<ActionDetails>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.get_action(tenant, id, std::move(done));
           })
        .value();
}

std::vector<ActionView> StoreDriver::list_actions(const std::string& tenant,
                                                  const ActionFilter& filter,
                                                  std::optional<JobId> before, int limit) {
    using Answer = std::vector<ActionView>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.list_actions(tenant, filter, before, limit, std::move(done));
           })
        .value();
}

std::vector<LoggedDecision> StoreDriver::list_decisions(const std::string& tenant,
                                                        std::optional<std::int64_t> before,
                                                        int limit) {
    using Answer = std::vector<LoggedDecision>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.list_decisions(tenant, before, limit, std::move(done));
           })
        .value();
}

std::vector<JobId> StoreDriver::walk_actions(const std::string& tenant, const ActionFilter& filter,
                                             std::optional<JobId> after, const JobId& before,
                                             int limit) {
    using Answer = std::vector<JobId>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.walk_actions(tenant, filter, after, before, limit, std::move(done));
           })
        .value();
}

MatchedActions StoreDriver::count_actions(const std::string& tenant, const ActionFilter& filter) {
    return read<MatchedActions>([&](Reads& reads, Done<MatchedActions> done) {
               reads.count_actions(tenant, filter, std::move(done));
           })
        .value();
}

std::optional<ChainView> StoreDriver::get_chain(const std::string& tenant, const JobId& id) {
    using Answer = std::optional<ChainView>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.get_chain(tenant, id, std::move(done));
           })
        .value();
}

std::vector<ChainView> StoreDriver::list_chains(const std::string& tenant,
                                                const ChainFilter& filter,
                                                std::optional<JobId> before, int limit) {
    using Answer = std::vector<ChainView>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.list_chains(tenant, filter, before, limit, std::move(done));
           })
        .value();
}

std::vector<StepView> StoreDriver::list_steps(const std::string& tenant, const JobId& chain,
                                              int from, int limit) {
    using Answer = std::vector<StepView>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.list_steps(tenant, chain, from, limit, std::move(done));
           })
        .value();
}

std::optional<ScheduleView> StoreDriver::get_schedule(const ScheduleKey& key) {
    using Answer = std::optional<ScheduleView>;
    return read<Answer>(
               [&](Reads& reads, Done<Answer> done) { reads.get_schedule(key, std::move(done)); })
        .value();
}

std::vector<ScheduleView> StoreDriver::list_schedules(const std::string& tenant,
                                                      std::optional<Uuid> before, int limit) {
    using Answer = std::vector<ScheduleView>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.list_schedules(tenant, before, limit, std::move(done));
           })
        .value();
}

std::optional<BulkRun> StoreDriver::get_bulk_run(const std::string& tenant, const Uuid& id) {
    using Answer = std::optional<BulkRun>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.get_bulk_run(tenant, id, std::move(done));
           })
        .value();
}

std::vector<BulkRun> StoreDriver::list_open_bulk_runs() {
    using Answer = std::vector<BulkRun>;
    return read<Answer>(
               [](Reads& reads, Done<Answer> done) { reads.list_open_bulk_runs(std::move(done)); })
        .value();
}

std::optional<Claim> StoreDriver::get_claim(const std::string& tenant, const ClaimId& id) {
    using Answer = std::optional<Claim>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.get_claim(tenant, id, std::move(done));
           })
        .value();
}

std::vector<Claim> StoreDriver::find_claims(const std::string& tenant,
                                            const std::optional<std::string>& space,
                                            const std::string& key, int limit) {
    using Answer = std::vector<Claim>;
    return read<Answer>([&](Reads& reads, Done<Answer> done) {
               reads.find_claims(tenant, space, key, limit, std::move(done));
           })
        .value();
}

std::vector<Claim> StoreDriver::list_uncertain_claims(const UncertainQuery& query) {
    return read<std::vector<Claim>>([&](Reads& reads, Done<std::vector<Claim>> done) {
               reads.list_uncertain_claims(query, std::move(done));
           })
        .value();
}

std::vector<SpaceCount> StoreDriver::count_uncertain_claims() {
    auto counts =
        read<std::vector<SpaceCount>>([](Reads& reads, Done<std::vector<SpaceCount>> done) {
            reads.count_uncertain_claims(std::move(done));
        }).value();
    std::ranges::sort(counts, {}, &SpaceCount::space);
    return counts;
}

std::optional<std::string> StoreDriver::get_response(const Uuid& id) {
    return read<std::optional<std::string>>(
               [&](Reads& reads, Done<std::optional<std::string>> done) {
                   reads.get_response(id, std::move(done));
               })
        .value();
}

std::vector<ApiToken> StoreDriver::list_api_tokens() {
    using Answer = std::vector<ApiToken>;
    return read<Answer>(
               [](Reads& reads, Done<Answer> done) { reads.list_api_tokens(std::move(done)); })
        .value();
}

std::vector<JobCount> StoreDriver::count_jobs() {
    using Answer = std::vector<JobCount>;
    return read<Answer>([](Reads& reads, Done<Answer> done) { reads.count_jobs(std::move(done)); })
        .value();
}

}  // namespace semel::test
