// Chains: lines of jobs, each of which may name the next. See docs/guides/chains.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <semel/handler.hpp>
#include <semel/problem.hpp>
#include <semel/result.hpp>
#include <semel/time.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

class Host;
struct ChainSpec;

// A chain that a job waits for: one that exists, or one to start along with it.
class BlockerSpec {
public:
    BlockerSpec(const Uuid& id) : id_(id) {}
    BlockerSpec(ChainSpec chain);

    [[nodiscard]] const std::optional<Uuid>& id() const { return id_; }
    [[nodiscard]] const ChainSpec* chain() const { return chain_.get(); }

private:
    std::optional<Uuid> id_;
    std::shared_ptr<const ChainSpec> chain_;  // INVARIANT: null exactly if there is an id
};

// How a repeated start is recognised.
struct ChainKey {
    std::string key;
    Scope scope = Scope::incomplete;    // or any
    std::optional<Millis> window = {};  // since the match's start; absent: as long as keys live
    std::vector<Uuid> exclude = {};     // chains that do not count
};

struct ChainSpec {
    std::string type = {};
    std::string input = "{}";     // any JSON value
    std::optional<Uuid> id = {};  // absent: any
    std::optional<Time> scheduled_at = {};
    std::optional<Millis> delay = {};
    std::vector<BlockerSpec> blockers = {};
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;
    std::optional<ChainKey> deduplication = {};
    std::string lock_group = {};
    std::optional<int> max_retries = {};  // total attempts of each job; absent: without end
    std::string backoff = {};  // JSON, as in the HTTP API; empty: 10 s, doubled up to 5 minutes
    std::optional<Millis> timeout = {};
    int priority = 0;
    std::string tenant = "default";  // of an inline blocker: that of the job that waits for it
};

inline BlockerSpec::BlockerSpec(ChainSpec chain)
    : chain_(std::make_shared<const ChainSpec>(std::move(chain))) {}

struct ChainAnswer {
    Uuid id;
    bool deduplicated = false;            // it is a chain that was there
    bool input_differs = false;           // and had another input
    std::optional<Problem> problem = {};  // refused: nothing was changed, and `id` is nil

    explicit operator bool() const { return !problem; }
};

// Status, output and error are those of its last job.
struct ChainInfo {
    Uuid id;
    std::string type;
    std::string input;
    Status status = Status::pending;
    std::optional<std::string> output;
    std::optional<std::string> error_message;
    int chain_index = 0;  // of the last job
};

// An engine's chains. Thread-safe; each call blocks until the answer is durable. An Error is an
// operating failure.
class Chains {
public:
    explicit Chains(Host& host) : host_(host) {}  // for Engine

    [[nodiscard]] Result<ChainAnswer> start(const ChainSpec& chain);
    // One commit for all of them; answers in order.
    [[nodiscard]] Result<std::vector<ChainAnswer>> start_all(const std::vector<ChainSpec>& chains);

    [[nodiscard]] Result<std::optional<ChainInfo>> get(const Uuid& id,
                                                       const std::string& tenant = "default");
    // Waits for its end, but not longer than `patience`: look at the status.
    [[nodiscard]] Result<std::optional<ChainInfo>> wait(const Uuid& id, Millis patience,
                                                        const std::string& tenant = "default");

    // Ends the chain's current job without a worker, with the output or the continuation of
    // `result`. Absent: done. Otherwise what stands against it.
    [[nodiscard]] Result<std::optional<Problem>> complete(const Uuid& id, int chain_index,
                                                          const HandlerResult& result,
                                                          const std::string& tenant = "default");
    [[nodiscard]] Result<std::optional<Problem>> cancel(const Uuid& id,
                                                        const std::string& tenant = "default");

private:
    Host& host_;
};

}  // namespace semel
