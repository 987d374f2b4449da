#include "api/job_calls.hpp"

#include "api/answer.hpp"
#include "core/chains/chain_request.hpp"
#include "core/json/json_writer.hpp"

namespace semel {

Completion read_completion(MemberReader& reader, std::string_view tenant,
                           const Settings& settings) {
    Completion completion;
    const auto output = reader.any("output");
    if (output && !output->is_null()) {
        completion.output = std::string(output->raw());
    }
    const auto next = reader.object("continueWith");
    if (!next) {
        return completion;
    }
    if (completion.output) {
        reader.fail("continueWith", "give `output` or `continueWith`, not both");
        return completion;
    }
    auto read = read_continuation(*next, tenant, settings, reader.pointer_to("continueWith"));
    if (auto* problem = std::get_if<Problem>(&read)) {
        reader.fail(std::move(*problem));
    } else {
        completion.continue_with = std::get<Continuation>(std::move(read));
    }
    return completion;
}

Receipt job_receipt(const Item<JobAnswer>& item) {
    if (const auto* problem = std::get_if<Problem>(&item)) {
        return problem_receipt(*problem);
    }
    const auto& answer = std::get<JobAnswer>(item);
    JsonWriter out;
    out.begin_object();
    out.member("id", answer.id.to_string());
    out.member("status", to_string(answer.status));
    out.member("token", to_int(answer.token));
    if (answer.lease_until) {
        out.member("leaseUntil", format_rfc3339(*answer.lease_until));
    }
    if (answer.next) {
        out.member("nextId", answer.next->to_string());
    }
    out.end_object();
    return {.status = 200, .body = out.take()};
}

}  // namespace semel
