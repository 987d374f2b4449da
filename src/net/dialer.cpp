#include "net/dialer.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "net/resolver.hpp"
#include "net/sockets.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;

class DialUnderWay : public Dial, public Timed, public std::enable_shared_from_this<DialUnderWay> {
public:
    DialUnderWay(IoThread& thread, std::shared_ptr<DeadlineSweep> sweep, DialOptions options,
                 std::shared_ptr<ClientTls> tls, Origin origin, Dialer::Done done)
        : thread_(thread),
          sweep_(std::move(sweep)),
          options_(std::move(options)),
          tls_(std::move(tls)),
          origin_(std::move(origin)),
          done_(std::move(done)) {}

    void start(Clock::time_point by);
    void cancel() override;

    [[nodiscard]] Clock::time_point deadline() const override { return deadline_; }
    void on_deadline() override;

private:
    enum class Phase { resolving, connecting, handshaking, ended };

    void resolve();
    void on_resolved(const Result<std::vector<std::string>>& addresses);
    Result<void> take_addresses(const std::vector<std::string>& addresses);
    void connect_next();
    void on_connected(const error_code& failure);
    void shake_hands();
    void end(Result<std::unique_ptr<Stream>> outcome);
    void fail(ErrorCode code, const std::string& why);

    IoThread& thread_;
    const std::shared_ptr<DeadlineSweep> sweep_;
    const DialOptions options_;
    const std::shared_ptr<ClientTls> tls_;
    const Origin origin_;
    Dialer::Done done_;

    Phase phase_ = Phase::resolving;
    Clock::time_point by_;        // of the whole
    Clock::time_point deadline_;  // of the phase
    std::vector<Tcp::endpoint> endpoints_;
    std::size_t next_ = 0;  // of endpoints_
    std::string why_ = "no address";
    std::shared_ptr<asio::ssl::context> context_;
    std::unique_ptr<Stream> stream_;
};

void DialUnderWay::start(Clock::time_point by) {
    by_ = std::min(by, Clock::now() + options_.timeout);
    deadline_ = by_;
    sweep_->add(shared_from_this());
    asio::post(thread_.io(), [self = shared_from_this()] { self->resolve(); });
}

void DialUnderWay::resolve() {
    if (phase_ == Phase::ended) return;
    if (origin_.tls) {
        auto context = tls_->context(origin_.trust);
        if (!context) return end(context.error());
        context_ = *std::move(context);
    }
    error_code is_name;
    asio::ip::make_address(origin_.host, is_name);
    if (!is_name) return on_resolved(std::vector<std::string>{origin_.host});
    if (!options_.resolver) return fail(ErrorCode::not_found, "no resolver for names");
    options_.resolver->resolve(origin_.host, thread_,
                               [self = shared_from_this()](Resolver::Addresses addresses) {
                                   if (self->phase_ == Phase::resolving) {
                                       self->on_resolved(addresses);
                                   }
                               });
}

void DialUnderWay::on_resolved(const Result<std::vector<std::string>>& addresses) {
    if (!addresses) return end(addresses.error());
    if (auto taken = take_addresses(*addresses); !taken) return end(taken.error());
    phase_ = Phase::connecting;
    connect_next();
}

Result<void> DialUnderWay::take_addresses(const std::vector<std::string>& addresses) {
    for (const std::string& literal : addresses) {
        error_code failure;
        const auto address = asio::ip::make_address(literal, failure);
        if (failure) return Error(ErrorCode::not_found, literal + " is not an address");
        if (options_.check_address) SEMEL_CHECK(options_.check_address(literal));
        endpoints_.emplace_back(address, origin_.port);
    }
    return {};
}

void DialUnderWay::connect_next() {
    while (next_ < endpoints_.size()) {
        const Tcp::endpoint& endpoint = endpoints_[next_++];
        stream_ = std::make_unique<Stream>(Tcp::socket(thread_.io()), context_.get());
        error_code failure;
        open_socket(stream_->socket(), endpoint.protocol(), failure);
        if (failure) {
            why_ = "a socket: " + failure.message();
            continue;
        }
        deadline_ = std::min(by_, Clock::now() + options_.address_timeout);
        stream_->socket().async_connect(
            endpoint, [self = shared_from_this(), at = next_](const error_code& outcome) {
                if (self->phase_ == Phase::connecting && self->next_ == at) {
                    self->on_connected(outcome);
                }
            });
        return;
    }
    fail(ErrorCode::unavailable, "connecting: " + why_);
}

void DialUnderWay::on_connected(const error_code& failure) {
    if (failure) {
        why_ = endpoints_[next_ - 1].address().to_string() + ": " + failure.message();
        return connect_next();
    }
    error_code ignored;
    stream_->socket().set_option(Tcp::no_delay(true), ignored);
    deadline_ = by_;
    if (origin_.tls) return shake_hands();
    end(std::move(stream_));
}

void DialUnderWay::shake_hands() {
    phase_ = Phase::handshaking;
    tls_->prepare(*stream_, origin_);
    stream_->async_handshake(
        asio::ssl::stream_base::client, [self = shared_from_this()](const error_code& failure) {
            if (self->phase_ != Phase::handshaking) return;
            if (failure) {
                return self->fail(ErrorCode::unavailable, "TLS handshake: " + failure.message());
            }
            self->end(std::move(self->stream_));
        });
}

void DialUnderWay::on_deadline() {
    if (phase_ == Phase::ended || deadline_ > Clock::now()) return;
    if (phase_ == Phase::connecting && Clock::now() < by_) {
        why_ = endpoints_[next_ - 1].address().to_string() + ": no answer in time";
        if (next_ < endpoints_.size()) return connect_next();
    }
    fail(ErrorCode::timeout, phase_ == Phase::resolving    ? "resolving the name took too long"
                             : phase_ == Phase::connecting ? "connecting took too long"
                                                           : "the TLS handshake took too long");
}

void DialUnderWay::cancel() {
    done_ = nullptr;
    fail(ErrorCode::stopped, "cancelled");
}

void DialUnderWay::fail(ErrorCode code, const std::string& why) {
    end(Error(code, origin_.host + ':' + std::to_string(origin_.port) + ": " + why));
}

void DialUnderWay::end(Result<std::unique_ptr<Stream>> outcome) {
    if (phase_ == Phase::ended) return;
    const auto self = shared_from_this();
    phase_ = Phase::ended;
    sweep_->remove(*this);
    // A handshake still refers to its stream, which dies with this object.
    error_code ignored;
    if (stream_) stream_->socket().close(ignored);
    if (const auto done = std::exchange(done_, nullptr)) done(std::move(outcome));
}

}  // namespace

std::shared_ptr<Dial> Dialer::dial(const Origin& origin, Timed::Clock::time_point by, Done done) {
    const auto dial =
        std::make_shared<DialUnderWay>(thread_, sweep_, options_, tls_, origin, std::move(done));
    dial->start(by);
    return dial;
}

}  // namespace semel::net
