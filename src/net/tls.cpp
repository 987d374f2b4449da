#include "net/tls.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <openssl/ssl.h>

namespace semel::net {

namespace {

namespace ssl = boost::asio::ssl;

// Checks the file first, because OpenSSL's error for an unreadable file is unclear.
Result<void> check_readable(const std::string& what, const std::string& path) {
    errno = 0;
    std::ifstream file(path);
    if (file && file.peek() != std::ifstream::traits_type::eof()) return {};
    const std::string why = errno != 0 ? std::strerror(errno) : "the file is empty";
    return Error(ErrorCode::invalid, what + " " + path + ": " + why);
}

}  // namespace

Result<std::unique_ptr<ssl::context>> make_tls_context(const Tls& tls) {
    SEMEL_CHECK(check_readable("TLS certificate", tls.cert_path));
    SEMEL_CHECK(check_readable("TLS key", tls.key_path));
    auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
    SSL_CTX* native = context->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_options(
        native, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Idle connections then keep no 32 KiB of TLS buffers each.
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);

    boost::system::error_code failure;
    context->use_certificate_chain_file(tls.cert_path, failure);
    if (failure) {
        return Error(ErrorCode::invalid, "TLS certificate " + tls.cert_path +
                                             " is no PEM certificate: " + failure.message());
    }
    // Without a callback OpenSSL would ask for a passphrase on the terminal.
    context->set_password_callback(
        [](std::size_t, ssl::context::password_purpose) { return std::string(); }, failure);
    context->use_private_key_file(tls.key_path, ssl::context::pem, failure);
    if (failure) {
        return Error(ErrorCode::invalid, "TLS key " + tls.key_path +
                                             " is no PEM key without passphrase for " +
                                             tls.cert_path + ": " + failure.message());
    }
    if (SSL_CTX_check_private_key(native) != 1) {
        return Error(ErrorCode::invalid,
                     "TLS key " + tls.key_path + " does not belong to " + tls.cert_path);
    }
    return context;
}

}  // namespace semel::net
