// The client's side of TLS: contexts, one for each set of trusted certificates, and the sessions
// that shorten the handshakes with a server that was called before.
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

// Prepares a handshake: the server must show a certificate for `host`, which it also receives as
// the name that it is called by. REQUIRES: stream.is_tls().
void expect_server(Stream& stream, const std::string& host, bool verify_peer);

// Threads: one, which must also be that of the streams. Lifetime: it outlives the handshakes that
// were prepared; streams may outlive it.
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
