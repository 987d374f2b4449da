// The commands about passes (requests of the gateway), as plain data (core/commands.hpp), and their
// answers.
//
// Lifetime: a command owns all its data.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/rows.hpp"
#include "core/reply.hpp"

namespace semel {

// One of the claims that a request asks for.
struct AskedClaim {
    ClaimId claim;
    std::string full_key;
    Millis ttl{0};  // the key's ttl or the guard's window, from the claim on
};

// A checked request that is to be forwarded. It asks for a key, a guard, or both.
struct PassRequest {
    std::string route;
    std::optional<AskedClaim> key = {};
    std::optional<AskedClaim> guard = {};
    Uuid effect;  // made by the node for this request alone
    Hash256 principal;
    std::string sent_key;                     // for the upstream
    std::optional<Hash256> fingerprint = {};  // compared under the key
    std::optional<std::string> content = {};  // JSON, the bytes of the body
    Millis lease{0};
    bool dispatched = false;             // a connection is in hand: the request leaves at once
    bool retries_uncertain = false;      // takes over a pass whose outcome is unknown
    std::string duplicate_message = {};  // with `{age}`, for a key that meets a guard's answer
    // Above zero: the caller waits and asks again if another request is in flight. This answer
    // `in_flight` is then not sent and not recorded.
    Millis wait{0};
};

struct PassAnswer {
    Decision decision = Decision::new_;  // or duplicate, in_flight
    // The claims after the decision. Absent: not asked for, or not looked at.
    std::shared_ptr<const Claim> key = {};
    std::shared_ptr<const Claim> guard = {};
    bool by_guard = false;  // the guard has decided
    // duplicate: the guard's answer belongs to another principal. `guard` comes without it.
    bool is_foreign = false;
    bool has_waited = false;                  // for another request. Set by the engine
    bool takeover = false;                    // new: of an owner whose lease ran out
    std::optional<Millis> retry_after = {};   // in_flight
    std::optional<SourceHolder> holder = {};  // in_flight: the claim that holds the request up
};

// Admits a request under its key and its guard, in one commit. The key is decided first. A request
// whose key is not to be had leaves the guard alone, and the reverse. A conflict is an Outcome too:
// it changes nothing but the decision log. A repeat with the same effect id has the same answer.
struct AdmitPass {
    using Outcome = Item<PassAnswer>;
    std::string tenant;
    PassRequest request;
};

// One claim of a pass, as its owner knows it.
struct PassRef {
    ClaimId claim;
    Token token = Token::none;
};

struct Dispatched {
    Time at;
    Time lease_until;
};

// Records that a request leaves now, and renews its lease. All its claims must be current,
// otherwise nothing changes and nothing must be sent.
struct DispatchPass {
    using Outcome = Dispatched;
    std::string tenant;
    std::vector<PassRef> claims;
};

// Renews leases. The claims can be of any tenant, because the caller is their node.
struct BeatPasses {
    using Outcome = std::vector<Item<Time>>;  // the ends of the leases, in order
    std::vector<PassRef> claims;
};

enum class PassEnd {
    seal,     // the answer is final
    release,  // nothing happened: the next request is `new`
    doubt,    // it is unknown whether the upstream has executed the request
};

struct PassCall {
    ClaimId claim;
    Token token = Token::none;
    PassEnd end = PassEnd::seal;
};

struct SettledPass {
    // The claims after the call. Absent: not named, or stale.
    std::shared_ptr<const Claim> key = {};
    std::shared_ptr<const Claim> guard = {};
    bool is_key_stale = false;  // named, and the call did not count
    bool is_guard_stale = false;
};

// Ends a request under its key and its guard, in one commit. A claim that is not named is kept. A
// stale one does not stop the other. A repeat has the same answer.
struct SettlePass {
    using Outcome = SettledPass;
    std::string tenant;
    std::optional<PassCall> key = {};
    std::optional<PassCall> guard = {};
    std::optional<KeptAnswer> answer = {};         // seal: `response` is set by the decision
    std::shared_ptr<const std::string> body = {};  // seal with a body
    std::string reason = {};                       // doubt
};

// An upstream's answer that an operator has found. Without a body it is a final answer that cannot
// be repeated.
struct FoundAnswer {
    int status = 200;
    std::vector<AnswerHeader> headers = {};
    std::shared_ptr<const std::string> body = {};
};

// Ends the leases of all passes that end within `lease`: a pass that was sent becomes uncertain,
// and every other one is deleted. For the start of a process that has its store for itself. More
// claims than `limit` are left to their leases.
struct EndEarlierLeases {
    using Outcome = int;  // ended claims
    Millis lease{0};
    int limit = 10'000;
};

}  // namespace semel
