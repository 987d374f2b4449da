#include "engine/node.hpp"

namespace semel {

Node::Node(Env& env, Store& store, NodeOptions options)
    : env_(env),
      store_(store),
      options_(std::move(options)),
      ledger_(env, store, options_.settings,
              [this](const Changes& changes) { committed(changes); }),
      dispatcher_(env, store, ledger_),
      local_(env, ledger_, options_.name, options_.concurrency),
      upkeep_(env, store, options_.settings, ledger_),
      log_(env, ledger_) {}

void Node::add_handler(std::string type, HandlerOptions options) {
    if (options.timeout <= Millis(0)) {
        options.timeout = options_.settings.default_timeout;
    }
    local_.add_handler(std::move(type), options);
}

void Node::start() {
    upkeep_.start();
    local_.start();
}

void Node::stop(Millis grace, std::function<void()> done) {
    dispatcher_.stop();
    local_.stop(grace, [this, done = std::move(done)] {
        upkeep_.stop();
        log_.flush();
        ledger_.when_idle(done);
    });
}

void Node::committed(const Changes& changes) {
    dispatcher_.committed(changes);
    local_.committed(changes);
    upkeep_.committed(changes);
    log_.committed(changes);
    env_.observer().on_committed(changes);
}

}  // namespace semel
