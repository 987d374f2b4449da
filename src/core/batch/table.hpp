// Table: the rows of one kind in a batch, with the changes of the commands decided so far.
//
// Each command works inside a savepoint. Its changes, or those of its current item, can be rolled
// back alone. take_changes() returns the changes that remain.
//
// Errors: a row that is locked elsewhere or damaged is found absent: see met_locked() and
// met_damage().
// Threads: one at a time.
// Lifetime: a reference or pointer to a row stays valid until the row is erased or rolled back.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "core/batch/changes.hpp"

namespace semel {

template <typename Key, typename Row>
class Table {
public:
    // Adds a row as the store has it. Does nothing if the key is loaded already.
    void load(const Key& key, Row row) {
        const auto [at, inserted] = index_.try_emplace(key, entries_.size());
        if (inserted) {
            entries_.push_back({key, std::nullopt, std::move(row), false, 0});
        }
    }

    // Marks a row as locked elsewhere, loaded or not. find() returns null for it. The command then
    // ends with any answer, and the caller rolls it back.
    void mark_locked(const Key& key) {
        locked_.insert(key);
        const auto at = index_.find(key);
        if (at != index_.end()) {
            entries_[at->second].now.reset();
        }
    }
    // Returns true if a row locked elsewhere was searched for since the last savepoint.
    [[nodiscard]] bool met_locked() const { return met_locked_; }
    void forget_met_locked() { met_locked_ = false; }

    // Marks a row that exists but cannot be read. `why` is the fault in words. Only the key of
    // `row` is used. find() returns null for it.
    void damage(const Key& key, Row row, std::string why) {
        if (index_.try_emplace(key, entries_.size()).second) {
            entries_.push_back({key, std::nullopt, std::nullopt, false, 0});
            damaged_.emplace(key, Damage{std::move(row), std::move(why)});
        }
    }
    // Returns true if the row is damaged and no command of the batch has erased it.
    [[nodiscard]] bool is_damaged(const Key& key) const { return damage_of(key) != nullptr; }
    // Returns the fault of a damaged row that was searched for since the last savepoint, or null.
    [[nodiscard]] const std::string* met_damage() const { return met_damage_; }
    // Deletes a damaged row. REQUIRES: is_damaged(key).
    void erase_damaged(const Key& key) {
        Entry& entry = touch(index_.at(key));
        entry.before = damaged_.at(key).row;
    }

    // Returns null if the row is absent, deleted, locked elsewhere, damaged or not loaded.
    [[nodiscard]] const Row* find(const Key& key) const {
        const auto at = index_.find(key);
        if (at == index_.end() || !entries_[at->second].now) {
            met_locked_ = met_locked_ || (!locked_.empty() && locked_.contains(key));
            if (const Damage* damage = damage_of(key)) met_damage_ = &damage->why;
            return nullptr;
        }
        return &*entries_[at->second].now;
    }

    // Returns true if a command of the batch has deleted the row.
    [[nodiscard]] bool was_erased(const Key& key) const {
        const auto at = index_.find(key);
        return at != index_.end() && entries_[at->second].touched && !entries_[at->second].now;
    }

    // Returns the row, to be changed. REQUIRES: the row is present.
    Row& edit(const Key& key) {
        const auto at = index_.find(key);
        SEMEL_ASSERT(at != index_.end());
        Entry& entry = touch(at->second);
        SEMEL_ASSERT(entry.now.has_value());
        return *entry.now;
    }

    // Inserts the row, or replaces the row of this key.
    Row& put(const Key& key, Row row) {
        const auto [at, inserted] = index_.try_emplace(key, entries_.size());
        if (inserted) {
            entries_.push_back({key, std::nullopt, std::nullopt, false, 0});
        }
        Entry& entry = touch(at->second);
        entry.now = std::move(row);
        return *entry.now;
    }

    void erase(const Key& key) {
        if (find(key) != nullptr) {
            touch(index_.at(key)).now.reset();
        }
    }

    // Begins a command, and its first item.
    void savepoint() {
        met_locked_ = false;
        met_damage_ = nullptr;
        undo_.clear();
        begin_item();
    }
    // Begins another item of the command, which can be rolled back alone.
    void begin_item() {
        item_begin_ = undo_.size();
        ++savepoint_;
    }

    void roll_back() { undo_to(0); }
    void roll_back_item() { undo_to(item_begin_); }

    // Returns all changes, and leaves the table unusable. The order is that of loading and
    // insertion, so that equal batches give equal changes.
    [[nodiscard]] std::vector<Change<Row>> take_changes() {
        std::vector<Change<Row>> changes;
        for (Entry& entry : entries_) {
            if (entry.touched && entry.before != entry.now) {
                changes.push_back({std::move(entry.before), std::move(entry.now)});
            }
        }
        return changes;
    }

    // Visits each written row with its key, even if it equals the row before.
    template <typename Visit>
    void each_touched(const Visit& visit) {
        for (Entry& entry : entries_) {
            if (entry.touched) {
                visit(entry.key, entry.now);
            }
        }
    }

private:
    struct Entry {
        Key key;
        std::optional<Row> before;  // filled by the first touch
        std::optional<Row> now;
        bool touched;
        std::uint64_t saved_at;  // the savepoint that has it in its undo list
    };
    struct Undo {
        std::size_t index;
        std::optional<Row> row;
        bool touched;
    };

    struct Damage {
        Row row;
        std::string why;
    };

    [[nodiscard]] const Damage* damage_of(const Key& key) const {
        const auto found = damaged_.find(key);
        const bool is_there = found != damaged_.end() && !entries_[index_.at(key)].touched;
        return is_there ? &found->second : nullptr;
    }

    void undo_to(std::size_t size) {
        while (undo_.size() > size) {
            Undo& step = undo_.back();
            Entry& entry = entries_[step.index];
            entry.now = std::move(step.row);
            entry.touched = step.touched;
            undo_.pop_back();
        }
        ++savepoint_;
    }

    Entry& touch(std::size_t index) {
        Entry& entry = entries_[index];
        if (entry.saved_at != savepoint_) {
            entry.saved_at = savepoint_;
            undo_.push_back({index, entry.now, entry.touched});
        }
        if (!entry.touched) {
            entry.before = entry.now;
            entry.touched = true;
        }
        return entry;
    }

    std::unordered_map<Key, std::size_t> index_;
    std::deque<Entry> entries_;   // a deque, because references must survive insertions
    std::vector<Undo> undo_;      // of the command
    std::size_t item_begin_ = 0;  // in undo_
    std::uint64_t savepoint_ = 1;
    std::unordered_set<Key> locked_;
    mutable bool met_locked_ = false;  // mutable, because a failed search changes no row
    std::unordered_map<Key, Damage> damaged_;
    mutable const std::string* met_damage_ = nullptr;  // mutable for the same reason
};

}  // namespace semel
