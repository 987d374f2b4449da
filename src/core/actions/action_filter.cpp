#include "core/actions/action_filter.hpp"

#include "core/actions/filter_status.hpp"
#include "core/json/json_writer.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"

namespace semel {

bool ActionFilter::matches(const Job& job) const {
    return (!status || job.status == *status) && (!type || job.type == *type) &&
           (!lock_group || job.lock_group == *lock_group) && (!chain || job.chain == *chain) &&
           (!schedule_name || (job.occurrence && job.occurrence->name == *schedule_name)) &&
           (!from || job.created_at >= *from) && (!to || job.created_at < *to);
}

std::string ActionFilter::to_json() const {
    JsonWriter out;
    out.begin_object();
    if (status) out.member("status", to_string(*status));
    out.member_if("type", type);
    out.member_if("lockGroup", lock_group);
    out.member_if("scheduleName", schedule_name);
    if (chain) out.member("chainId", chain->to_string());
    if (from) out.member("from", format_rfc3339(*from));
    if (to) out.member("to", format_rfc3339(*to));
    return out.end_object().take();
}

std::variant<ActionFilter, Problem> ActionFilter::from_json(json::Value object,
                                                            const std::string& pointer) {
    MemberReader reader(object, pointer);
    ActionFilter filter;
    if (const auto word = reader.text("status", 1, kNameBytesMax)) {
        filter.status = read_filter_status(
            *word, [&reader](const std::string& why) { reader.fail("status", "`status` " + why); });
    }
    filter.type = reader.name("type");
    filter.lock_group = reader.name("lockGroup");
    filter.schedule_name = reader.name("scheduleName");
    filter.chain = reader.uuid("chainId");
    filter.from = reader.time("from");
    filter.to = reader.time("to");
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    return filter;
}

bool ChainFilter::matches(const Job& first, const Job& last) const {
    return (!status || last.status == *status) && (!type || first.type == *type) &&
           (!from || first.created_at >= *from) && (!to || first.created_at < *to);
}

}  // namespace semel
