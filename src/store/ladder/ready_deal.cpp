#include "store/ladder/ready_deal.hpp"

#include <algorithm>
#include <utility>

namespace semel {
namespace {

// How many entries of a queue are read at once. A read locks them and can be a round trip. So each
// queue is first read up to its share of the wanted jobs, and then further if it has more.
struct Chunk {
    static constexpr std::size_t kGrowth = 4;

    std::size_t first;
    std::size_t max;  // of one queue, in all
};

// The ready jobs of one tenant and type, read a chunk at a time.
class TypeQueue {
public:
    TypeQueue(RowSource& rows, std::string tenant, std::string type, Chunk chunk)
        : rows_(&rows),
          tenant_(std::move(tenant)),
          type_(std::move(type)),
          chunk_(chunk.first),
          chunk_max_(chunk.max) {}

    // Returns the first job that is not in `skip`, or null.
    const ReadyEntry* first(const std::unordered_set<JobId>& skip) {
        for (;;) {
            if (next_ == entries_.size() && !read_chunk()) {
                return nullptr;
            }
            if (!skip.contains(entries_[next_].id)) {
                return &entries_[next_];
            }
            ++next_;
        }
    }

    void pop() { ++next_; }

private:
    bool read_chunk() {
        if (exhausted_) {
            return false;
        }
        std::optional<ReadyEntry> after;
        if (!entries_.empty()) {
            after = entries_.back();
        }
        entries_ = rows_->ready(tenant_, type_, after, static_cast<int>(chunk_));
        next_ = 0;
        exhausted_ = entries_.size() < chunk_;
        chunk_max_ -= std::min(chunk_max_ - 1, chunk_);
        chunk_ = std::min(chunk_ * Chunk::kGrowth, chunk_max_);
        return !entries_.empty();
    }

    RowSource* rows_;
    std::string tenant_;
    std::string type_;
    std::size_t chunk_;
    std::size_t chunk_max_;  // the rest of it, at least 1
    std::vector<ReadyEntry> entries_;
    std::size_t next_ = 0;
    bool exhausted_ = false;
};

// One tenant's jobs over all types: a merge of its queues.
class TenantQueue {
public:
    TenantQueue(RowSource& rows, const std::string& tenant, const ReadyQuery& query, Chunk chunk) {
        for (auto type = query.types.begin(); type != query.types.end(); ++type) {
            if (std::find(query.types.begin(), type, *type) == type) {  // named twice counts once
                queues_.emplace_back(rows, tenant, *type, chunk);
            }
        }
    }

    std::optional<JobId> pop(const std::unordered_set<JobId>& skip) {
        TypeQueue* best_queue = nullptr;
        const ReadyEntry* best = nullptr;
        for (TypeQueue& queue : queues_) {
            const ReadyEntry* entry = queue.first(skip);
            if (entry != nullptr && (best == nullptr || *entry < *best)) {
                best = entry;
                best_queue = &queue;
            }
        }
        if (best == nullptr) {
            return std::nullopt;
        }
        const JobId id = best->id;
        best_queue->pop();
        return id;
    }

private:
    std::vector<TypeQueue> queues_;
};

// Returns the tenants with ready jobs, each once: first the tenants after `query.after_tenant`.
class Turn {
public:
    Turn(RowSource& rows, const ReadyQuery& query)
        : rows_(rows), query_(query), at_(query.after_tenant) {}

    // Returns at most `limit` tenants.
    std::vector<std::string> next(std::size_t limit) {
        std::vector<std::string> tenants;
        while (tenants.size() < limit) {
            auto tenant = next();
            if (!tenant) {
                break;
            }
            tenants.push_back(*std::move(tenant));
        }
        return tenants;
    }

private:
    std::optional<std::string> next() {
        if (ended_) {
            return std::nullopt;
        }
        if (query_.tenant) {
            ended_ = true;
            return query_.tenant;
        }
        at_ = rows_.ready_tenant_after(at_);
        if (!at_ && !wrapped_) {
            wrapped_ = true;
            at_ = rows_.ready_tenant_after(std::nullopt);
        }
        if (!at_ || (wrapped_ && at_ == first_)) {
            ended_ = true;
            return std::nullopt;
        }
        ended_ = wrapped_ && *at_ == query_.after_tenant;
        if (!first_) {
            first_ = at_;
        }
        return at_;
    }

    RowSource& rows_;
    const ReadyQuery& query_;
    std::optional<std::string> at_;
    std::optional<std::string> first_;  // the first tenant: the round ends before it
    bool wrapped_ = false;
    bool ended_ = false;
};

Chunk chunk_for(std::size_t wanted, std::size_t queues) {
    const std::size_t all = std::max<std::size_t>(wanted, 1);
    const std::size_t sharing = std::max<std::size_t>(queues, 1);
    return {.first = (all + sharing - 1) / sharing, .max = all};
}

}  // namespace

std::vector<JobId> deal_ready(RowSource& rows, const ReadyQuery& query,
                              const std::unordered_set<JobId>& skip, std::size_t wanted) {
    std::vector<JobId> dealt;
    const auto limit = static_cast<std::size_t>(std::max(query.limit, 0));
    std::vector<TenantQueue> queues;  // of the tenants that had a job in the round before
    Turn turn(rows, query);
    while (dealt.size() < limit) {
        const auto tenants = turn.next(limit - dealt.size());
        if (tenants.empty()) {
            break;
        }
        const std::size_t left = wanted - std::min(wanted, dealt.size());
        const Chunk chunk = chunk_for(left, tenants.size() * query.types.size());
        for (const std::string& tenant : tenants) {
            TenantQueue queue(rows, tenant, query, chunk);
            if (const auto id = queue.pop(skip)) {
                dealt.push_back(*id);
                queues.push_back(std::move(queue));
            }
        }
    }
    while (dealt.size() < limit && !queues.empty()) {
        std::erase_if(queues, [&](TenantQueue& queue) {
            if (dealt.size() == limit) {
                return false;
            }
            const auto id = queue.pop(skip);
            if (id) {
                dealt.push_back(*id);
            }
            return !id;
        });
    }
    return dealt;
}

}  // namespace semel
