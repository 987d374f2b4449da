// HintedLooks: when those who wait for something look at the store, because it may have happened at
// another node. Soon after a hint, but not after each, since they come in crowds; and every few
// seconds, since hints may be lost and a pooler may pass none of them on.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/alarm.hpp"

namespace semel {

class HintedLooks {
public:
    // `look` is one look for all who wait.
    HintedLooks(Env& env, const Store& store, std::function<void()> look);

    // The first of them waits from now on, and has seen how things are.
    void begin();
    // There was a hint, whether or not anybody waits yet: whoever is still asking may be told how
    // things were before it. It remembers `hints` when it asks, and looks if they are more by the
    // time it waits.
    void hint() { ++hints_; }
    [[nodiscard]] std::uint64_t hints() const { return hints_; }
    // Somebody waits, and: there was a hint; or a while has passed.
    void look_soon();
    void look_again();
    // For good.
    void stop();

private:
    void look();

    const Store& store_;
    std::function<void()> look_;
    bool stopped_ = false;
    std::uint64_t hints_ = 0;
    Time looked_at_;
    Alarm next_;
};

}  // namespace semel
