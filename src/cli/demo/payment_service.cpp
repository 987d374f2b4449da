#include "cli/demo/payment_service.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace semel::cli {

Result<std::unique_ptr<PaymentService>> PaymentService::start() {
    std::unique_ptr<PaymentService> service(new PaymentService);
    auto server = net::Server::start(
        {}, [raw = service.get()](const net::Request& request, net::Responder respond) {
            raw->pay(request, std::move(respond));
        });
    if (!server) {
        return server.error();
    }
    service->server_ = *std::move(server);
    return service;
}

PaymentService::~PaymentService() {
    net::Responder dropped;  // otherwise the server would wait for its answer
    const std::lock_guard lock(mutex_);
    dropped.swap(held_);
}

std::string PaymentService::url() const {
    return fmt::format("http://127.0.0.1:{}", server_->port());
}

void PaymentService::hold_next_answer() {
    const std::lock_guard lock(mutex_);
    holds_next_ = true;
}

bool PaymentService::wait_until_held(Millis timeout) {
    std::unique_lock lock(mutex_);
    return held_changed_.wait_for(lock, timeout, [this] { return held_ != nullptr; });
}

std::size_t PaymentService::charges_of(std::string_view key) const {
    const std::lock_guard lock(mutex_);
    const auto count = std::ranges::count(book_, key, &Charge::key);
    return static_cast<std::size_t>(count);
}

std::size_t PaymentService::requests_with(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = requests_.find(key);
    return found == requests_.end() ? 0 : found->second;
}

void PaymentService::pay(const net::Request& request, net::Responder respond) {
    const std::string* key = request.header("Idempotency-Key");
    if (key == nullptr) {
        return respond(
            {.status = 400, .headers = {}, .body = "a payment needs an Idempotency-Key\n"});
    }
    net::Response response{
        .status = 201, .headers = {{"Content-Type", "application/json"}}, .body = {}};
    {
        const std::lock_guard lock(mutex_);
        ++requests_[*key];
        response.body = charge(*key, request.body).answer;
        if (holds_next_) {
            holds_next_ = false;
            held_ = std::move(respond);
            held_changed_.notify_all();
            return;
        }
    }
    respond(std::move(response));
}

const PaymentService::Charge& PaymentService::charge(const std::string& key,
                                                     const std::string& order) {
    const auto known = std::ranges::find(book_, key, &Charge::key);
    if (known != book_.end()) {
        return *known;
    }
    const std::size_t number = book_.size() + 1;
    return book_.emplace_back(
        Charge{key, fmt::format(R"({{"charge":"ch_{}","paid":{}}})", number, order)});
}

}  // namespace semel::cli
