// What a seed's clients send through the gateway, how its upstream answers, and what operators do,
// as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace semel::sim {

struct Plan;

// A client, by the headers that tell it from others.
struct PassCaller {
    std::string authorization;  // empty: without this header
    std::string api_key;
};
inline const std::vector<PassCaller> kPassCallers = {
    {"Bearer ann", ""}, {"Bearer bob", ""}, {"", "ann"}, {"", "bob"}};

// How the upstream meets one request that it is sent.
enum class Meeting {
    answers,
    refuses_connection,
    hangs,
    resets,  // the connection, before the first byte of an answer
    cuts,    // the answer
};
[[nodiscard]] std::string_view to_string(Meeting meeting);

struct UpstreamTurn {
    Meeting meeting = Meeting::answers;
    bool has_effect = true;
    bool has_early_effect = false;  // when it arrives, otherwise when it is answered
    int status = 200;
    bool is_large = false;  // the answer is too large to keep
    Millis takes{0};
};

struct PassRequestPlan {
    int number = 0;
    Millis at{0};
    std::string tenant;
    std::size_t caller = 0;  // which of kPassCallers
    std::string key;
    int content = 0;
    int query = 0;
    int sends = 1;                    // so often it is sent, whatever it is told
    Millis pause{0};                  // before it is sent again
    std::optional<Millis> hangs_up;   // so soon after it was sent for the first time
    std::vector<UpstreamTurn> turns;  // of its meetings with the upstream; the last one stays
};

enum class PassVisit { resolve_sealed, resolve_released, remove };
[[nodiscard]] std::string_view to_string(PassVisit visit);

// What an operator does about a request's claim.
struct PassVisitPlan {
    Millis at{0};
    std::size_t request = 0;  // by its place in the plan
    PassVisit what = PassVisit::remove;
    bool has_answer = false;  // resolve_sealed: with what the upstream is said to have answered
};

struct PassPlan {
    bool honours_keys = false;  // the upstream
    bool releases_5xx = false;
    Millis timeout{0};
    Millis wait{0};
    Millis ttl{0};
    std::vector<PassRequestPlan> requests;
    std::vector<PassVisitPlan> visits;
};

[[nodiscard]] std::string to_text(const PassPlan& plan);

// From this seed on, plans are about the gateway alone.
inline constexpr std::uint64_t kFirstPassSeed = 1'000'001;
// REQUIRES: the seed is one of these.
[[nodiscard]] Plan make_pass_plan(std::uint64_t seed);

}  // namespace semel::sim
