// What every new job has, whoever asks for it.
#pragma once

#include <string>

#include "core/workspace.hpp"

namespace semel {

// Stands in no line yet, and has no type.
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
