#include "store/postgres/durability.hpp"

#include <fmt/format.h>

namespace semel::postgres {
namespace {

constexpr Millis kLookEvery = std::chrono::seconds(5);

Durability judge(const std::string& fsync, const std::string& pages, const std::string& commit,
                 const std::string& standbys) {
    if (fsync != "on") {
        return {"a power cut or a crash of the server may lose or damage everything (fsync = off)",
                false};
    }
    if (pages != "on") {
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

}  // namespace

Result<Durability> read_durability(Connection& connection) {
    SEMEL_TRY(rows, connection.ask(
                        "select current_setting('fsync'), current_setting('full_page_writes'), "
                        "current_setting('synchronous_commit'), "
                        "current_setting('synchronous_standby_names')"));
    rows.next_row();
    const std::string fsync = rows.read_string();
    const std::string pages = rows.read_string();
    const std::string commit = rows.read_string();
    return judge(fsync, pages, commit, rows.read_string());
}

void DurabilityWatch::look(Connection& connection, Time now) {
    if (now >= next_look_) {
        next_look_ = now + kLookEvery;
        heard(connection);
    }
}

void DurabilityWatch::heard(Connection& connection) {
    if (auto read = read_durability(connection)) {
        const std::lock_guard lock(mutex_);
        present_ = *std::move(read);
    }
}

Durability DurabilityWatch::present() const {
    const std::lock_guard lock(mutex_);
    return present_;
}

}  // namespace semel::postgres
