// HostStages: the stages of one attempt in this process.
#pragma once

#include <semel/stages.hpp>

#include "runtime/host.hpp"

namespace semel {

class HostStages final : public Stages {
public:
    HostStages(Host& host, const TakenJob& job)
        : host_(host), attempt_{job.job.tenant, job.job.id, job.job.token} {}

    [[nodiscard]] bool has_completed() const { return has_completed_; }

protected:
    void commit(const Statements& statements) override;

private:
    Host& host_;
    const Attempting attempt_;
};

}  // namespace semel
