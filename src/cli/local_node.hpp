// LocalNode: a node with the API on a store that this process opened, without a socket. Every
// command except serve uses it for `--store`.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "net/http.hpp"
#include "runtime/open_store.hpp"

namespace semel::cli {

class LocalNode {
public:
    // Opens the store and starts the node. No API token is needed: a caller that can open the store
    // can do everything. Logs warnings to standard error; see log.hpp.
    // Errors: the store cannot be opened.
    [[nodiscard]] static Result<std::shared_ptr<LocalNode>> open(const std::string& store,
                                                                 IfMissing if_missing);
    ~LocalNode();  // stops the node without grace; acknowledged work is durable
    LocalNode(const LocalNode&) = delete;
    LocalNode& operator=(const LocalNode&) = delete;

    // Returns the API's answer, of any status. Blocks. Any thread.
    // Errors: `timeout`; the request might still be executed.
    [[nodiscard]] Result<net::Response> answer(net::Request request, Millis timeout);

private:
    class Impl;
    explicit LocalNode(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::cli
