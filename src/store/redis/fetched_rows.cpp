#include "store/redis/fetched_rows.hpp"

#include "store/redis/layout.hpp"
#include "store/redis/scripts.hpp"

namespace semel::redis {
namespace {

// Entries by expiry whose rows were absent when they were fetched.
class Gone {
public:
    Gone(const std::map<std::string, std::string>& stamps, const char* index)
        : stamps_(stamps), keys_({index}) {}

    void add(std::string key, std::string member) {
        const auto stamp = stamps_.find(key);
        if (stamp != stamps_.end() && stamp->second.empty()) {
            keys_.push_back(std::move(key));
            members_.push_back(std::move(member));
        }
    }
    // If another node has created such a row since, its entry stays.
    [[nodiscard]] Result<void> forget(Connection& connection) const {
        if (!members_.empty()) {
            SEMEL_CHECK(sweep_script().run(connection, keys_, members_));
        }
        return {};
    }

private:
    const std::map<std::string, std::string>& stamps_;
    std::vector<std::string> keys_;  // of Redis: the index, then rows
    std::vector<std::string> members_;
};

}  // namespace

void FetchedRows::ask(Connection& connection, const Command& command, Read read) {
    connection.queue(command);
    reads_.push_back(std::move(read));
}

Result<void> FetchedRows::queue(Connection& connection) {
    ask_rows(connection);
    ask_contents(connection);
    ask_expired_rows(connection);
    if (has_wishes()) {
        return Error(ErrorCode::refused, "Redis holds fences, and was asked for something else");
    }
    return {};
}

void FetchedRows::ask_rows(Connection& connection) {
    for (const ClaimId& id : std::exchange(claims_.wishes, {})) {
        ask(connection, ask_claim(id), [this, id](const Reply& reply) -> Result<void> {
            SEMEL_TRY(found, read_claim(id, reply));
            stamps_[claim_key(id)] = found.stamp;
            claims_.values[id] = std::move(found.row);
            if (!found.damage.empty()) {
                damaged_keys_.insert(claim_key(id));
                damaged_.claims.emplace_back(id, std::move(found.damage));
            }
            return {};
        });
    }
    for (const SourceKey& key : std::exchange(sources_.wishes, {})) {
        ask(connection, ask_source(key), [this, key](const Reply& reply) -> Result<void> {
            SEMEL_TRY(found, read_source(key, reply));
            stamps_[source_key(key)] = found.stamp;
            source_keys_.insert(source_key(key));
            sources_.values[key] = std::move(found.row);
            if (!found.damage.empty()) {
                damaged_keys_.insert(source_key(key));
                damaged_.sources.emplace_back(key, std::move(found.damage));
            }
            return {};
        });
    }
}

// Reads contents after their claims. The commit finds a change in between by the claim's stamp.
void FetchedRows::ask_contents(Connection& connection) {
    for (const ClaimId& id : std::exchange(contents_.wishes, {})) {
        ask(connection, {"HGET", claim_key(id), kContentField},
            [this, id](const Reply& reply) -> Result<void> {
                if (reply.is_error() && !is_wrong_type(reply)) {
                    return error_of(reply);
                }
                const bool is_there = !reply.is_nil() && !reply.is_error();
                contents_.values[id] = is_there ? std::optional(Content{reply.text}) : std::nullopt;
                return {};
            });
    }
}

void FetchedRows::ask_expired(Connection& connection, const char* index, int limit,
                              std::function<void(const std::string&)> each) {
    ask(connection,
        {"ZRANGEBYSCORE", index, "-inf", std::to_string(to_ms(expired_by_)), "LIMIT", "0",
         std::to_string(limit)},
        [each = std::move(each)](const Reply& reply) -> Result<void> {
            if (reply.is_error()) {
                return error_of(reply);
            }
            for (const Reply& member : reply.items) each(member.text);
            return {};
        });
}

void FetchedRows::ask_expired_rows(Connection& connection) {
    for (const int limit : std::exchange(expired_claims_.wishes, {})) {
        auto& ids = expired_claims_.values[limit];
        ask_expired(connection, kClaimsByExpiry, limit, [&ids](const std::string& member) {
            if (const auto id = Hash256::parse(member)) ids.push_back(*id);
        });
    }
    for (const int limit : std::exchange(expired_sources_.wishes, {})) {
        auto& keys = expired_sources_.values[limit];
        ask_expired(connection, kSourcesByExpiry, limit, [&keys](const std::string& member) {
            if (auto key = read_source_member(member)) keys.push_back(*std::move(key));
        });
    }
}

Result<void> FetchedRows::take(const std::vector<Reply>& replies, std::size_t first) {
    const std::vector<Read> reads = std::exchange(reads_, {});
    for (std::size_t i = 0; i < reads.size(); ++i) {
        SEMEL_CHECK(reads[i](replies.at(first + i)));
    }
    return {};
}

Result<void> FetchedRows::sweep(Connection& connection) const {
    Gone claims(stamps_, kClaimsByExpiry);
    for (const auto& [limit, ids] : expired_claims_.values) {
        for (const ClaimId& id : ids) claims.add(claim_key(id), id.to_hex());
    }
    SEMEL_CHECK(claims.forget(connection));
    Gone sources(stamps_, kSourcesByExpiry);
    for (const auto& [limit, keys] : expired_sources_.values) {
        for (const SourceKey& key : keys) sources.add(source_key(key), source_member(key));
    }
    return sources.forget(connection);
}

}  // namespace semel::redis
