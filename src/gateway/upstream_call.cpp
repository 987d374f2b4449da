#include "gateway/upstream_call.hpp"

#include <algorithm>
#include <utility>

#include "net/mailbox.hpp"

namespace semel::gateway {

namespace {

// The longest silence within a body.
constexpr std::chrono::seconds kKeptSilenceMax{30};

bool is_event_stream(const std::vector<net::Header>& headers) {
    const std::string* type = net::find_header(headers, "content-type");
    constexpr std::string_view kEvents = "text/event-stream";
    return type != nullptr &&
           net::iequals(std::string_view(*type).substr(0, kEvents.size()), kEvents);
}

// Two threads meet here: the executor asks, the io thread does, and the answer is posted back.
class Call : public PassUpstream, public std::enable_shared_from_this<Call> {
public:
    Call(UpstreamRequest request, net::IoThread& io, CallPools& pools, Node& node)
        : request_(std::move(request)), io_(io), pools_(pools), node_(node) {}

    [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }

    void reserve(std::function<void(Result<void>)> done) override {
        on_io([this, done = std::move(done)] {
            const GatewayRoute& settings = request_.route->settings;
            deadline_ = Clock::now() + settings.timeout;
            pools_.of(io_).acquire(
                request_.route->origin,
                std::min(deadline_, Clock::now() + settings.connect_timeout),
                [this, self = shared_from_this(), done](Result<net::Reserved> reserved) {
                    Result<void> result;
                    if (reserved) {
                        reserved_ = std::make_unique<net::Reserved>(*std::move(reserved));
                    } else {
                        result = reserved.error();
                    }
                    on_executor([done, result = std::move(result)] { done(result); });
                });
        });
    }

    void give_back() override {
        on_io([this] { reserved_ = nullptr; });
    }

    void send(std::vector<net::Header> headers, Clock::time_point not_after,
              Answered answered) override {
        on_io([this, headers = std::move(headers), not_after,
               answered = std::move(answered)]() mutable {
            answered_ = std::move(answered);
            if (Clock::now() >= not_after) {
                reserved_ = nullptr;
                return give(UpstreamFailure{net::CallResult::not_sent,
                                            "this process stood still for too long"});
            }
            send_now(std::move(headers));
        });
    }

private:
    // Both hold this call until the step has run.
    template <typename Step>
    void on_io(Step step) {
        io_.post([self = shared_from_this(), step = std::move(step)]() mutable { step(); });
    }
    template <typename Step>
    void on_executor(Step step) {
        node_.post([self = shared_from_this(), step = std::move(step)]() mutable { step(); });
    }

    void send_now(std::vector<net::Header> headers) {
        net::CallRequest call;
        call.method = request_.method;
        call.target = request_.target;
        call.headers = std::move(headers);
        call.body = request_.body;
        call.head_by = deadline_;
        call.idle =
            std::min<std::chrono::milliseconds>(kKeptSilenceMax, request_.route->settings.timeout);
        const auto reserved = std::move(reserved_);
        std::move(*reserved).send(
            std::move(call),
            {.on_head = [self = shared_from_this()](
                            net::CallHead head) { self->on_head(std::move(head)); },
             .on_end =
                 [self = shared_from_this()](net::CallEnd end) { self->on_end(std::move(end)); }});
    }

    void on_head(net::CallHead head) {
        answer_.status = head.status;
        answer_.headers = std::move(head.headers);
        body_ = std::move(head.body);
        if (!body_) return;  // the end follows
        const std::size_t max = request_.route->settings.max_stored_body;
        if (is_event_stream(answer_.headers) || body_->length() > max) return give_unkept();
        read_body();
    }

    void read_body() {
        body_->read([self = shared_from_this()](Result<std::string_view> piece) {
            if (!piece || piece->empty()) return;  // the end follows, and says how it ended
            self->answer_.body += *piece;
            if (Clock::now() >= self->deadline_) return self->give_too_late();
            if (self->answer_.body.size() > self->request_.route->settings.max_stored_body) {
                return self->give_unkept();
            }
            self->read_body();
        });
    }

    // The executor may drop the rest of a body that nobody reads. Its end belongs to the io thread.
    void give_unkept() {
        net::BodySource& body = *body_;
        answer_.rest = std::shared_ptr<net::BodySource>(
            &body, [mailbox = io_.mailbox(), owned = std::move(body_)](net::BodySource*) mutable {
                mailbox->run([owned = std::move(owned)] {});
            });
        give(std::move(answer_));
    }

    void give_too_late() {
        give(UpstreamFailure{net::CallResult::timed_out,
                             "the upstream's answer was not whole in time"});
        body_->abort();
    }

    void on_end(net::CallEnd end) {
        if (end.what == net::CallResult::answered) return give(std::move(answer_));
        give(UpstreamFailure{end.what, std::move(end.detail)});
    }

    // The first result counts: a body that is passed on ends after it was given.
    void give(std::variant<UpstreamAnswer, UpstreamFailure> result) {
        if (const auto answered = std::exchange(answered_, nullptr)) {
            on_executor(
                [answered, result = std::move(result)]() mutable { answered(std::move(result)); });
        }
    }

    const UpstreamRequest request_;
    net::IoThread& io_;
    CallPools& pools_;
    Node& node_;
    // Of the io thread:
    Clock::time_point deadline_;
    std::unique_ptr<net::Reserved> reserved_;
    Answered answered_;
    UpstreamAnswer answer_;
    std::shared_ptr<net::BodySource> body_;
};

}  // namespace

std::shared_ptr<PassUpstream> make_upstream_call(UpstreamRequest request, net::IoThread& io,
                                                 CallPools& pools, Node& node) {
    return std::make_shared<Call>(std::move(request), io, pools, node);
}

}  // namespace semel::gateway
