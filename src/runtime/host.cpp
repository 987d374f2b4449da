#include "runtime/host.hpp"

namespace semel {
namespace {

NodeOptions with_zones(NodeOptions options, ZoneSource& zones) {
    options.settings.zones = &zones;
    return options;
}

}  // namespace

Host::Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer)
    : handlers_(options.concurrency),
      zones_(ZoneFiles::default_folder()),
      env_(loop_, handlers_, observer),
      store_(std::move(store)),
      node_(env_, *store_, with_zones(std::move(options), zones_)) {}

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

void Host::drain(Millis grace) {
    if (life_ != Life::running) {
        return;
    }
    std::promise<void> drained;
    loop_.post([&] { node_.stop(grace, [&drained] { drained.set_value(); }); });
    drained.get_future().wait();
    life_ = Life::drained;
}

void Host::stop(Millis grace) {
    drain(grace);
    if (life_ != Life::drained) {
        return;
    }
    life_ = Life::stopped;
    handlers_.stop();
    loop_.stop();
}

}  // namespace semel
