#include "store/postgres/durability.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace semel::postgres {
namespace {

constexpr Millis kDurabilityEvery = std::chrono::seconds(5);

// Returns the strength of a setting. `off` and unknown words promise least.
int strength_of(const std::string& synchronous_commit) {
    constexpr std::array<std::string_view, 4> kGrowing = {"local", "remote_write", "on",
                                                          "remote_apply"};
    const auto* const at = std::find(kGrowing.begin(), kGrowing.end(), synchronous_commit);
    return at == kGrowing.end() ? 0 : static_cast<int>(at - kGrowing.begin()) + 1;
}

}  // namespace

Durability judge(const DurabilitySettings& settings) {
    const std::string& commit = settings.synchronous_commit;
    const std::string& standbys = settings.synchronous_standby_names;
    if (settings.fsync != "on") {
        return {"a power cut or a crash of the server may lose or damage everything (fsync = off)",
                false};
    }
    if (settings.full_page_writes != "on") {
        return {"a power cut may damage pages that were being written (full_page_writes = off)",
                false};
    }
    if (commit == "off") {
        return {"a crash of the server may lose the last commits (synchronous_commit = off)",
                false};
    }
    if (standbys.empty() || commit == "local") {
        return {
            "an acknowledged commit is synced to the server's disk: it survives a crash and a "
            "power cut of that server, but a failover to a standby may lose it",
            true};
    }
    return {fmt::format("an acknowledged commit is synced to the server's disk and confirmed by "
                        "its synchronous standbys ({}, synchronous_commit = {}): it survives a "
                        "failover to one of them",
                        standbys, commit),
            true};
}

Result<DurabilitySettings> read_durability_settings(Connection& connection) {
    SEMEL_TRY(rows, connection.ask(
                        "select current_setting('fsync'), current_setting('full_page_writes'), "
                        "current_setting('synchronous_commit'), "
                        "current_setting('synchronous_standby_names')"));
    rows.next_row();
    DurabilitySettings settings;
    settings.fsync = rows.read_string();
    settings.full_page_writes = rows.read_string();
    settings.synchronous_commit = rows.read_string();
    settings.synchronous_standby_names = rows.read_string();
    return settings;
}

Result<Durability> read_durability(Connection& connection) {
    SEMEL_TRY(settings, read_durability_settings(connection));
    return judge(settings);
}

void DurabilityWatch::inspect(Connection& connection, Time now) {
    if (now >= next_poll_) {
        next_poll_ = now + kDurabilityEvery;
        heard(connection);
    }
}

void DurabilityWatch::heard(Connection& connection) {
    if (auto read = read_durability_settings(connection)) {
        const std::lock_guard lock(mutex_);
        present_ = *std::move(read);
    }
}

void DurabilityWatch::commits_with(std::size_t writer, const std::string& synchronous_commit) {
    const std::lock_guard lock(mutex_);
    writers_[writer] = synchronous_commit;
}

Durability DurabilityWatch::present() const {
    const std::lock_guard lock(mutex_);
    DurabilitySettings weakest = present_;
    for (const auto& [writer, commit] : writers_) {
        if (strength_of(commit) < strength_of(weakest.synchronous_commit)) {
            weakest.synchronous_commit = commit;
        }
    }
    return judge(weakest);
}

}  // namespace semel::postgres
