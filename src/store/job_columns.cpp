#include "store/job_columns.hpp"

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

int shelf_of(Status status) {
    return status <= Status::running ? 0 : static_cast<int>(status);
}

std::vector<int> all_shelves() {
    return {shelf_of(Status::pending),   shelf_of(Status::completed),  shelf_of(Status::failed),
            shelf_of(Status::cancelled), shelf_of(Status::superseded), shelf_of(Status::uncertain)};
}

}  // namespace semel
