#include "support/chain_invariants.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "support/rows.hpp"

namespace semel::test {
namespace {

class ChainChecker {
public:
    explicit ChainChecker(const StoredRows& rows) : rows_(rows) {
        for (const ActionView& view : rows.actions) {
            jobs_.emplace(view.job.id, &view.job);
            chains_[view.job.chain].push_back(&view.job);
        }
        for (const Edge& edge : rows.edges) {
            edges_of_[edge.key.blocked].push_back(&edge);
            ++edges_to_[edge.blocker];
        }
    }

    std::vector<std::string> check() {
        for (auto& [id, jobs] : chains_) check_chain(id, jobs);
        for (const auto& [id, job] : jobs_) {
            check_place(*job);
            check_blockers(*job);
        }
        for (const Edge& edge : rows_.edges) check_edge(edge);
        return std::move(broken_);
    }

private:
    void expect(bool holds, const Job& job, std::string_view what) {
        if (!holds) broken_.push_back(fmt::format("{}: {}", what, to_text(job)));
    }

    [[nodiscard]] const Job* find(const JobId& id) const {
        const auto found = jobs_.find(id);
        return found == jobs_.end() ? nullptr : found->second;
    }
    [[nodiscard]] const Job* last_of(const JobId& chain) const {
        const Job* first = find(chain);
        return first != nullptr ? find(first->last.value_or(chain)) : nullptr;
    }

    // A line without gaps, of which the first job knows the last.
    void check_chain(const JobId& id, std::vector<const Job*>& jobs) {
        std::sort(jobs.begin(), jobs.end(),
                  [](const Job* a, const Job* b) { return a->chain_index < b->chain_index; });
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const Job& job = *jobs[i];
            const bool is_last = i + 1 == jobs.size();
            expect(job.chain_index == static_cast<int>(i), job, "steps are numbered without gaps");
            expect(job.next == (is_last ? std::nullopt : std::optional(jobs[i + 1]->id)), job,
                   "each step names the next, and the last one none");
            expect(is_last || job.status == Status::completed, job, "only what completed goes on");
            expect(job.begins_chain() || job.in_chain, job, "a step is of a chain");
        }
        const Job& first = *jobs.front();
        expect(first.id == id && last_of(id) == jobs.back(), first,
               "the first job names the last of its chain");
        expect(first.blocks == edges_to_[id], first,
               "the first job counts those who wait for its chain");
    }

    // What is kept is kept for a reason.
    void check_place(const Job& job) {
        const bool is_over = job.place == Place::done || job.place == Place::retained ||
                             job.place == Place::failing_dependants;
        expect(is_final(job.status) == is_over, job, "what ended stands in no line");
        expect((job.status == Status::blocked) == (job.place == Place::blocked), job,
               "blocked, waiting for chains");
        const Job* first = find(job.chain);
        if (!is_over || first == nullptr) {
            return;
        }
        const bool is_kept = job.next.has_value() || first->blocks > 0;
        expect(job.place == Place::failing_dependants || is_kept == (job.place != Place::done), job,
               "kept while its chain goes on or is somebody's blocker, and no longer");
        expect(job.place != Place::failing_dependants || job.status != Status::completed, job,
               "there is nothing bad to tell of what completed");
    }

    void check_blockers(const Job& job) {
        const auto& edges = edges_of_[job.id];
        expect(job.blockers == static_cast<int>(edges.size()), job, "a row for each blocker");
        const auto open =
            std::count_if(edges.begin(), edges.end(), [](const Edge* edge) { return !edge->done; });
        if (job.status != Status::blocked) {
            return;
        }
        expect(open > 0, job, "nobody is blocked whose blockers have all completed");
        expect(job.blockers_left == open, job, "it counts the blockers that are left");
        for (const Edge* edge : edges) {
            const Job* last = last_of(edge->blocker);
            const bool is_told = last != nullptr && last->place != Place::failing_dependants;
            const bool is_lost = last == nullptr || (is_final(last->status) && is_told);
            expect(edge->done || !is_lost || job.on_blocker_failed == OnBlockerFailed::wait, job,
                   "who does not wait on fails with its blocker");
        }
    }

    void check_edge(const Edge& edge) {
        const Job* last = last_of(edge.blocker);
        if (last != nullptr && edge.done != (last->status == Status::completed)) {
            expect(false, *last, "an edge says whether its chain has completed");
        }
    }

    const StoredRows& rows_;
    std::map<JobId, const Job*> jobs_;
    std::map<JobId, std::vector<const Job*>> chains_;
    std::map<JobId, std::vector<const Edge*>> edges_of_;
    std::map<JobId, int> edges_to_;
    std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_chains(const StoredRows& rows) {
    return ChainChecker(rows).check();
}

}  // namespace semel::test
