#include "store/redis/save.hpp"

#include <algorithm>

#include "core/fences/fence.hpp"
#include "core/limits.hpp"
#include "store/redis/layout.hpp"

namespace semel::redis {
namespace {

// How long a commit can be searched for after its answer was lost. Much longer than find_out()
// needs.
constexpr Millis kMarkKept = std::chrono::minutes(10);
// Upkeep deletes expired rows. If no node runs, Redis drops them after this time, which is longer
// than any seal is remembered.
constexpr Millis kLiesAfterExpiry = kTombstoneRetention + std::chrono::hours(24 * 30);

// Numbers of keys in the script.
constexpr const char* kClaimIndex = "3";
constexpr const char* kSourceIndex = "4";

std::string text_of(Time time) {
    return std::to_string(to_ms(time));
}

class CommitBuilder {
public:
    CommitBuilder(const FetchedRows& fetched, Time now) : fetched_(fetched), now_(now) {}

    void add(const Changes& changes) {
        // Rows that a decision has read and not changed must be unchanged too.
        for (const std::string& key : fetched_.source_keys()) (void)row(key, true);
        for (const auto& [id, content] : changes.contents) contents_[id] = &content;
        for (const Change<Claim>& change : changes.claims) add(change);
        for (const auto& [id, content] : contents_) add_content(id, *content);
        for (const Change<Source>& change : changes.sources) add(change);
    }

    CommitCall finish(std::vector<std::string> keys, std::vector<std::string> arguments) {
        keys.insert(keys.end(), keys_.begin(), keys_.end());
        arguments.insert(arguments.end(), expected_.begin(), expected_.end());
        arguments.insert(arguments.end(), changes_.begin(), changes_.end());
        return {std::move(keys), std::move(arguments)};
    }

private:
    // Returns the number of a row in the script. `was_there`: whether a row that was not fetched
    // must exist.
    std::string row(const std::string& key, bool was_there) {
        const auto [at, is_new] = numbers_.try_emplace(key, keys_.size() + 1);
        if (is_new) {
            const auto stamp = fetched_.stamps().find(key);
            const bool is_fetched = stamp != fetched_.stamps().end();
            keys_.push_back(key);
            expected_.push_back(is_fetched ? stamp->second : was_there ? "*" : "");
        }
        return std::to_string(at->second);
    }

    void say(std::vector<std::string> words) {
        changes_.insert(changes_.end(), std::make_move_iterator(words.begin()),
                        std::make_move_iterator(words.end()));
    }

    void say(const Fields& fields, const std::vector<std::string>& forgotten) {
        say({std::to_string(fields.size())});
        for (const auto& [name, value] : fields) say({name, value});
        say({std::to_string(forgotten.size())});
        say(forgotten);
    }

    void put(const std::string& number, const char* index, const std::string& member,
             const Fields& fields, const std::vector<std::string>& forgotten,
             const std::optional<Time>& expires) {
        say({number, index, member, "put"});
        say(fields, forgotten);
        say({expires ? text_of(*expires) : "", expires ? lies_for(*expires) : ""});
    }

    // Returns the time to live. A duration, because the server's clock can differ from store time.
    [[nodiscard]] std::string lies_for(Time expires) const {
        const Millis left = std::max(expires - now_, Millis(0));
        return std::to_string((left + kLiesAfterExpiry).count());
    }

    void add(const Change<Claim>& change) {
        const ClaimId& id = change.after ? change.after->id : change.before->id;
        const std::string number = row(claim_key(id), change.before.has_value());
        const auto content = contents_.find(id);
        if (!change.after) {
            say({number, kClaimIndex, id.to_hex(), "drop"});
        } else {
            Fields fields = fields_of(*change.after);
            std::vector<std::string> forgotten;
            if (fetched_.is_damaged(claim_key(id))) {  // it may be no hash
                say({number, kClaimIndex, id.to_hex(), "drop"});
            }
            add_receipt(change, fields, forgotten);
            if (content != contents_.end()) add_content(*content->second, fields, forgotten);
            put(number, kClaimIndex, id.to_hex(), fields, forgotten, change.after->expires_at);
        }
        if (content != contents_.end()) contents_.erase(content);
    }

    // Adds the receipt if it has changed. Counting repeats changes the claim but not its receipt.
    static void add_receipt(const Change<Claim>& change, Fields& fields,
                            std::vector<std::string>& forgotten) {
        const auto& receipt = change.after->receipt;
        if (!receipt) {
            forgotten.emplace_back(kReceiptField);
        } else if (!change.before || change.before->receipt != receipt) {
            fields.emplace_back(kReceiptField, receipt->body);
        }
    }

    void add_content(const ClaimId& id, const std::optional<Content>& content) {
        Fields fields;
        std::vector<std::string> forgotten;
        add_content(content, fields, forgotten);
        say({row(claim_key(id), true), kClaimIndex, id.to_hex(), "edit"});
        say(fields, forgotten);
    }

    static void add_content(const std::optional<Content>& content, Fields& fields,
                            std::vector<std::string>& forgotten) {
        if (content && !content->json.empty()) {
            fields.emplace_back(kContentField, content->json);
        } else {
            forgotten.emplace_back(kContentField);
        }
    }

    void add(const Change<Source>& change) {
        const SourceKey& key = change.after ? change.after->key : change.before->key;
        const std::string number = row(source_key(key), change.before.has_value());
        if (change.after) {
            put(number, kSourceIndex, source_member(key), fields_of(*change.after), {},
                change.after->expires_at);
        } else {
            say({number, kSourceIndex, source_member(key), "drop"});
        }
    }

    const FetchedRows& fetched_;
    const Time now_;
    std::map<ClaimId, const std::optional<Content>*> contents_;  // not added with a claim yet
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::string> keys_;
    std::vector<std::string> expected_;
    std::vector<std::string> changes_;
};

}  // namespace

CommitCall make_commit(const Changes& changes, const FetchedRows& fetched, Time now,
                       const std::string& stamp, const std::string& data_set) {
    CommitBuilder builder(fetched, now);
    builder.add(changes);
    const bool ends_something =
        std::any_of(changes.claims.begin(), changes.claims.end(), may_end_hold);
    return builder.finish({kMetaKey, mark_key(stamp), kClaimsByExpiry, kSourcesByExpiry},
                          {stamp, text_of(now), std::to_string(kMarkKept.count()), data_set,
                           ends_something ? kEndsChannel : ""});
}

}  // namespace semel::redis
