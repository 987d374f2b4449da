// PaymentService: a toy payment service on 127.0.0.1, for the demo. It honours Idempotency-Key: it
// charges once per key, and a repeated key gets the first answer.
//
// Threads: any, except the destructor: one thread, after all other calls.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "net/server.hpp"

namespace semel::cli {

class PaymentService {
public:
    // Starts the service on a free port. When it returns, requests are served.
    // Errors: those of net::Server::start().
    [[nodiscard]] static Result<std::unique_ptr<PaymentService>> start();
    ~PaymentService();
    PaymentService(const PaymentService&) = delete;
    PaymentService& operator=(const PaymentService&) = delete;

    [[nodiscard]] std::string url() const;

    // Lets the next request charge, but holds its answer until the service is destroyed.
    void hold_next_answer();
    // Waits until an answer is held. Returns false after `timeout`.
    [[nodiscard]] bool wait_until_held(Millis timeout);

    // Return the number of charges, and the number of requests, with a key.
    [[nodiscard]] std::size_t charges_of(std::string_view key) const;
    [[nodiscard]] std::size_t requests_with(const std::string& key) const;

private:
    struct Charge {
        std::string key;
        std::string answer;  // JSON
    };

    PaymentService() = default;
    void pay(const net::Request& request, net::Responder respond);
    [[nodiscard]] const Charge& charge(const std::string& key, const std::string& order);

    mutable std::mutex mutex_;
    std::condition_variable held_changed_;
    std::vector<Charge> book_;
    std::map<std::string, std::size_t> requests_;  // by key
    bool holds_next_ = false;
    net::Responder held_;
    std::unique_ptr<net::Server> server_;  // last: its thread uses the members above
};

}  // namespace semel::cli
