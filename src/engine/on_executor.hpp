// on_executor: wraps a callback for a read. The wrapper runs on the store's thread and posts the
// answer to the engine's executor. The answer is dropped if the object that asked is destroyed.
//
// Lifetime: `env` outlives the read.
#pragma once

#include <memory>
#include <utility>

#include "engine/env.hpp"
#include "store/store.hpp"

namespace semel {

// `is_alive`: the destructor of the object that asked sets it to false.
template <typename T, typename Run>
[[nodiscard]] Done<T> on_executor(Env& env, std::shared_ptr<bool> is_alive, Run run) {
    return [&env, is_alive = std::move(is_alive), run = std::move(run)](Result<T> answer) {
        env.post([is_alive, run, answer = std::move(answer)]() mutable {
            if (*is_alive) {
                run(std::move(answer));
            }
        });
    };
}

}  // namespace semel
