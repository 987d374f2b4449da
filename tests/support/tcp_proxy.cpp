#include "support/tcp_proxy.hpp"

#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

constexpr int kWaitingConnectionsMax = 128;
constexpr std::size_t kPieceBytes = 65536;

[[noreturn]] void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

sockaddr_in local(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

UniqueFd make_socket() {
    UniqueFd made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!made) fail("socket");
    return made;
}

UniqueFd bound_to(int port) {
    UniqueFd made = make_socket();
    const int yes = 1;
    const sockaddr_in address = local(port);
    if (setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        fail("bind");
    }
    return made;
}

int port_of(const UniqueFd& bound) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (getsockname(bound.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        fail("getsockname");
    }
    return ntohs(address.sin_port);
}

std::shared_ptr<const UniqueFd> listening_on(int port) {
    auto listener = std::make_shared<const UniqueFd>(bound_to(port));
    if (listen(listener->get(), kWaitingConnectionsMax) != 0) fail("listen");
    return listener;
}

void send_at_once(const UniqueFd& connection) {
    const int yes = 1;
    setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// What came; nothing at the end.
std::string receive(const UniqueFd& from) {
    std::string bytes(kPieceBytes, '\0');
    const ssize_t got = recv(from.get(), bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
}

bool send_all(const UniqueFd& to, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool is_commit(FrontendKind kind) {
    return kind == FrontendKind::commit_query || kind == FrontendKind::commit_execute;
}

bool makes_ready(FrontendKind kind) {
    return kind == FrontendKind::startup || kind == FrontendKind::query ||
           kind == FrontendKind::commit_query || kind == FrontendKind::sync;
}

}  // namespace

// One connection of a client, and ours to the server.
struct TcpProxy::Link {
    const UniqueFd client;
    UniqueFd server = {};
    std::thread thread = {};
    FrontendReader requests = {};  // of the thread that forwards them

    // Guarded by the proxy's mutex.
    bool is_cut = false;         // or over for another reason: nothing passes any more
    bool is_ended = false;       // its thread has nothing left to do
    bool is_committing = false;  // by the commit that is to be cut: the answers are for nobody
    CutAt cut_at = CutAt::before_commit;
    int ready_expected = 0;  // how often the server will have said so
    int ready_at_cut = 0;    // how often when the commit is answered; 0: it was not yet sent
    ReadyCounter answers = {};
};

TcpProxy::TcpProxy(int server_port)
    : server_port_(server_port),
      port_holder_(bound_to(0)),
      port_(port_of(port_holder_)),
      listener_(listening_on(port_)),
      acceptor_([this] { accept_all(); }) {}

TcpProxy::~TcpProxy() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
        if (listener_) shutdown(listener_->get(), SHUT_RDWR);
        for (const auto& link : links_) cut(*link);
        changed_.notify_all();
    }
    acceptor_.join();
    for (const auto& link : links_) link->thread.join();
}

std::string TcpProxy::url(const std::string& server_url) const {
    return through_port(port_, server_url);
}

void TcpProxy::pass() {
    set_mode(Mode::pass);
}

void TcpProxy::delay(std::chrono::milliseconds by) {
    set_mode(Mode::delay, by);
}

void TcpProxy::black_hole() {
    set_mode(Mode::black_hole);
}

void TcpProxy::refuse() {
    set_mode(Mode::refuse);
}

void TcpProxy::set_mode(Mode mode, std::chrono::milliseconds delay) {
    const std::lock_guard lock(mutex_);
    mode_ = mode;
    delay_ = delay;
    if (mode == Mode::refuse && listener_) {
        shutdown(listener_->get(), SHUT_RDWR);
        listener_.reset();
    } else if (mode != Mode::refuse && !listener_) {
        listener_ = listening_on(port_);
    }
    changed_.notify_all();
}

void TcpProxy::cut() {
    const std::lock_guard lock(mutex_);
    for (const auto& link : links_) cut(*link);
}

void TcpProxy::cut(Link& link) {
    if (link.is_cut) return;
    link.is_cut = true;
    ++cuts_;
    shutdown(link.client.get(), SHUT_RDWR);
    shutdown(link.server.get(), SHUT_RDWR);
    changed_.notify_all();
}

void TcpProxy::cut_at_commit(CutAt where, int nth) {
    const std::lock_guard lock(mutex_);
    cut_at_ = where;
    commits_until_cut_ = nth;
}

int TcpProxy::connections() const {
    const std::lock_guard lock(mutex_);
    return connections_;
}

int TcpProxy::cuts() const {
    const std::lock_guard lock(mutex_);
    return cuts_;
}

