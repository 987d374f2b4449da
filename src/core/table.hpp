// Table: the rows of one kind that a batch loaded, as the commands decided so far left them.
// Each command works inside a savepoint; what it changed can be undone alone.
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
#include "core/changes.hpp"

namespace semel {

template <typename Key, typename Row>
class Table {
public:
    // A row as the store has it.
    void load(const Key& key, Row row) {
        const auto [at, inserted] = index_.try_emplace(key, entries_.size());
        if (inserted) {
            entries_.push_back({key, std::nullopt, std::move(row), false, 0});
        }
    }

    // A row that somebody else holds, loaded or not. To a command it is absent, so that it can
    // decide something and be rolled back.
    void hold(const Key& key) {
        held_.insert(key);
        const auto at = index_.find(key);
        if (at != index_.end()) {
            entries_[at->second].now.reset();
        }
    }
    // Whether one of those was looked for since the last savepoint.
    [[nodiscard]] bool met_held() const { return met_held_; }
    void forget_met_held() { met_held_ = false; }

    // A row that nobody can read: of `row` nothing but the key counts. To a command it is absent,
    // as one that is held.
    void damage(const Key& key, Row row, std::string why) {
        if (index_.try_emplace(key, entries_.size()).second) {
            entries_.push_back({key, std::nullopt, std::nullopt, false, 0});
            damaged_.emplace(key, Damage{std::move(row), std::move(why)});
        }
    }
    // Whether it is, and nobody has erased it.
    [[nodiscard]] bool is_damaged(const Key& key) const { return damage_of(key) != nullptr; }
    // What is wrong with one that was looked for since the last savepoint. Null: none was.
    [[nodiscard]] const std::string* met_damage() const { return met_damage_; }
    // REQUIRES: it is damaged. From then on it is absent.
    void erase_damaged(const Key& key) {
        Entry& entry = touch(index_.at(key));
        entry.before = damaged_.at(key).row;
    }

    // Null: absent, deleted, held, damaged or not loaded.
    [[nodiscard]] const Row* find(const Key& key) const {
        const auto at = index_.find(key);
        if (at == index_.end() || !entries_[at->second].now) {
            met_held_ = met_held_ || (!held_.empty() && held_.contains(key));
            if (const Damage* damage = damage_of(key)) met_damage_ = &damage->why;
            return nullptr;
        }
        return &*entries_[at->second].now;
    }

    // Whether a command of the batch has deleted it.
    [[nodiscard]] bool was_erased(const Key& key) const {
        const auto at = index_.find(key);
        return at != index_.end() && entries_[at->second].touched && !entries_[at->second].now;
    }

    // REQUIRES: the row is present. The reference stays valid while the table lives.
    Row& edit(const Key& key) {
        const auto at = index_.find(key);
        SEMEL_ASSERT(at != index_.end());
        Entry& entry = touch(at->second);
        SEMEL_ASSERT(entry.now.has_value());
        return *entry.now;
    }

    // Inserts, or replaces what is there.
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
        met_held_ = false;
        met_damage_ = nullptr;
        undo_.clear();
        begin_item();
    }
    // Begins another item of the command, which can be undone by itself.
    void begin_item() {
        item_begin_ = undo_.size();
        ++savepoint_;
    }

    void roll_back() { undo_to(0); }
    void roll_back_item() { undo_to(item_begin_); }

    // In the order of first appearance, so that equal batches give equal changes.
    [[nodiscard]] std::vector<Change<Row>> take_changes() {
        std::vector<Change<Row>> changes;
        for (Entry& entry : entries_) {
            if (entry.touched && entry.before != entry.now) {
                changes.push_back({std::move(entry.before), std::move(entry.now)});
            }
        }
        return changes;
    }

    // Every written row with its key, also where it equals what was there.
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
    std::unordered_set<Key> held_;
    mutable bool met_held_ = false;  // a look-up that was in vain is no change
    std::unordered_map<Key, Damage> damaged_;
    mutable const std::string* met_damage_ = nullptr;  // the same
};

}  // namespace semel
