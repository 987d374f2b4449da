#include "net/call_pool_impl.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "net/pooled_call.hpp"

namespace semel::net {

namespace {

constexpr std::chrono::milliseconds kCallSweep{25};
constexpr std::chrono::milliseconds kIdleSweep{100};
// A connection is not used so close to the end that its server announced: the server could close it
// during a send.
constexpr std::chrono::seconds kKeepAliveMargin{1};

std::string text_of(const Origin& origin) {
    return origin.host + ':' + std::to_string(origin.port);
}

}  // namespace

// An acquisition that has no connection yet.
class CallPool::Impl::Waiter : public Timed {
public:
    Waiter(std::weak_ptr<Impl> the_pool, Origin the_origin, Clock::time_point by,
           OnReserved on_reserved, Want what)
        : pool(std::move(the_pool)),
          origin(std::move(the_origin)),
          until(by),
          done(std::move(on_reserved)),
          want(what) {}

    [[nodiscard]] Clock::time_point deadline() const override { return until; }
    void on_deadline() override;

    const std::weak_ptr<Impl> pool;
    const Origin origin;
    const Clock::time_point until;
    OnReserved done;
    const Want want;
    std::shared_ptr<Dial> dial;
    std::weak_ptr<Waiter> self;
};

void CallPool::Impl::Waiter::on_deadline() {
    const auto impl = pool.lock();
    const auto waiter = self.lock();
    if (impl && waiter) impl->give_up(waiter);
}

// An idle connection.
class CallPool::Impl::IdleLink : public Timed {
public:
    IdleLink(std::weak_ptr<Impl> the_pool, Origin the_origin, std::shared_ptr<Link> the_link,
             Clock::time_point closes_at)
        : pool(std::move(the_pool)),
          origin(std::move(the_origin)),
          link(std::move(the_link)),
          until(closes_at) {}

    [[nodiscard]] Clock::time_point deadline() const override { return until; }
    void on_deadline() override { drop(); }
    void drop() {
        const auto impl = pool.lock();
        const auto idle = self.lock();
        if (!impl || !idle) return;
        impl->drop_idle(idle);
        impl->serve(origin);
    }

