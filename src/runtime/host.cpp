#include "runtime/host.hpp"

namespace semel {

Host::Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer)
    : handlers_(options.concurrency),
      env_(loop_, handlers_, observer),
      store_(std::move(store)),
      node_(env_, *store_, std::move(options)) {}

Host::~Host() {
    stop(Millis(0));
}

void Host::add_handler(std::string type, HandlerOptions options, HandlerFunction handler) {
    SEMEL_ASSERT(life_ == Life::fresh);
    handlers_.add(type, std::move(handler));
    node_.add_handler(std::move(type), options);
}

void Host::start() {
    SEMEL_ASSERT(life_ == Life::fresh);
    loop_.start();
    loop_.post([this] { node_.start(); });
    life_ = Life::running;
}

void Host::stop(Millis grace) {
    if (life_ != Life::running) {
        return;
    }
    std::promise<void> stopped;
    loop_.post([&] { node_.stop(grace, [&stopped] { stopped.set_value(); }); });
    stopped.get_future().wait();
    life_ = Life::stopped;
    handlers_.stop();
    loop_.stop();
}

}  // namespace semel
