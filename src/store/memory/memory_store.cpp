#include "store/memory/memory_store.hpp"

namespace semel {

class MemoryStore::MemoryCommitter final : public Committer {
public:
    MemoryCommitter(MemoryStore& store, Post post) : store_(store), post_(std::move(post)) {}

    void load(LoadSpec spec, Done<Loaded> done) override {
        SEMEL_ASSERT(!open_);
        open_ = true;
        post_([this, spec = std::move(spec), done = std::move(done)] {
            done(store_.tables_.load(spec, store_.now()));
        });
    }

    void save(std::shared_ptr<const Changes> changes, Done<void> done) override {
        SEMEL_ASSERT(open_);
        changes_ = std::move(changes);
        post_([done = std::move(done)] { done({}); });
    }

    void commit(Done<void> done) override {
        SEMEL_ASSERT(open_);
        open_ = false;
        post_([this, changes = std::exchange(changes_, nullptr), done = std::move(done)] {
            if (changes) {
                store_.tables_.apply(*changes);
            }
            done({});
        });
    }

    void roll_back(Done<void> done) override {
        SEMEL_ASSERT(open_);
        open_ = false;
        changes_.reset();
        post_([done = std::move(done)] { done({}); });
    }

private:
    MemoryStore& store_;
    Post post_;
    bool open_ = false;
    std::shared_ptr<const Changes> changes_;
};

std::unique_ptr<Committer> MemoryStore::open_committer(Post post) {
    return std::make_unique<MemoryCommitter>(*this, std::move(post));
}

StoreInfo MemoryStore::info() const {
    return {.kind = "memory",
            .location = "memory",
            .durability = "nothing survives the process",
            .is_durable = false};
}

}  // namespace semel