void TcpProxy::accept_all() {
    while (const auto listener = wait_for_listener()) {
        UniqueFd client(accept4(listener->get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client) begin(std::move(client));
        forget_ended_links();
    }
}

std::shared_ptr<const UniqueFd> TcpProxy::wait_for_listener() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_stopping_ || listener_; });
    return is_stopping_ ? nullptr : listener_;
}

void TcpProxy::begin(UniqueFd client) {
    send_at_once(client);
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return;
    ++connections_;
    Link& link = *links_.emplace_back(std::make_unique<Link>(std::move(client)));
    link.thread = std::thread([this, &link] { run(link); });
}

void TcpProxy::forget_ended_links() {
    const std::lock_guard lock(mutex_);
    links_.remove_if([](const std::unique_ptr<Link>& link) {
        if (link->is_ended) link->thread.join();
        return link->is_ended;
    });
}

void TcpProxy::run(Link& link) {
    if (hold(link) && connect_to_server(link)) {
        std::thread answers([this, &link] { pump_answers(link); });
        pump_requests(link);
        answers.join();
    }
    end(link);
    const std::lock_guard lock(mutex_);
    link.is_ended = true;
}

bool TcpProxy::connect_to_server(Link& link) {
    UniqueFd server = make_socket();
    const sockaddr_in address = local(server_port_);
    if (connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        return false;
    }
    send_at_once(server);
    const std::lock_guard lock(mutex_);
    link.server = std::move(server);
    return !link.is_cut;
}

void TcpProxy::pump_requests(Link& link) {
    for (;;) {
        const std::string bytes = receive(link.client);
        if (!hold(link) || bytes.empty() || !forward(link, link.requests.read(bytes))) break;
    }
    end(link);
}

void TcpProxy::pump_answers(Link& link) {
    for (;;) {
        const std::string bytes = receive(link.server);
        if (!hold(link) || bytes.empty()) break;
        if (may_pass(link, bytes) && !send_all(link.client, bytes)) break;
    }
    end(link);
}

bool TcpProxy::forward(Link& link, const std::vector<FrontendMessage>& messages) {
    std::string out;
    for (const FrontendMessage& message : messages) {
        switch (judge(link, message.kind)) {
            case Verdict::forward: out += message.bytes; break;
            case Verdict::decline: send_all(link.client, "N"); break;
            case Verdict::cut_before: {
                send_all(link.server, out);
                const std::lock_guard lock(mutex_);
                cut(link);
                return false;
            }
            case Verdict::cut_after:
                send_all(link.server, out + message.bytes);
                finish_cut(link);
                return false;
        }
    }
    return send_all(link.server, out);
}

TcpProxy::Verdict TcpProxy::judge(Link& link, FrontendKind kind) {
    const std::lock_guard lock(mutex_);
    if (kind == FrontendKind::encryption_request) return Verdict::decline;
    link.ready_expected += makes_ready(kind) ? 1 : 0;
    const bool is_counted = is_commit(kind) && commits_until_cut_ > 0;
    commits_until_cut_ -= is_counted ? 1 : 0;
    if (is_counted && commits_until_cut_ == 0) {
        if (cut_at_ == CutAt::before_commit) return Verdict::cut_before;
        link.cut_at = cut_at_;
        link.is_committing = true;
    }
    if (link.is_committing && makes_ready(kind)) {
        link.ready_at_cut = link.ready_expected;
        return Verdict::cut_after;
    }
    return Verdict::forward;
}

void TcpProxy::finish_cut(Link& link) {
    std::unique_lock lock(mutex_);
    if (link.cut_at == CutAt::commit_sent) {
        cut(link);
    }
    changed_.wait(lock, [&] { return link.is_cut; });
}

bool TcpProxy::may_pass(Link& link, const std::string& answer) {
    const std::lock_guard lock(mutex_);
    link.answers.read(answer);
    if (link.ready_at_cut > 0 && link.answers.count() >= link.ready_at_cut) {
        cut(link);
    }
    return !link.is_committing;
}

bool TcpProxy::hold(Link& link) {
    std::unique_lock lock(mutex_);
    const auto is_over = [&] { return link.is_cut || is_stopping_; };
    if (mode_ == Mode::delay) {
        changed_.wait_for(lock, delay_, is_over);
    }
    changed_.wait(lock, [&] { return is_over() || mode_ != Mode::black_hole; });
    return !is_over();
}

void TcpProxy::end(Link& link) {
    const std::lock_guard lock(mutex_);
    link.is_cut = true;
    shutdown(link.client.get(), SHUT_RDWR);
    shutdown(link.server.get(), SHUT_RDWR);
    changed_.notify_all();
}

}  // namespace semel::test
