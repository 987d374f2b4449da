// Pass: the part of a claim's effect that only claims of passes (requests of the gateway) have.
//
// A request holds up to two claims: a key claim for its Idempotency-Key, and a guard claim for its
// content. Both rows have a Pass. All types here are plain values. Their rules are in
// core/passes/pass.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/actions/job.hpp"

namespace semel {

// The other claim of the same request.
struct Twin {
    ClaimId claim;
    Token token = Token::none;

    bool operator==(const Twin&) const = default;
};

struct AnswerHeader {
    std::string name;
    std::string value;

    bool operator==(const AnswerHeader&) const = default;
};

// The upstream's answer, as later requests receive it. Its body is a separate row.
struct KeptAnswer {
    int status = 200;
    std::vector<AnswerHeader> headers;
    Uuid response;          // the id of the body's row: the effect id of the pass that made it
    std::int64_t size = 0;  // of the body, in bytes
    bool has_body = false;  // false: the answer was too large, or a stream
    // Under a key that met a guard's answer: the finished duplicate message. The answer then
    // belongs to another pass.
    std::string note;
    bool is_borrowed = false;

    bool operator==(const KeptAnswer&) const = default;
};

struct Pass {
    Uuid effect;       // made at admission, and kept when a retry takes over
    Uuid admitted_by;  // the effect id in the owner's own request: another one after a retry
    std::optional<Time> dispatched_at;  // from then on the request may have left
    int attempt = 1;
    Time remembered_until;  // creation plus the route's ttl or window
    std::optional<Twin> twin;
    std::string sent_key;  // the Idempotency-Key that the upstream receives
    Hash256 principal;     // only this principal sees the answer
    std::optional<KeptAnswer> answer;

    bool operator==(const Pass&) const = default;
};

}  // namespace semel
