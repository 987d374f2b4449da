// new_job: makes a Job with the members that every new job needs: id, tenant, chain and times.
// Threads: one per workspace.
#pragma once

#include <string>

#include "core/batch/workspace.hpp"

namespace semel {

// The caller sets type and options, adds the job to the workspace and puts it into a queue.
[[nodiscard]] inline Job new_job(Workspace& workspace, const std::string& tenant,
                                 Time scheduled_at) {
    Job job;
    job.id = workspace.new_id();
    job.tenant = tenant;
    job.chain = job.id;
    job.created_at = workspace.now();
    job.updated_at = workspace.now();
    job.scheduled_at = scheduled_at;
    return job;
}

}  // namespace semel
