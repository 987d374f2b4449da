#include "cli/demo/run.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "cli/demo/gateway_process.hpp"
#include "cli/demo/payment_service.hpp"
#include "cli/temporary_folder.hpp"
#include "core/json/json_writer.hpp"
#include "net/client.hpp"

namespace semel::cli {

namespace {

// Every wait ends after this time, also on a busy machine.
constexpr Millis kStepMax = std::chrono::seconds(60);

constexpr const char* kFirstOrder = "order-17";
constexpr const char* kSecondOrder = "order-18";
constexpr const char* kPayment = R"({"amount":12})";
constexpr const char* kReason = "the service charges once per key";

Result<net::Response> send(const std::string& url, std::string_view method,
                           const std::string& target, std::vector<net::Header> headers,
                           std::string_view body) {
    SEMEL_TRY(base, net::Url::parse(url));
    headers.push_back({"Content-Type", "application/json"});
    return net::Client(std::move(base)).send(method, target, headers, body, kStepMax);
}

Result<net::Response> pay(const std::string& url, const std::string& key) {
    return send(url, "POST", "/charges", {{"Idempotency-Key", key}}, kPayment);
}

// Returns a member of an answer's JSON, or an empty text.
std::string member_of(const net::Response& response, std::string_view name) {
    const auto parsed = parse_answer(response.body);
    return parsed ? text_at(parsed->root(), name) : "";
}

std::string header_of(const net::Response& response, std::string_view name) {
    const std::string* value = response.header(name);
    return value == nullptr ? "" : *value;
}

// A repeat waits at the gateway until the first request is decided, for some seconds at most.
Result<net::Response> pay_until_decided(const std::string& url, const std::string& key) {
    const auto deadline = std::chrono::steady_clock::now() + kStepMax;
    for (;;) {
        SEMEL_TRY(response, pay(url, key));
        const bool is_running = member_of(response, "code") == "in_progress";
        if (!is_running || std::chrono::steady_clock::now() > deadline) {
            return response;
        }
    }
}

Result<void> expect(bool is_so, const std::string& what) {
    if (is_so) {
        return {};
    }
    return Error(ErrorCode::refused, "not as expected: " + what);
}

Result<void> expect(bool is_so, const std::string& what, const net::Response& response) {
    return expect(is_so, fmt::format("{}; the answer was {} {}", what, response.status,
                                     printable(response.body)));
}

class Demo {
public:
    explicit Demo(Console& console) : console_(console) {}

    Result<void> run() {
        SEMEL_TRY(folder, TemporaryFolder::make("semel-demo-"));
        SEMEL_TRY(service, PaymentService::start());
        service_ = service.get();
        SEMEL_TRY(gateway, GatewayProcess::start(service->url(), folder.path()));
        gateway_ = gateway.get();
        introduce();
        SEMEL_CHECK(pay_twice());
        SEMEL_CHECK(kill_during_payment());
        SEMEL_TRY(second, GatewayProcess::start(service->url(), folder.path()));
        gateway_ = second.get();
        say("The gateway starts again on the same store. Its addresses are new:");
        print_addresses();
        SEMEL_TRY(claim, repeat_is_uncertain());
        SEMEL_CHECK(resolve(claim));
        SEMEL_CHECK(repeat_is_sent());
        line("\nShown: 2 payments, 5 requests, 1 gateway killed: each payment was charged once.");
        return {};
    }

private:
    void introduce() {
        line("A payment service, and Semel's gateway in front of it. Both run on this machine,");
        line("and their files are in a temporary folder that is deleted at the end.\n");
        show("service", service_->url() + "  (a toy; it honours Idempotency-Key)");
        print_addresses();
    }

    Result<void> pay_twice() {
        line("\n1. One payment, sent twice");
        print_request(kFirstOrder);
        SEMEL_TRY(first, pay(gateway_->gateway_url(), kFirstOrder));
        print_answer(first, "Semel-Claim");
        SEMEL_CHECK(expect(first.status == 201, "the first payment gets a 201", first));
        print_request(kFirstOrder);
        SEMEL_TRY(second, pay(gateway_->gateway_url(), kFirstOrder));
        print_answer(second, "Idempotent-Replayed");
        SEMEL_CHECK(expect(second.status == 201 && second.body == first.body,
                           "the repeat gets the same answer", second));
        SEMEL_CHECK(expect(header_of(second, "Idempotent-Replayed") == "true",
                           "the repeat has the header Idempotent-Replayed: true", second));
        SEMEL_CHECK(expect_in_book(kFirstOrder, 1));
        say("The second answer is the stored one: the gateway sent nothing.");
        return explain(kFirstOrder);
    }

    // The service has charged and its answer is held, so the gateway is killed at the worst time.
    Result<void> kill_during_payment() {
        line("\n2. The gateway dies during a payment");
        service_->hold_next_answer();
        print_request(kSecondOrder);
        auto answer = std::async(std::launch::async, pay, gateway_->gateway_url(), kSecondOrder);
        SEMEL_CHECK(expect(service_->wait_until_held(kStepMax), "the service gets the payment"));
        say("The service has charged, and has not answered yet.");
        line(fmt::format("  $ kill -9 {}", gateway_->pid()));
        gateway_->kill();
        SEMEL_CHECK(expect(!answer.get(), "the client of a killed gateway gets no answer"));
        say("The gateway is killed. The client gets no answer.");
        return {};
    }

