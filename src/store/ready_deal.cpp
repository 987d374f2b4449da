#include "store/ready_deal.hpp"

#include <algorithm>
#include <utility>

namespace semel {
namespace {

constexpr std::size_t kFirstChunkMax = 16;  // then doubled: most lines are not read far

// The ready jobs of one tenant and type, read a chunk at a time.
class TypeLine {
public:
    TypeLine(RowSource& rows, std::string tenant, std::string type, int chunk)
        : rows_(&rows), tenant_(std::move(tenant)), type_(std::move(type)), chunk_(chunk) {}

    // The first job that is not to be skipped; null when there is none.
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
        entries_ = rows_->ready(tenant_, type_, after, chunk_);
        next_ = 0;
        exhausted_ = entries_.size() < static_cast<std::size_t>(chunk_);
        chunk_ *= 2;
        return !entries_.empty();
    }

    RowSource* rows_;
    std::string tenant_;
    std::string type_;
    int chunk_;
    std::vector<ReadyEntry> entries_;
    std::size_t next_ = 0;
    bool exhausted_ = false;
};

// One tenant's jobs over all types: a merge of its lines.
class TenantLine {
public:
    TenantLine(RowSource& rows, const std::string& tenant, const ReadyQuery& query, int chunk) {
        for (auto type = query.types.begin(); type != query.types.end(); ++type) {
            if (std::find(query.types.begin(), type, *type) == type) {  // named twice counts once
                lines_.emplace_back(rows, tenant, *type, chunk);
            }
        }
    }

    std::optional<JobId> pop(const std::unordered_set<JobId>& skip) {
        TypeLine* best_line = nullptr;
        const ReadyEntry* best = nullptr;
        for (TypeLine& line : lines_) {
            const ReadyEntry* entry = line.first(skip);
            if (entry != nullptr && (best == nullptr || *entry < *best)) {
                best = entry;
                best_line = &line;
            }
        }
        if (best == nullptr) {
            return std::nullopt;
        }
        const JobId id = best->id;
        best_line->pop();
        return id;
    }

private:
    std::vector<TypeLine> lines_;
};

// The tenants that have ready work: those after `query.after_tenant`, then the others, each once.
class Turn {
public:
    Turn(RowSource& rows, const ReadyQuery& query)
        : rows_(rows), query_(query), at_(query.after_tenant) {}

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

private:
    RowSource& rows_;
    const ReadyQuery& query_;
    std::optional<std::string> at_;
    std::optional<std::string> first_;  // where the turn is full
    bool wrapped_ = false;
    bool ended_ = false;
};

}  // namespace

std::vector<JobId> deal_ready(RowSource& rows, const ReadyQuery& query,
                              const std::unordered_set<JobId>& skip, std::size_t wanted) {
    const auto chunk = static_cast<int>(std::clamp<std::size_t>(wanted, 1, kFirstChunkMax));
    std::vector<JobId> dealt;
    const auto limit = static_cast<std::size_t>(std::max(query.limit, 0));
    std::vector<TenantLine> lines;  // of the tenants that had a job in the round before
    Turn turn(rows, query);
    while (dealt.size() < limit) {
        const auto tenant = turn.next();
        if (!tenant) {
            break;
        }
        TenantLine line(rows, *tenant, query, chunk);
        if (const auto id = line.pop(skip)) {
            dealt.push_back(*id);
            lines.push_back(std::move(line));
        }
    }
    while (dealt.size() < limit && !lines.empty()) {
        std::erase_if(lines, [&](TenantLine& line) {
            if (dealt.size() == limit) {
                return false;
            }
            const auto id = line.pop(skip);
            if (id) {
                dealt.push_back(*id);
            }
            return !id;
        });
    }
    return dealt;
}

}  // namespace semel
