#include "support/store_world.hpp"

#include <fmt/format.h>

#include "support/rows.hpp"

namespace semel::test {

StoredRows StoreWorld::rows() {
    StoredRows rows;
    LoadSpec spec;
    spec.groups = RandomCommands::groups();
    spec.claims = RandomCommands::claims();
    Loaded loaded = driver_.look(spec);
    rows.now = loaded.now;
    rows.groups = std::move(loaded.groups);
    rows.claims = std::move(loaded.claims);
    for (const std::string& tenant : RandomCommands::tenants()) {
        for (ActionView& view : driver_.list_actions(tenant)) {
            rows.actions.push_back(std::move(view));
        }
    }
    return rows;
}

std::string StoreWorld::to_text_all() {
    const StoredRows all = rows();
    std::string text;
    for (const ActionView& view : all.actions) {
        text += to_text(view) + "\n";
        const auto details = driver_.get_action(view.job.tenant, view.job.id);
        for (const Attempt& attempt : details->history) text += to_text(attempt) + "\n";
    }
    for (const LockGroup& group : all.groups) {
        text += fmt::format("{} {} {}\n", group.key.tenant, group.key.name, group.head.to_string());
    }
    for (const Claim& claim : all.claims) text += to_text(claim) + "\n";
    for (const std::string& tenant : RandomCommands::tenants()) {
        for (const auto& logged : driver_.list_decisions(tenant)) {
            text += to_text(logged.entry) + "\n";
        }
    }
    for (const JobCount& count : driver_.count_jobs()) {
        text += fmt::format("{} {} {}\n", count.type, to_string(count.status), count.count);
    }
    return text;
}

}  // namespace semel::test
