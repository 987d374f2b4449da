// HostStages: the Stages of one attempt that runs in this process. Its prepare() commits through
// the Host.
//
// Errors: exceptions, see commit().
// Threads: the handler's thread.
// Lifetime: the host outlives it.
#pragma once

#include <semel/stages.hpp>

#include "runtime/host.hpp"

namespace semel {

class HostStages final : public Stages {
public:
    HostStages(Host& host, const TakenJob& job)
        : host_(host), attempt_{job.job.tenant, job.job.id, job.job.token} {}

    // Returns true if the handler called complete().
    [[nodiscard]] bool has_completed() const { return has_completed_; }

protected:
    // Blocks until the commit. Throws std::runtime_error if it failed or the attempt lost its job.
    void commit(const Statements& statements) override;

private:
    Host& host_;
    const Attempting attempt_;
};

}  // namespace semel
