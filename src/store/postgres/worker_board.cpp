#include "store/postgres/worker_board.hpp"

namespace semel::postgres {
namespace {

// How often the row of a present worker is renewed, instead of with each of its calls.
constexpr Millis kRenewAfter = std::chrono::seconds(30);
constexpr Millis kExchangeEvery = Millis(400);
constexpr Millis kTidyBoardEvery = std::chrono::minutes(1);
// The limit of lanes per node, because a caller can invent any number of types.
constexpr std::size_t kLanesMax = 10'000;

bool covers(const KnownWorkers& workers, const Lane& lane, Time now) {
    const auto found = workers.find(lane);
    return found != workers.end() && now < found->second;
}

}  // namespace

void WorkerBoard::tell(KnownWorkers own) {
    const std::lock_guard lock(mutex_);
    own_ = std::move(own);
}

bool WorkerBoard::has_elsewhere(const Lane& lane, Time now) const {
    const std::lock_guard lock(mutex_);
    return covers(others_, lane, now) || covers(others_, {"", lane.second}, now);
}

KnownWorkers WorkerBoard::unwritten() const {
    const std::lock_guard lock(mutex_);
    KnownWorkers lanes;
    for (const auto& [lane, until] : own_) {
        const auto known = written_.find(lane);
        if (known == written_.end() || until >= known->second + kRenewAfter) {
            lanes.emplace(lane, until);
        }
        if (lanes.size() == kLanesMax) break;
    }
    return lanes;
}

void WorkerBoard::exchange(Connection& connection, Time now) {
    if (now >= next_exchange_) {
        next_exchange_ = now + kExchangeEvery;
        (void)write_and_read(connection, now);
    }
}

Result<void> WorkerBoard::write_and_read(Connection& connection, Time now) {
    const KnownWorkers lanes = unwritten();
    if (!lanes.empty()) {
        Array tenants(Type::text);
        Array types(Type::text);
        Array ends(Type::int8);
        for (const auto& [lane, until] : lanes) {
            tenants.bytes(lane.first);
            types.bytes(lane.second);
            ends.time(until);
        }
        connection.queue(
            "insert into semel.worker select $1, * from unnest($2, $3, $4) "
            "on conflict (node, tenant, type) do update set until = excluded.until",
            Params().id(node_).array(tenants).array(types).array(ends));
    }
    const bool tidies = now >= next_tidying_;
    if (tidies) {
        connection.queue("delete from semel.worker where until < $1", Params().time(now));
    }
    connection.queue(
        "select tenant, type, max(until) from semel.worker where node <> $1 and until > $2 "
        "group by tenant, type",
        Params().id(node_).time(now));
    SEMEL_TRY(answers, connection.flush());
    KnownWorkers others;
    while (answers.back().next_row()) {
        std::string tenant = answers.back().read_string();
        std::string type = answers.back().read_string();
        others[{std::move(tenant), std::move(type)}] = answers.back().read_time();
    }
    for (const auto& [lane, until] : lanes) written_[lane] = until;
    if (tidies) {
        next_tidying_ = now + kTidyBoardEvery;
        std::erase_if(written_, [now](const auto& entry) { return entry.second < now; });
    }
    const std::lock_guard lock(mutex_);
    others_ = std::move(others);
    return {};
}

}  // namespace semel::postgres
