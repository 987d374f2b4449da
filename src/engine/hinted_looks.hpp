// HintedLooks: when those who wait for something look at the store, because it may have happened at
// another node. Soon after a hint, but not after each, since they come in crowds; and every few
// seconds, since hints may be lost and a pooler may pass none of them on.
#pragma once

#include <functional>

#include "engine/alarm.hpp"

namespace semel {

class HintedLooks {
public:
    // `look` is one look for all who wait.
    HintedLooks(Env& env, const Store& store, std::function<void()> look);

    // The first of them waits from now on, and has seen how things are.
    void begin();
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
    Time looked_at_;
    Alarm next_;
};

}  // namespace semel
