// StoreDriver: a store's asynchronous steps, made one after another by a test's own thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <tuple>
#include <variant>
#include <vector>

#include "core/decide.hpp"
#include "store/store.hpp"

namespace semel::test {

// Where a store's answers arrive: functions from any thread, run by the one that waits.
class Mailbox {
public:
    void post(std::function<void()> task);
    // Runs what arrives until `is_done`.
    void run_until(const std::function<bool()>& is_done);

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::function<void()>> tasks_;
};

class StoreDriver {
public:
    explicit StoreDriver(Store& store, std::uint64_t seed = 1);

    // ---- steps of a transaction -----------------------------------------------------------
    [[nodiscard]] Result<Loaded> load(LoadSpec spec);
    [[nodiscard]] Result<Written> write_own(OwnWrites writes);
    [[nodiscard]] Result<void> commit(Changes changes);
    [[nodiscard]] Result<void> roll_back();

    // ---- whole transactions ---------------------------------------------------------------
    // Loads, and leaves everything as it was.
    [[nodiscard]] Loaded look(LoadSpec spec);
    // Loads nothing and commits.
    [[nodiscard]] Result<void> write(Changes changes);

    // Decides commands as one batch. The replies are in their order.
    template <typename... Command>
    [[nodiscard]] std::tuple<Reply<Command>...> run(const Command&... commands) {
        LoadSpec spec;
        (name_rows(commands, spec), ...);
        Workspace workspace(load(without_guesses(std::move(spec))).value(), settings_, ids_,
                            random_);
        std::tuple<Reply<Command>...> replies{decide_one(commands, workspace)...};
        finish(workspace);
        return replies;
    }

    // The same for commands of any kind; `AnyReply` is a variant of their replies.
    template <typename AnyReply, typename AnyCommand>
    [[nodiscard]] std::vector<AnyReply> run_batch(const std::vector<AnyCommand>& commands) {
        return try_batch<AnyReply>(commands).value();
    }

    // The same on a store that may fail.
    template <typename AnyReply, typename AnyCommand>
    [[nodiscard]] Result<std::vector<AnyReply>> try_batch(const std::vector<AnyCommand>& commands) {
        LoadSpec spec;
        for (const AnyCommand& command : commands) {
            std::visit([&](const auto& one) { name_rows(one, spec); }, command);
        }
        SEMEL_TRY(loaded, load(without_guesses(std::move(spec))));
        Workspace workspace(std::move(loaded), settings_, ids_, random_);
        std::vector<AnyReply> replies;
        replies.reserve(commands.size());
        for (const AnyCommand& command : commands) {
            replies.push_back(std::visit(
                [&](const auto& one) { return AnyReply(decide_one(one, workspace)); }, command));
        }
        SEMEL_CHECK(commit(workspace.take_changes()));
        return replies;
    }

    // ---- reads ----------------------------------------------------------------------------
    template <typename T>
    [[nodiscard]] Result<T> read(const std::function<void(Reads&, Done<T>)>& ask) {
        const auto promise = std::make_shared<std::promise<Result<T>>>();
        ask(store_.reads(), [promise](Result<T> result) { promise->set_value(std::move(result)); });
        return promise->get_future().get();
    }
    [[nodiscard]] std::optional<ActionDetails> get_action(const std::string& tenant,
                                                          const JobId& id);
    [[nodiscard]] std::vector<ActionView> list_actions(const std::string& tenant,
                                                       const ActionFilter& filter = {},
                                                       std::optional<JobId> before = {},
                                                       int limit = 1'000'000);
    [[nodiscard]] std::vector<LoggedDecision> list_decisions(
        const std::string& tenant, std::optional<std::int64_t> before = {}, int limit = 1'000'000);
    [[nodiscard]] std::vector<JobId> walk_actions(const std::string& tenant,
                                                  const ActionFilter& filter,
                                                  std::optional<JobId> after, const JobId& before,
                                                  int limit);
    [[nodiscard]] MatchedActions count_actions(const std::string& tenant,
                                               const ActionFilter& filter);
    [[nodiscard]] std::optional<ChainView> get_chain(const std::string& tenant, const JobId& id);
    [[nodiscard]] std::vector<ChainView> list_chains(const std::string& tenant,
                                                     const ChainFilter& filter = {},
                                                     std::optional<JobId> before = {},
                                                     int limit = 1'000'000);
    [[nodiscard]] std::vector<StepView> list_steps(const std::string& tenant, const JobId& chain,
                                                   int from = 0, int limit = 1'000'000);
    [[nodiscard]] std::optional<ScheduleView> get_schedule(const ScheduleKey& key);
    [[nodiscard]] std::vector<ScheduleView> list_schedules(const std::string& tenant,
                                                           std::optional<Uuid> before, int limit);
    [[nodiscard]] std::optional<BulkRun> get_bulk_run(const std::string& tenant, const Uuid& id);
    [[nodiscard]] std::vector<BulkRun> list_open_bulk_runs();
    [[nodiscard]] std::optional<Claim> get_claim(const std::string& tenant, const ClaimId& id);
    [[nodiscard]] std::vector<Claim> find_claims(const std::string& tenant,
                                                 const std::optional<std::string>& space,
                                                 const std::string& key, int limit = 1'000);
    [[nodiscard]] std::vector<Claim> list_uncertain_claims(const UncertainQuery& query);
    // In the order of their spaces.
    [[nodiscard]] std::vector<SpaceCount> count_uncertain_claims();
    [[nodiscard]] std::optional<std::string> get_response(const Uuid& id);
    [[nodiscard]] std::vector<ApiToken> list_api_tokens();
    [[nodiscard]] std::vector<JobCount> count_jobs();

    [[nodiscard]] Settings& settings() { return settings_; }

private:
    template <typename Command>
    [[nodiscard]] Reply<Command> decide_one(const Command& command, Workspace& workspace) {
        workspace.savepoint();
        Reply<Command> reply = decide(command, workspace);
        if (std::holds_alternative<Problem>(reply)) {
            workspace.roll_back();
        }
        return reply;
    }
    void finish(Workspace& workspace);
    // A batch that was decided by a guess may have to be decided again, which an engine does.
    [[nodiscard]] static LoadSpec without_guesses(LoadSpec spec);

    template <typename T>
    [[nodiscard]] Result<T> await(const std::function<void(Done<T>)>& step) {
        std::optional<Result<T>> answer;
        step([&](Result<T> result) { answer.emplace(std::move(result)); });
        mailbox_->run_until([&] { return answer.has_value(); });
        return std::move(*answer);
    }

    Store& store_;
    std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
    std::unique_ptr<Committer> committer_;
    Settings settings_;
    std::mt19937_64 engine_;
    std::function<std::uint64_t()> random_;
    UuidGenerator ids_;
};

}  // namespace semel::test
