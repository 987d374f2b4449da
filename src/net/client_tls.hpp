// ClientTls: the client's side of TLS. It holds a context for each set of trusted certificates, and
// for each server the last session, which shortens the next handshake.
//
// Errors: of the certificate files, see make_client_context(). A handshake fails on its stream.
// Threads: one, which must also be that of the streams.
// Lifetime: it outlives the handshakes that it prepared. Streams can outlive it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "base/result.hpp"
#include "net/origin.hpp"
#include "net/stream.hpp"

namespace semel::net {

// Returns a context for TLS 1.2 and newer. Reads the files once.
// Errors: `invalid`, with the file and the reason.
[[nodiscard]] Result<std::unique_ptr<boost::asio::ssl::context>> make_client_context(
    const Trust& trust);

// Prepares a handshake. The server must show a certificate for `host`, and receives this name as
// SNI. REQUIRES: stream.is_tls().
void expect_server(Stream& stream, const std::string& host, bool verify_peer);

class ClientTls {
public:
    ClientTls() = default;
    ~ClientTls() = default;
    ClientTls(const ClientTls&) = delete;
    ClientTls& operator=(const ClientTls&) = delete;

    // Returns the context for these files. They are read at the first call.
    // Errors: as make_client_context(). A failure is not remembered.
    [[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> context(const Trust& trust);

    // Prepares a handshake with the origin, and offers its last session.
    // REQUIRES: the stream was made with this origin's context.
    void prepare(Stream& stream, const Origin& origin);

    struct Session;

private:
    std::map<Trust, std::shared_ptr<boost::asio::ssl::context>> contexts_;
    std::map<std::string, std::shared_ptr<Session>> sessions_;
};

}  // namespace semel::net
