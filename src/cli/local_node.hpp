// LocalNode: the API on a store that this process opened itself, without a socket. What `--store`
// means for every command but serve.
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
    // Whoever can open the file may do everything: no API token is asked for.
    [[nodiscard]] static Result<std::shared_ptr<LocalNode>> open(const std::string& store,
                                                                 IfMissing if_missing);
    ~LocalNode();
    LocalNode(const LocalNode&) = delete;
    LocalNode& operator=(const LocalNode&) = delete;

    // Thread-safe. Blocks until the answer is there.
    [[nodiscard]] Result<net::Response> answer(net::Request request, Millis timeout);

private:
    class Impl;
    explicit LocalNode(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::cli
