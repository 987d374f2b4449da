#include "net/client_tls.hpp"

#include <array>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <openssl/ssl.h>

namespace semel::net {

// The newest session with one origin.
struct ClientTls::Session {
    Session() = default;
    ~Session() { SSL_SESSION_free(newest); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    SSL_SESSION* newest = nullptr;
};

namespace {

using boost::system::error_code;
namespace ssl = boost::asio::ssl;

using SessionHandle = std::weak_ptr<ClientTls::Session>;

// Sessions are dropped all at once above this number of origins; they only save a round trip.
constexpr std::size_t kSessionsMax = 1000;

void free_session_handle(void*, void* handle, CRYPTO_EX_DATA*, int, long, void*) {
    delete static_cast<SessionHandle*>(handle);
}

// The index at which OpenSSL stores the SessionHandle of a connection.
int session_index() {
    static const int index =
        SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, free_session_handle);
    return index;
}

// OpenSSL calls it with each session that a server offers. Keeps a copy, because OpenSSL
// invalidates the session of a connection that ends without close_notify, like most.
int keep_session(SSL* connection, SSL_SESSION* session) {
    const auto* handle = static_cast<SessionHandle*>(SSL_get_ex_data(connection, session_index()));
    const auto kept = handle == nullptr ? nullptr : handle->lock();
    if (kept) SSL_SESSION_free(std::exchange(kept->newest, SSL_SESSION_dup(session)));
    return 0;
}

Result<void> load_client_certificate(ssl::context& context, const Trust& trust) {
    if (trust.cert_path.empty()) return {};
    error_code failure;
    context.use_certificate_chain_file(trust.cert_path, failure);
    if (failure) {
        return Error(ErrorCode::invalid,
                     "client certificate, " + trust.cert_path + ": " + failure.message());
    }
    // Without a callback OpenSSL would ask for a passphrase on the terminal.
    context.set_password_callback(
        [](std::size_t, ssl::context::password_purpose) { return std::string(); }, failure);
    context.use_private_key_file(trust.key_path, ssl::context::pem, failure);
    if (failure || SSL_CTX_check_private_key(context.native_handle()) != 1) {
        return Error(ErrorCode::invalid, "client key, " + trust.key_path +
                                             ": not a PEM key without passphrase for " +
                                             trust.cert_path);
    }
    return {};
}

std::string name_of(const std::string& host) {
    // "example.com." is the same host, but no certificate has the last dot.
    return host.size() > 1 && host.back() == '.' ? host.substr(0, host.size() - 1) : host;
}

}  // namespace

Result<std::unique_ptr<ssl::context>> make_client_context(const Trust& trust) {
    auto context = std::make_unique<ssl::context>(ssl::context::tls_client);
    SSL_CTX* const native = context->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    // Idle connections then keep no 32 KiB of TLS buffers each.
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    error_code failure;
    if (trust.ca_path.empty()) {
        context->set_default_verify_paths(failure);
    } else {
        context->load_verify_file(trust.ca_path, failure);
    }
    if (failure) {
        return Error(ErrorCode::invalid,
                     "certificates to trust, " + trust.ca_path + ": " + failure.message());
    }
    SEMEL_CHECK(load_client_certificate(*context, trust));
    return context;
}

void expect_server(Stream& stream, const std::string& host, bool verify_peer) {
    const std::string name = name_of(host);
    auto& tls = stream.tls();
    error_code failure;
    if (verify_peer) {
        tls.set_verify_mode(ssl::verify_peer, failure);
        tls.set_verify_callback(ssl::host_name_verification(name), failure);
    }
    boost::asio::ip::make_address(name, failure);
    if (failure) {
        // A name, by which the server picks its certificate. OpenSSL's macro has a C cast.
        std::string copy = name;
        SSL_ctrl(tls.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 copy.data());
    }
}

Result<std::shared_ptr<ssl::context>> ClientTls::context(const Trust& trust) {
    if (const auto found = contexts_.find(trust); found != contexts_.end()) return found->second;
    SEMEL_TRY(made, make_client_context(trust));
    std::shared_ptr<ssl::context> context = std::move(made);
    SSL_CTX* const native = context->native_handle();
    constexpr std::array<unsigned char, 9> kProtocols = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    SSL_CTX_set_alpn_protos(native, kProtocols.data(), kProtocols.size());
    SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(native, keep_session);
    contexts_.emplace(trust, context);
    return context;
}

void ClientTls::prepare(Stream& stream, const Origin& origin) {
    expect_server(stream, origin.host, origin.trust.verify_peer);
    // The certificate of a session was verified once, so the session belongs to one set of trust.
    const Trust& trust = origin.trust;
    std::string key = origin.host + ':' + std::to_string(origin.port);
    for (const std::string* path : {&trust.ca_path, &trust.cert_path, &trust.key_path}) {
        key.append(1, '\0').append(*path);
    }
    key.append(trust.verify_peer ? "+" : "-");
    if (sessions_.size() >= kSessionsMax && sessions_.count(key) == 0) sessions_.clear();
    auto& session = sessions_[key];
    if (!session) session = std::make_shared<Session>();
    SSL* const native = stream.tls().native_handle();
    SSL_set_ex_data(native, session_index(), new SessionHandle(session));
    if (session->newest != nullptr) SSL_set_session(native, session->newest);
}

}  // namespace semel::net
