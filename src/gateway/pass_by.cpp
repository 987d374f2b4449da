#include "gateway/pass_by.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "gateway/answers.hpp"
#include "gateway/forwarded_headers.hpp"

namespace semel::gateway {

namespace {

using Clock = std::chrono::steady_clock;

// The longest silence within a body. Event streams are silent for long.
constexpr std::chrono::minutes kSilenceMax{5};

bool is_safe(const std::string& method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

// One request and its call. Lifetime: its pending operation holds it.
class Passage : public std::enable_shared_from_this<Passage> {
public:
    Passage(Outgoing outgoing, CallPools& pools, net::Responder respond)
        : outgoing_(std::move(outgoing)),
          pool_(pools.of(*outgoing_.request.io)),
          respond_(std::move(respond)),
          deadline_(Clock::now() + outgoing_.route->settings.timeout) {}

    void start() {
        outgoing_.request.when_gone([self = weak_from_this()] {
            if (const auto passage = self.lock()) passage->on_client_gone();
        });
        reserve(net::CallPool::Want::any);
    }

private:
    void reserve(net::CallPool::Want want) {
        const auto by =
            std::min(deadline_, Clock::now() + outgoing_.route->settings.connect_timeout);
        pool_.acquire(
            outgoing_.route->origin, by,
            [self = shared_from_this()](Result<net::Reserved> reserved) {
                self->on_reserved(std::move(reserved));
            },
            want);
    }

    void on_reserved(Result<net::Reserved> reserved) {
        if (is_gone_) return;
        if (!reserved) return respond_(not_sent(reserved.error().message()));
        net::CallRequest request;
        request.method = outgoing_.request.method;
        request.target = outgoing_.target;
        request.headers = outgoing_.headers;
        request.body = outgoing_.request.body;
        request.source = outgoing_.request.source;
        request.head_by = deadline_;
        request.idle = kSilenceMax;
        call_ = std::move(*reserved).send(
            std::move(request),
            {.on_head = [self = shared_from_this()](
                            net::CallHead head) { self->on_head(std::move(head)); },
             .on_end = [self =
                            shared_from_this()](const net::CallEnd& end) { self->on_end(end); }});
    }

    void on_head(net::CallHead head) {
        is_answered_ = true;
        net::Response response;
        response.status = head.status;
        response.headers = client_headers(head.headers, outgoing_.route->upstream);
        if (outgoing_.request.method == "HEAD") {
            const std::string* length = net::find_header(head.headers, "content-length");
            if (length != nullptr) response.length = parse_decimal(*length);
        }
        response.source = std::move(head.body);
        respond_(std::move(response));
    }

    void on_end(const net::CallEnd& end) {
        call_ = nullptr;
        if (is_answered_ || is_gone_) return;
        const bool is_lost = end.what == net::CallResult::maybe_sent;
        const bool has_body = outgoing_.request.source || !outgoing_.request.body.empty();
        // The upstream may have closed an idle connection just as the request was sent.
        if (is_lost && end.is_reused && is_safe(outgoing_.request.method) && !has_body) {
            return reserve(net::CallPool::Want::fresh);
        }
        if (end.what == net::CallResult::not_sent) return respond_(not_sent(end.detail));
        respond_(no_answer(outgoing_.request.method, end.detail,
                           end.what == net::CallResult::timed_out));
    }

    void on_client_gone() {
        is_gone_ = true;
        if (const auto call = std::exchange(call_, nullptr)) call->cancel();
        respond_(client_left());  // it may have closed its sending side alone
    }

    Outgoing outgoing_;
    net::CallPool& pool_;
    net::Responder respond_;
    Clock::time_point deadline_;
    std::shared_ptr<net::Call> call_;
    bool is_answered_ = false;
    bool is_gone_ = false;
};

}  // namespace

void pass_by(Outgoing outgoing, CallPools& pools, net::Responder respond) {
    std::make_shared<Passage>(std::move(outgoing), pools, std::move(respond))->start();
}

}  // namespace semel::gateway
