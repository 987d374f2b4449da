// LocalNode: a node with the API on a store that this process opened, without a socket. Every
// command except serve uses it for `--store`.
//
// Errors: see open() and answer().
// Threads: answer(): any. One thread opens and destroys it.
// Lifetime: one at a time per process, because it sets the process's Log (serve/log.hpp).
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
    // can do everything. Logs warnings to standard error.
    // Errors: the store cannot be opened.
    [[nodiscard]] static Result<std::shared_ptr<LocalNode>> open(const std::string& store,
                                                                 IfMissing if_missing);
    ~LocalNode();  // stops the node without grace; acknowledged work is durable
    LocalNode(const LocalNode&) = delete;
    LocalNode& operator=(const LocalNode&) = delete;

    // Returns the API's answer, of any status. Blocks.
    // Errors: `timeout`. The request might still be executed.
    [[nodiscard]] Result<net::Response> answer(net::Request request, Millis timeout);

private:
    class Impl;
    explicit LocalNode(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::cli
