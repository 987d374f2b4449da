// Makes the server's TLS context from its certificate and key files. Threads: any. Blocks while it
// reads the files.
#pragma once

#include <memory>

#include <boost/asio/ssl/context.hpp>

#include "base/result.hpp"
#include "net/server.hpp"

namespace semel::net {

// Returns a context for TLS 1.2 and newer. Reads both files once.
// Errors: `invalid`, with the file and the reason: not readable, not PEM, or a key that needs a
// passphrase or does not belong to the certificate.
[[nodiscard]] Result<std::unique_ptr<boost::asio::ssl::context>> make_tls_context(const Tls& tls);

}  // namespace semel::net