    // Returns the claim's id.
    Result<std::string> repeat_is_uncertain() {
        print_request(kSecondOrder);
        SEMEL_TRY(repeat, pay_until_decided(gateway_->gateway_url(), kSecondOrder));
        print_answer(repeat, "Semel-Claim");
        SEMEL_CHECK(expect(repeat.status == 409 && member_of(repeat, "code") == "uncertain",
                           "the repeat gets a 409 `uncertain`", repeat));
        SEMEL_CHECK(expect(service_->requests_with(kSecondOrder) == 1,
                           "the gateway sends nothing while the outcome is unknown"));
        std::string claim = header_of(repeat, "Semel-Claim");
        SEMEL_CHECK(expect(!claim.empty() && claim == member_of(repeat, "claimId"),
                           "the header Semel-Claim and the member claimId name the claim", repeat));
        say("The gateway cannot know whether the service has charged, so it sends nothing.");
        SEMEL_CHECK(explain(kSecondOrder));
        SEMEL_CHECK(list_open_case(claim));
        return claim;
    }

    // Prints the list in which operators find the claim.
    Result<void> list_open_case(const std::string& claim) {
        line(fmt::format("  $ semel claims list --url {}", gateway_->api_url()));
        SEMEL_TRY(response, send(gateway_->api_url(), "GET", "/v1/claims?state=uncertain", {}, ""));
        const auto parsed = parse_answer(response.body);
        const auto items = parsed ? parsed->root().find("items") : std::nullopt;
        SEMEL_CHECK(expect(items && items->is_array() && items->size() == 1,
                           "one claim is uncertain", response));
        for (const json::Value item : items->elements()) {
            SEMEL_CHECK(expect(text_at(item, "claimId") == claim, "it is the one", response));
            line(fmt::format("    {}  {}  {}  {}", claim, printable(text_at(item, "space")),
                             kSecondOrder, printable(text_at(item, "state"))));
        }
        say("The list has every open case.");
        return {};
    }

    Result<void> resolve(const std::string& claim) {
        say("An operator decides. This service charges once per key, so a repeat is safe:");
        line(fmt::format("  $ semel claims resolve {} --outcome released --reason '{}' --url {}",
                         claim, kReason, gateway_->api_url()));
        JsonWriter body;
        body.begin_object().member("outcome", "released").member("reason", kReason);
        SEMEL_TRY(response, send(gateway_->api_url(), "POST", "/v1/claims/" + claim + "/resolve",
                                 {}, body.end_object().take()));
        SEMEL_CHECK(expect(response.status == 200, "the claim can be resolved", response));
        say(fmt::format("The claim is {}: the next repeat is sent.",
                        printable(member_of(response, "state"))));
        return {};
    }

    Result<void> repeat_is_sent() {
        print_request(kSecondOrder);
        SEMEL_TRY(repeat, pay(gateway_->gateway_url(), kSecondOrder));
        print_answer(repeat, "Semel-Claim");
        SEMEL_CHECK(expect(repeat.status == 201, "the repeat is sent and gets a 201", repeat));
        SEMEL_CHECK(expect(service_->requests_with(kSecondOrder) == 2,
                           "the repeat carries the same Idempotency-Key to the service"));
        SEMEL_CHECK(expect_in_book(kSecondOrder, 2));
        say("The service received the same Idempotency-Key again and gave its first answer.");
        return explain(kSecondOrder);
    }

    // Compares the service's own count with one charge.
    Result<void> expect_in_book(const std::string& key, std::size_t requests) {
        const std::size_t charges = service_->charges_of(key);
        const std::size_t received = service_->requests_with(key);
        SEMEL_CHECK(expect(charges == 1 && received == requests,
                           fmt::format("the service has 1 charge for {} from {} requests, not {} "
                                       "from {}",
                                       key, requests, charges, received)));
        say(fmt::format("The service's book for {}: requests {}, charges {}.", key, received,
                        charges));
        return {};
    }

    // Prints what `semel explain` says of a key.
    Result<void> explain(const std::string& key) {
        line(fmt::format("  $ semel explain {} --url {}", key, gateway_->api_url()));
        SEMEL_TRY(response, send(gateway_->api_url(), "GET",
                                 "/v1/explain?key=" + percent_encode(key), {}, ""));
        const auto parsed = parse_answer(response.body);
        const auto items = parsed ? parsed->root().find("items") : std::nullopt;
        SEMEL_CHECK(expect(items && items->is_array() && items->size() == 1,
                           "one claim has the key " + key, response));
        for (const json::Value claim : items->elements()) {
            line("    " + printable(text_at(claim, "summary")));
        }
        return {};
    }

    void print_addresses() {
        show("gateway", gateway_->gateway_url() + "  (clients pay here)");
        show("API", gateway_->api_url() + "  (for operators)");
    }

    void print_request(const std::string& key) {
        line(
            fmt::format("  $ curl -i {}/charges -H 'Content-Type: application/json' -H "
                        "'Idempotency-Key: {}' -d '{}'",
                        gateway_->gateway_url(), key, kPayment));
    }

    // Prints status, one header and the body.
    void print_answer(const net::Response& response, const std::string& header) {
        line(fmt::format("    {} {}", response.status, net::reason_phrase(response.status)));
        if (const std::string value = header_of(response, header); !value.empty()) {
            line(fmt::format("    {}: {}", header, printable(value)));
        }
        line("    " + printable(response.body));
    }

    void show(const std::string& name, const std::string& value) {
        line(fmt::format("  {:<9}{}", name, value));
    }
    void say(const std::string& sentence) { line("  " + sentence); }
    void line(const std::string& text) { console_.out() << text << "\n" << std::flush; }

    Console& console_;
    PaymentService* service_ = nullptr;
    GatewayProcess* gateway_ = nullptr;  // the running gateway
};

}  // namespace

Result<void> run_demo(Console& console) {
    return Demo(console).run();
}

}  // namespace semel::cli
