#include "api/waiting_for.hpp"

#include <fmt/format.h>

namespace semel {
namespace {

std::string attempts_of(const Job& job) {
    return job.max_retries == kUnlimitedRetries
               ? fmt::format("attempt {}", job.attempts)
               : fmt::format("attempt {} of {}", job.attempts, job.max_retries);
}

WaitingFor wait_for_time(const Job& job) {
    if (job.attempts > 0) {
        return {.reason = WaitReason::backoff,
                .until = job.scheduled_at,
                .detail = attempts_of(job) +
                          " did not succeed; the next one waits for its backoff. `run` starts it "
                          "now"};
    }
    return {.reason = WaitReason::not_due,
            .until = job.scheduled_at,
            .detail = "its time has not come. `run` starts it now"};
}

WaitingFor wait_for_predecessor(const Job& job) {
    return {.reason = WaitReason::predecessor,
            .held_by = job.predecessor,
            .detail =
                "an earlier action with the same key is running; this one follows when that "
                "attempt has ended"};
}

std::string describe_head(const Job& job, const GroupHead& head) {
    if (head.job.status == Status::running) {
        return fmt::format("lock group `{}` is held by a running action", job.lock_group);
    }
    if (!head.has_worker) {
        return fmt::format(
            "lock group `{}` is held by an action of type `{}`, which no worker "
            "asks for",
            job.lock_group, head.job.type);
    }
    return fmt::format("another action of lock group `{}` goes first", job.lock_group);
}

WaitingFor wait_for_group(const Job& job, const std::optional<GroupHead>& head) {
    WaitingFor waiting;
    waiting.reason = WaitReason::lock_group;
    if (head) {
        waiting.held_by = head->job.id;
        waiting.detail = describe_head(job, *head);
    } else {
        waiting.detail =
            fmt::format("another action of lock group `{}` goes first", job.lock_group);
    }
    return waiting;
}

// Describes the first chain in words, and the others by their ids.
WaitingFor wait_for_chains(const std::vector<BlockerView>& blockers) {
    WaitingFor waiting{.reason = WaitReason::blocked, .detail = {}};
    const BlockerView* first = nullptr;
    for (const BlockerView& blocker : blockers) {
        if (blocker.status != Status::completed) {
            waiting.blocked_by.push_back(blocker.id);
            first = first == nullptr ? &blocker : first;
        }
    }
    if (first == nullptr) {
        waiting.detail = "it waits for other chains to complete";
        return waiting;
    }
    const std::size_t others = waiting.blocked_by.size() - 1;
    waiting.detail =
        fmt::format("it is blocked by chain {} of type `{}`, which is {}{}", first->id.to_string(),
                    first->type, first->status ? to_string(*first->status) : "gone",
                    others == 0 ? std::string() : fmt::format(", and by {} more", others));
    return waiting;
}

WaitingFor wait_for_worker(const Job& job, bool has_worker) {
    if (has_worker) {
        return {.reason = WaitReason::ready,
                .detail = "it is due, and goes to the next worker that is free"};
    }
    return {.reason = WaitReason::no_worker,
            .detail = fmt::format("no worker has asked for type `{}` lately; start one, for "
                                  "example with `semel work --type {}`",
                                  job.type, job.type)};
}

}  // namespace

std::string_view to_string(WaitReason reason) {
    switch (reason) {
        case WaitReason::not_due: return "not_due";
        case WaitReason::backoff: return "backoff";
        case WaitReason::lock_group: return "lock_group";
        case WaitReason::predecessor: return "predecessor";
        case WaitReason::no_worker: return "no_worker";
        case WaitReason::blocked: return "blocked";
        case WaitReason::paused: return "paused";
        case WaitReason::ready: return "ready";
    }
    return "";
}

std::optional<WaitingFor> waiting_for(const Job& job, const Surroundings& surroundings) {
    if (job.status == Status::blocked) {
        return wait_for_chains(surroundings.blockers);
    }
    if (job.status != Status::pending) {
        return std::nullopt;
    }
    if (job.place == Place::predecessor) {
        return wait_for_predecessor(job);
    }
    if (job.place == Place::paused) {
        return WaitingFor{
            .reason = WaitReason::paused,
            .detail = fmt::format("its schedule `{}` is paused; resume it", job.occurrence->name)};
    }
    // A later member of a group waits for its own time first, also if other members are ahead.
    if (job.scheduled_at > surroundings.now) {
        return wait_for_time(job);
    }
    if (job.place == Place::waiting) {
        return wait_for_group(job, surroundings.group_head);
    }
    return wait_for_worker(job, surroundings.has_worker);
}

void write_waiting_for(JsonWriter& out, const WaitingFor& waiting) {
    out.begin_object();
    out.member("reason", to_string(waiting.reason));
    if (waiting.until) {
        out.member("until", format_rfc3339(*waiting.until));
    }
    if (waiting.held_by) {
        out.member("heldBy", waiting.held_by->to_string());
    }
    if (!waiting.blocked_by.empty()) {
        out.begin_array("blockedBy");
        for (const JobId& chain : waiting.blocked_by) {
            out.string(chain.to_string());
        }
        out.end_array();
    }
    out.member("detail", waiting.detail);
    out.end_object();
}

}  // namespace semel
