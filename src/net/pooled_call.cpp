#include "net/pooled_call.hpp"

#include <utility>

#include <boost/asio/post.hpp>

namespace semel::net {

std::shared_ptr<PooledCall> PooledCall::start(std::unique_ptr<Reserved::Seat> seat,
                                              CallRequest request, CallListener listener) {
    const std::shared_ptr<PooledCall> call(
        new PooledCall(std::move(seat), std::move(request), std::move(listener)));
    const auto pool = call->pool_.lock();
    if (pool && !pool->is_stopped()) {
        pool->add(call);
        call->begin(*pool);
        return call;
    }
    boost::asio::post(call->seat_->link->executor(), [call] {
        call->finish({CallResult::not_sent, false, false, "the pool is stopped"});
    });
    return call;
}

PooledCall::PooledCall(std::unique_ptr<Reserved::Seat> seat, CallRequest request,
                       CallListener listener)
    : pool_(seat->pool),
      seat_(std::move(seat)),
      request_(std::make_shared<const CallRequest>(std::move(request))),
      listener_(std::move(listener)) {}

void PooledCall::begin(CallPool::Impl& pool) {
    const Link::Health health = seat_->link->check();
    // The first bytes of a server after the handshake are session tickets.
    bool is_fit = health != Link::Health::dead;
    if (seat_->is_reused) {
        const auto until = CallPool::Impl::good_until(seat_->origin, *seat_->link);
        is_fit = health == Link::Health::usable && Timed::Clock::now() < until;
    }
    if (is_fit) {
        send(pool);
    } else {
        replace_link(pool);
    }
}

void PooledCall::send(CallPool::Impl& pool) {
    CallListener listener;
    listener.on_head = [self = shared_from_this()](CallHead head) {
        if (const auto on_head = std::exchange(self->listener_.on_head, nullptr)) {
            on_head(std::move(head));
        }
    };
    listener.on_end = [self = shared_from_this()](CallEnd end) { self->on_end(std::move(end)); };
    call_ = LinkCall::start(seat_->link, pool.sweep(), request_, std::move(listener));
}

void PooledCall::replace_link(CallPool::Impl& pool) {
    call_ = nullptr;
    seat_->link->close();
    seat_->link = nullptr;
    seat_->is_reused = false;
    dial_ = pool.dial(seat_->origin, request_->head_by,
                      [self = shared_from_this()](Result<std::unique_ptr<Stream>> stream) {
                          self->dial_ = nullptr;
                          const auto still = self->pool_.lock();
                          if (!stream || !still) {
                              const std::string why =
                                  stream ? "the pool is stopped" : stream.error().message();
                              return self->finish({CallResult::not_sent, false, false, why});
                          }
                          self->seat_->link = std::make_shared<Link>(*std::move(stream));
                          self->send(*still);
                      });
}

void PooledCall::on_end(CallEnd end) {
    const auto pool = pool_.lock();
    const bool may_replace = end.what == CallResult::not_sent && seat_->is_reused && pool &&
                             Timed::Clock::now() < request_->head_by;
    if (may_replace) return replace_link(*pool);
    finish(std::move(end));
}

void PooledCall::cancel() {
    if (call_) return call_->cancel();
    if (const auto dial = std::exchange(dial_, nullptr)) {
        dial->cancel();
        finish({CallResult::cancelled, false, false, "cancelled"});
    }
}

void PooledCall::finish(CallEnd end) {
    const auto self = shared_from_this();
    end.is_reused = seat_->is_reused;
    call_ = nullptr;
    if (request_->source && end.what != CallResult::answered) request_->source->abort();
    const CallListener listener = std::exchange(listener_, {});
    if (const auto pool = pool_.lock()) pool->remove(self);
    seat_.reset();
    if (listener.on_end) listener.on_end(std::move(end));
}

}  // namespace semel::net
