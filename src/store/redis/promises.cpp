#include "store/redis/promises.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel::redis {
namespace {

constexpr std::int64_t kOldestMajor =
    7;  // scripts name their language, SET answers with NX and GET

// Returns the value of a line `name:value` of INFO, or "" without the line.
std::string info_value(std::string_view info, std::string_view name) {
    const std::string start = fmt::format("\n{}:", name);
    const std::string text = "\n" + std::string(info);
    const std::size_t at = text.find(start);
    if (at == std::string::npos) {
        return "";
    }
    const std::size_t begin = at + start.size();
    return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

// Returns the value in a reply to CONFIG GET, or "" if the command is forbidden.
std::string config_value(const Reply& reply) {
    return reply.kind == Reply::Kind::list && reply.items.size() >= 2 ? reply.items[1].text : "";
}

bool loses_by_eviction(const ServerSettings& settings) {
    return !settings.maxmemory_policy.empty() && settings.maxmemory_policy != "noeviction";
}

}  // namespace

Result<ServerSettings> read_settings(Connection& connection) {
    for (const char* name : {"appendonly", "appendfsync", "maxmemory-policy"}) {
        connection.queue({"CONFIG", "GET", name});
    }
    connection.queue({"INFO", "server"});
    connection.queue({"INFO", "replication"});
    SEMEL_TRY(replies, connection.flush());
    if (replies[4].is_error()) {
        return error_of(replies[4]);
    }
    ServerSettings settings;
    settings.appendonly = config_value(replies[0]);
    settings.appendfsync = config_value(replies[1]);
    settings.maxmemory_policy = config_value(replies[2]);
    settings.version = info_value(replies[3].text, "redis_version");
    settings.mode = info_value(replies[3].text, "redis_mode");
    settings.role = info_value(replies[4].text, "role");
    settings.replicas = static_cast<int>(
        parse_decimal(info_value(replies[4].text, "connected_slaves")).value_or(0));
    return settings;
}

Result<void> check_usable(const ServerSettings& settings) {
    const auto major = parse_decimal(settings.version.substr(0, settings.version.find('.')));
    if (major && *major < kOldestMajor) {
        return Error(ErrorCode::refused,
                     fmt::format("it is Redis {}, and fences need Redis {} or newer",
                                 settings.version, kOldestMajor));
    }
    if (settings.mode == "cluster") {
        return Error(ErrorCode::refused,
                     "it is one of a cluster, where no script may write rows of several servers: "
                     "give fences a server of their own");
    }
    if (settings.role == "slave") {
        return Error(ErrorCode::refused,
                     "it is a replica, which takes no writes: name its master in `stores.url`");
    }
    return {};
}

std::string promise_of(const ServerSettings& settings) {
    const std::string eviction =
        loses_by_eviction(settings)
            ? fmt::format("; when memory is full, fences are thrown away (maxmemory-policy = {})",
                          settings.maxmemory_policy)
            : "";
    if (settings.appendonly.empty()) {
        return "what an acknowledged fence survives is not known, because this server does not "
               "show its settings; a failover may lose it" +
               eviction;
    }
    if (settings.appendonly != "yes") {
        return "a restart of Redis loses fences, all of them or those since its last snapshot "
               "(appendonly = no)" +
               eviction;
    }
    if (settings.appendfsync != "always") {
        return fmt::format(
                   "a crash of the machine or a power cut loses the fences of the last second or "
                   "more (appendfsync = {}), and a failover to a replica may lose some",
                   settings.appendfsync) +
               eviction;
    }
    return "an acknowledged fence is in the append-only file and synced: it survives a crash and a "
           "power cut of that server, but a failover to a replica may lose it" +
           eviction;
}

std::vector<StoreWarning> warnings_of(const ServerSettings& settings) {
    std::vector<StoreWarning> warnings;
    if (loses_by_eviction(settings)) {
        warnings.push_back({"redis_evicts",
                            fmt::format("maxmemory-policy is {}: when memory is full, Redis throws "
                                        "fences away, and what was done is done again",
                                        settings.maxmemory_policy),
                            "set `maxmemory-policy noeviction`, and give fences a server of their "
                            "own"});
    }
    if (settings.appendonly == "no") {
        warnings.push_back({"redis_forgets",
                            "appendonly is no: a restart of Redis loses fences that were "
                            "acknowledged",
                            "set `appendonly yes` and `appendfsync always`"});
    } else if (settings.appendonly == "yes" && settings.appendfsync != "always") {
        warnings.push_back({"redis_forgets",
                            fmt::format("appendfsync is {}: a power cut loses fences that were "
                                        "acknowledged",
                                        settings.appendfsync),
                            "set `appendfsync always`"});
    }
    if (settings.role == "slave") {
        warnings.push_back({"redis_is_replica", "this server is a replica, which takes no writes",
                            "name its master in `stores.url`"});
    }
    return warnings;
}

void PromiseWatch::inspect(Connection& connection) {
    if (auto read = read_settings(connection)) {
        const std::lock_guard lock(mutex_);
        present_ = *std::move(read);
    }
}

ServerSettings PromiseWatch::present() const {
    const std::lock_guard lock(mutex_);
    return present_;
}

}  // namespace semel::redis
