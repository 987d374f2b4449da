// GatewayProcess: `semel gateway` as a child process that the demo kills and starts again. Errors:
// see start(). Threads: one.
#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace semel::cli {

// Runs this same executable, without the SEMEL_ variables of this process. The child stays in the
// process group of its parent, so that Ctrl-C reaches both.
class GatewayProcess {
public:
    // Starts a gateway to `upstream` on free ports, with its store and its log in `folder`. Blocks
    // until it serves.
    // Errors: the child cannot be started, has exited, or prints no address in time. The text has
    // its log.
    [[nodiscard]] static Result<std::unique_ptr<GatewayProcess>> start(const std::string& upstream,
                                                                       const std::string& folder);
    ~GatewayProcess();  // kill()
    GatewayProcess(const GatewayProcess&) = delete;
    GatewayProcess& operator=(const GatewayProcess&) = delete;

    [[nodiscard]] const std::string& api_url() const { return api_url_; }
    [[nodiscard]] const std::string& gateway_url() const { return gateway_url_; }
    [[nodiscard]] pid_t pid() const { return pid_; }

    // Sends SIGKILL and waits until the process has exited. Idempotent.
    void kill();

private:
    GatewayProcess() = default;
    [[nodiscard]] Result<void> spawn(const std::string& upstream, const std::string& folder);
    [[nodiscard]] Result<void> read_banner();

    pid_t pid_ = 0;  // 0: not started, or reaped
    UniqueFd out_;   // stays open: the banner is not the last that the child may print
    std::string api_url_;
    std::string gateway_url_;
};

}  // namespace semel::cli
