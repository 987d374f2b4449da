#include "runtime/real_env.hpp"

#include "base/random.hpp"

namespace semel {

std::uint64_t RealEnv::random() {
    return random_u64();
}

void RealEnv::run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) {
    handlers_.run(job, [this, done = std::move(done)](HandlerResult result) {
        loop_.post([done, result = std::move(result)] { done(result); });
    });
}

}  // namespace semel
