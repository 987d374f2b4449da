// BodyReads: reads the bodies of kept answers from the store. Callers that ask for a body while it
// is being read share the read and the bytes, because many repeats of one key can arrive at once.
//
// Errors: the store's.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: `env` and `store` outlive it. After the destructor no callback runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/env.hpp"
#include "store/store.hpp"

namespace semel {

class BodyReads {
public:
    // Null: the body has expired, or was deleted.
    using Body = std::shared_ptr<const std::string>;
    using Callback = std::function<void(Result<Body>)>;

    BodyReads(Env& env, Store& store) : env_(env), store_(store) {}
    ~BodyReads() { *is_alive_ = false; }
    BodyReads(const BodyReads&) = delete;
    BodyReads& operator=(const BodyReads&) = delete;

    // `response`: the id of the body, from the KeptAnswer.
    void read(const Uuid& response, Callback done);

private:
    void answer(const Uuid& response, const Result<Body>& body);

    Env& env_;
    Store& store_;
    std::map<Uuid, std::vector<Callback>> callers_;  // by the body that is being read
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
