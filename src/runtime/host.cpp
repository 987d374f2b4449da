#include "runtime/host.hpp"

namespace semel {

Host::Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer)
    : store_(std::move(store)),
      handlers_(options.concurrency),
      env_(loop_, handlers_, observer),
      node_(env_, *store_, std::move(options)) {}

Host::~Host() {
    stop(Millis(0));
}

void Host::add_handler(std::string type, HandlerOptions options, HandlerFunction handler) {
    SEMEL_ASSERT(!started_);
    handlers_.add(type, std::move(handler));
    node_.add_handler(std::move(type), options);
}

void Host::start() {
    SEMEL_ASSERT(!started_);
    started_ = true;
    loop_.start();
    loop_.post([this] { node_.start(); });
}

void Host::stop(Millis grace) {
    if (!started_) {
        return;
    }
    std::promise<void> stopped;
    loop_.post([&] { node_.stop(grace, [&stopped] { stopped.set_value(); }); });
    stopped.get_future().wait();
    handlers_.stop();
    loop_.stop();
    started_ = false;
}

}  // namespace semel
