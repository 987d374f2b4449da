#include "store/packing/job_columns.hpp"

namespace semel {

std::optional<Time> deadline_of(const Job& job) {
    if (!job.lease) {
        return std::nullopt;
    }
    return job.lease->ends_at();
}

std::optional<std::string_view> broken_rule(const Job& job) {
    if (job.lease.has_value() != (job.status == Status::running)) {
        return "a job has a lease exactly while it runs";
    }
    if (job.predecessor.has_value() != (job.place == Place::predecessor)) {
        return "a job has a predecessor exactly while it waits for it";
    }
    if ((job.status == Status::blocked) != (job.place == Place::blocked)) {
        return "a job is blocked exactly while it waits for other chains";
    }
    if (job.superseded_by.has_value() != (job.status == Status::superseded)) {
        return "a job names its superseder exactly when it is superseded";
    }
    return std::nullopt;
}

int bucket_of(Status status) {
    return status <= Status::running ? 0 : static_cast<int>(status);
}

std::vector<int> all_buckets() {
    return {bucket_of(Status::pending),    bucket_of(Status::completed),
            bucket_of(Status::failed),     bucket_of(Status::cancelled),
            bucket_of(Status::superseded), bucket_of(Status::uncertain)};
}

}  // namespace semel