    const std::weak_ptr<Impl> pool;
    const Origin origin;
    const std::shared_ptr<Link> link;
    const Clock::time_point until;
    std::weak_ptr<IdleLink> self;
};

Reserved::Seat::~Seat() {
    if (const auto impl = pool.lock()) {
        impl->release(origin, link);
    } else if (link) {
        link->close();
    }
}

CallPool::Impl::Impl(IoThread& thread, DialOptions options)
    : thread_(thread),
      sweep_(std::make_shared<DeadlineSweep>(thread.io(), kCallSweep)),
      idle_sweep_(std::make_shared<DeadlineSweep>(thread.io(), kIdleSweep)),
      dialer_(thread, sweep_, std::move(options)) {}

Reserved CallPool::Impl::reserve(const Origin& origin, std::shared_ptr<Link> link, bool is_reused) {
    if (is_reused) ++reused_;
    return Reserved(
        std::make_unique<Reserved::Seat>(weak_from_this(), origin, std::move(link), is_reused));
}

// --- Acquisitions ---

void CallPool::Impl::acquire(const Origin& origin, Clock::time_point deadline,
                             OnReserved on_reserved, Want want) {
    if (is_stopped_) return on_reserved(Error(ErrorCode::stopped, "the pool is stopped"));
    const auto waiter =
        std::make_shared<Waiter>(weak_from_this(), origin, deadline, std::move(on_reserved), want);
    waiter->self = waiter;
    sites_[origin].waiting.push_back(waiter);
    ++waiting_;
    sweep_->add(waiter);
    serve(waiter->origin);  // the callback can destroy its owner
}

std::optional<Reserved> CallPool::Impl::try_reserve(const Origin& origin) {
    const auto site = sites_.find(origin);
    if (site == sites_.end() || !site->second.waiting.empty()) return std::nullopt;
    auto link = take_idle(origin);
    if (link) return reserve(origin, std::move(link), true);
    serve(origin);  // forgets the origin if its last connection was closed
    return std::nullopt;
}

void CallPool::Impl::serve(const Origin& origin) {
    for (;;) {
        // Searched again each time, because a callback can change the map.
        const auto site = sites_.find(origin);
        if (site == sites_.end()) return;
        if (site->second.waiting.empty()) {
            if (site->second.open == 0) sites_.erase(site);
            return;
        }
        const auto waiter = site->second.waiting.front();
        auto link = waiter->want == Want::any ? take_idle(origin) : nullptr;
        if (!link && !make_room(*waiter)) return;
        site->second.waiting.pop_front();
        --waiting_;
        sweep_->remove(*waiter);
        if (link) {
            std::exchange(waiter->done, nullptr)(reserve(origin, std::move(link), true));
        } else {
            dial_for(waiter);
        }
    }
}

// Makes a seat for a new connection. Closes an idle one if needed.
bool CallPool::Impl::make_room(const Waiter& waiter) {
    Site& site = sites_[waiter.origin];
    if (site.open >= std::max<std::size_t>(waiter.origin.max_connections, 1)) {
        if (site.idle.empty()) return false;
        drop_idle(site.idle.front());
    }
    ++site.open;
    ++open_;
    return true;
}

std::shared_ptr<Dial> CallPool::Impl::dial(const Origin& origin, Clock::time_point by,
                                           Dialer::Done done) {
    ++dialled_;
    return dialer_.dial(origin, by, std::move(done));
}

void CallPool::Impl::dial_for(const std::shared_ptr<Waiter>& waiter) {
    dialling_.insert(waiter);
    waiter->dial = dial(waiter->origin, waiter->until,
                        [weak = weak_from_this(), waiter](Result<std::unique_ptr<Stream>> stream) {
                            const auto self = weak.lock();
                            if (!self) return;
                            self->dialling_.erase(waiter);
                            waiter->dial = nullptr;
                            const auto done = std::exchange(waiter->done, nullptr);
                            if (!stream) {
                                self->drop_seat(waiter->origin);
                                return done(stream.error());
                            }
                            const auto link = std::make_shared<Link>(*std::move(stream));
                            link->watch();
                            done(self->reserve(waiter->origin, link, false));
                        });
}

void CallPool::Impl::give_up(const std::shared_ptr<Waiter>& waiter) {
    sweep_->remove(*waiter);
    auto& waiting = sites_[waiter->origin].waiting;
    const auto place = std::find(waiting.begin(), waiting.end(), waiter);
    if (place == waiting.end()) return;
    waiting.erase(place);
    --waiting_;
    std::exchange(waiter->done, nullptr)(
        Error(ErrorCode::timeout,
              text_of(waiter->origin) + ": every connection was busy until the deadline"));
}

// --- Connections ---

CallPool::Clock::time_point CallPool::Impl::good_until(const Origin& origin, const Link& link) {
    std::chrono::milliseconds limit = origin.idle_max;
    if (const auto kept_for = link.kept_for()) {
        limit = std::min<std::chrono::milliseconds>(limit, *kept_for - kKeepAliveMargin);
    }
    return link.idle_since() + limit;
}

std::shared_ptr<Link> CallPool::Impl::take_idle(const Origin& origin) {
    Site& site = sites_[origin];
    while (!site.idle.empty()) {
        const auto idle = site.idle.back();
        const auto until = std::min(idle->until, good_until(origin, *idle->link));
        const bool is_fit = Clock::now() < until && idle->link->check() == Link::Health::usable;
        if (!is_fit) {
            drop_idle(idle);
            continue;
        }
        site.idle.pop_back();
        --idle_;
        idle_sweep_->remove(*idle);
        idle->link->when_lost(nullptr);
        return idle->link;
    }
    return nullptr;
}

void CallPool::Impl::release(const Origin& origin, std::shared_ptr<Link> link) {
    if (is_stopped_ || !link || !link->is_open()) {
        if (link) link->close();
        return drop_seat(origin);
    }
    link->watch();
    if (!link->is_tls()) return keep(origin, link);
    // OpenSSL can have unread records. The watch reads them, and closes the link, before this runs.
    boost::asio::post(thread_.io(), [weak = weak_from_this(), origin, link = std::move(link)] {
        if (const auto self = weak.lock()) self->keep(origin, link);
    });
}

void CallPool::Impl::keep(const Origin& origin, const std::shared_ptr<Link>& link) {
    const auto until = good_until(origin, *link);
    if (is_stopped_ || until <= Clock::now() || link->check() != Link::Health::usable) {
        link->close();
        return drop_seat(origin);
    }
    const auto idle = std::make_shared<IdleLink>(weak_from_this(), origin, link, until);
    idle->self = idle;
    link->when_lost([weak = std::weak_ptr(idle)] {
        if (const auto lost = weak.lock()) lost->drop();
    });
    sites_[origin].idle.push_back(idle);
    ++idle_;
    idle_sweep_->add(idle);
    serve(origin);
}

void CallPool::Impl::drop_idle(const std::shared_ptr<IdleLink>& idle) {
    idle_sweep_->remove(*idle);
    Site& site = sites_[idle->origin];
    const auto place = std::find(site.idle.begin(), site.idle.end(), idle);
    if (place == site.idle.end()) return;
    site.idle.erase(place);
    --idle_;
    idle->link->close();
    --site.open;
    --open_;
}

void CallPool::Impl::drop_seat(const Origin& origin) {
    --sites_[origin].open;
    --open_;
    serve(origin);
}

// --- The end ---

void CallPool::Impl::stop() {
    is_stopped_ = true;
    std::vector<std::shared_ptr<Waiter>> waiting;
    std::vector<std::shared_ptr<IdleLink>> idle;
    for (auto& [origin, site] : sites_) {
        waiting.insert(waiting.end(), site.waiting.begin(), site.waiting.end());
        site.waiting.clear();
        idle.insert(idle.end(), site.idle.begin(), site.idle.end());
    }
    waiting_ -= waiting.size();
    for (const auto& one : waiting) sweep_->remove(*one);
    for (const auto& one : idle) one->drop();
    for (const auto& one : std::exchange(dialling_, {})) {
        std::exchange(one->dial, nullptr)->cancel();
        drop_seat(one->origin);
        waiting.push_back(one);
    }
    for (const auto& call : std::exchange(calls_, {})) call->cancel();
    for (const auto& one : waiting) {
        std::exchange(one->done, nullptr)(Error(ErrorCode::stopped, "the pool is stopped"));
    }
}

CallPool::Stats CallPool::Impl::stats() const {
    return {dialled_.load(), reused_.load(), open_.load(), idle_.load(), waiting_.load()};
}

}  // namespace semel::net
