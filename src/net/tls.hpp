// The server's TLS settings.
#pragma once

#include <memory>

#include <boost/asio/ssl/context.hpp>

#include "base/result.hpp"
#include "net/server.hpp"

namespace semel::net {

// TLS 1.2 and newer. The error names the file and what is wrong with it.
[[nodiscard]] Result<std::unique_ptr<boost::asio::ssl::context>> make_tls_context(const Tls& tls);

}  // namespace semel::net
