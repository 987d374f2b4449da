#include "api/scheduled_json.hpp"

#include "api/action_json.hpp"
#include "api/answer.hpp"

namespace semel {
namespace {

// The usual bytes of an action without its payload.
constexpr std::size_t kUsualActionBytes = 1024;

void write_decision(JsonWriter& out, const ScheduledAction& scheduled) {
    out.member("id", scheduled.action.job.id.to_string());
    out.member("decision", to_string(scheduled.decision));
    out.member("replaced", scheduled.replaced);
    if (scheduled.purged) {
        out.member("status", to_string(scheduled.action.job.status));
        out.member("purged", true);
    }
    if (scheduled.payload_differs) {
        out.member("payloadDiffers", true);
    }
    if (!scheduled.ignored.empty()) {
        out.begin_array("ignored");
        for (const std::string& name : scheduled.ignored) {
            out.string(name);
        }
        out.end_array();
    }
    if (scheduled.successor_of) {
        out.member("successorOf", scheduled.successor_of->to_string());
    }
}

}  // namespace

Receipt schedule_receipt(const ScheduleActions::Outcome& items) {
    const auto& item = items.front();
    if (const auto* problem = std::get_if<Problem>(&item)) {
        return problem_receipt(*problem, decision_of(*problem));
    }
    const auto& scheduled = std::get<ScheduledAction>(item);
    JsonWriter out(kUsualActionBytes + scheduled.action.body.payload.size());
    out.begin_object();
    write_decision(out, scheduled);
    if (!scheduled.purged) {
        out.key("action");
        write_action(out, scheduled.action);
    }
    out.end_object();
    return {.status = scheduled.decision == Decision::new_ ? 201 : 200, .body = out.take()};
}

Receipt batch_receipt(const ScheduleActions::Outcome& items) {
    JsonWriter out;
    out.begin_object().begin_array("results");
    for (const auto& item : items) {
        out.begin_object();
        if (const auto* problem = std::get_if<Problem>(&item)) {
            out.member_raw("error", problem_json(*problem, decision_of(*problem)));
        } else {
            write_decision(out, std::get<ScheduledAction>(item));
        }
        out.end_object();
    }
    out.end_array().end_object();
    return {.status = 200, .body = out.take()};
}

}  // namespace semel
