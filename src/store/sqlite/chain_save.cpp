#include "store/sqlite/chain_save.hpp"

#include "store/packing/id_time.hpp"
#include "store/packing/job_columns.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

bool is_listed_chain(const Job& job) {
    return job.in_chain && job.begins_chain();
}

bool is_failing_dependants(const std::optional<Job>& job) {
    return job && job->place == Place::failing_dependants;
}

}  // namespace

ChainSave::ChainSave(Connection& connection, NameTable& names, JobNumbers& numbers)
    : names_(names),
      numbers_(numbers),
      insert_edge_(connection, "insert into edge values (?, ?, ?, ?)"),
      update_edge_(connection, "update edge set done = ? where blocked = ? and position = ?"),
      erase_edge_(connection, "delete from edge where blocked = ? and position = ?"),
      insert_step_(connection, "insert into step values (?, ?, ?, ?)"),
      erase_step_(connection, "delete from step where chain = ? and chain_index = ?"),
      insert_chain_(connection,
                    "insert into chain (number, high, low, tenant, type, created_at, shelf) "
                    "values (?, ?, ?, ?, ?, ?, ?)"),
      set_bucket_(connection,
                  "update chain set shelf = ?1 "
                  "where number = ?2 and high = ?3 and low = ?4 and shelf <> ?1"),
      erase_chain_(connection, "delete from chain where number = ?"),
      insert_failing_dependants_(connection,
                                 "insert into telling (number, high, low) values (?, ?, ?)"),
      erase_failing_dependants_(connection, "delete from telling where number = ?"),
      insert_chosen_(connection, "insert into chosen values (?, ?)"),
      erase_chosen_(connection, "delete from chosen where tenant = ? and number = ?") {}

void ChainSave::save(const Change<Edge>& change) {
    const EdgeKey& key = change.after ? change.after->key : change.before->key;
    if (!change.after) {
        Cursor(erase_edge_).id(key.blocked).integer(key.position).change_one();
    } else if (change.before) {
        Cursor(update_edge_)
            .integer(change.after->done ? 1 : 0)
            .id(key.blocked)
            .integer(key.position)
            .change_one();
    } else {
        Cursor cursor(insert_edge_);
        bind_edge(cursor, *change.after);
        cursor.change_one();
    }
}

void ChainSave::save(const Change<Job>& change) {
    if (!change.before) {
        insert(*change.after);
    } else if (!change.after) {
        erase(*change.before);
    }
    if (is_failing_dependants(change.after) && !is_failing_dependants(change.before)) {
        const JobId& id = change.after->id;
        Cursor(insert_failing_dependants_).integer(numbers_.of(id)).key(id).change_one();
    } else if (is_failing_dependants(change.before) && !is_failing_dependants(change.after)) {
        Cursor(erase_failing_dependants_).integer(numbers_.of(change.before->id)).change_one();
    }
}

void ChainSave::insert(const Job& job) {
    if (!job.begins_chain()) {
        Cursor(insert_step_).id(job.chain).integer(job.chain_index).key(job.id).change_one();
    }
    if (is_listed_chain(job)) {
        Cursor(insert_chain_)
            .integer(numbers_.of(job.id))
            .key(job.id)
            .integer(names_.number(job.tenant))
            .integer(names_.number(job.type))
            .time(job.created_at)
            .integer(bucket_of(job.next ? Status::pending : job.status))
            .change_one();
    }
    if (has_chosen_id(job)) {
        Cursor(insert_chosen_)
            .integer(names_.number(job.tenant))
            .integer(numbers_.of(job.id))
            .change_one();
    }
}

void ChainSave::erase(const Job& job) {
    if (!job.begins_chain()) {
        Cursor(erase_step_).id(job.chain).integer(job.chain_index).change_one();
    }
    if (is_listed_chain(job)) {
        Cursor(erase_chain_).integer(numbers_.of(job.id)).change_one();
    }
    if (has_chosen_id(job)) {
        Cursor(erase_chosen_)
            .integer(names_.number(job.tenant))
            .integer(numbers_.of(job.id))
            .change_any();
    }
}

void ChainSave::save_bucket(const Change<Job>& change) {
    if (!change.after || !change.after->in_chain || change.after->next) {
        return;
    }
    const Job& last = *change.after;
    const int bucket = bucket_of(last.status);
    const bool is_new = !change.before || change.before->next.has_value();
    if (is_new ? last.begins_chain() : bucket_of(change.before->status) == bucket) {
        return;  // its bucket is right
    }
    // An action that was continued has no row in that table.
    Cursor(set_bucket_)
        .integer(bucket)
        .integer(numbers_.of(last.chain))
        .key(last.chain)
        .change_any();
}

}  // namespace semel::sqlite
