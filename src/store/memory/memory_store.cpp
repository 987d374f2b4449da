#include "store/memory/memory_store.hpp"

#include <algorithm>

#include "store/ladder/ladder.hpp"
#include "store/memory/memory_reads.hpp"
#include "store/memory/memory_tables.hpp"

namespace semel {
namespace memory {
namespace {

class MemoryCommitter final : public Committer {
public:
    MemoryCommitter(MemoryTables& tables, std::function<Time()> now, Post post)
        : tables_(tables), now_(std::move(now)), post_(std::move(post)) {}

    void load(LoadSpec spec, Done<Loaded> done) override {
        loaded_at_ = now_();
        const auto loaded =
            std::make_shared<Result<Loaded>>(climb_ladder(tables_, spec, loaded_at_));
        post_([done = std::move(done), loaded] { done(std::move(*loaded)); });
    }

    void commit(std::shared_ptr<const Changes> changes, Done<void> done) override {
        Result<void> applied = tables_.apply(*changes, loaded_at_);
        post_([done = std::move(done), applied = std::move(applied)] { done(applied); });
    }

    void roll_back(Done<void> done) override {
        post_([done = std::move(done)] { done({}); });
    }

private:
    MemoryTables& tables_;
    const std::function<Time()> now_;
    const Post post_;
    Time loaded_at_;
};

class MemoryStore final : public Store {
public:
    explicit MemoryStore(std::function<Time()> clock) : clock_(std::move(clock)) {}

    [[nodiscard]] bool is_shared() const override { return false; }

    [[nodiscard]] std::unique_ptr<Committer> open_committer(Post post) override {
        return std::make_unique<MemoryCommitter>(
            tables_, [this] { return now(); }, std::move(post));
    }

    [[nodiscard]] Reads& reads() override { return reads_; }

    [[nodiscard]] Time now() const override {
        last_ = std::max(last_, clock_());
        return last_;
    }

    [[nodiscard]] Millis clock_offset() const override { return clock_() - now(); }

    [[nodiscard]] StoreInfo info() const override {
        return {"memory", "this process", "nothing survives the end of this process", false};
    }

private:
    const std::function<Time()> clock_;
    mutable Time last_;
    MemoryTables tables_;
    MemoryReads reads_{tables_};
};

}  // namespace
}  // namespace memory

std::unique_ptr<Store> make_memory_store(std::function<Time()> clock) {
    return std::make_unique<memory::MemoryStore>(std::move(clock));
}

}  // namespace semel
