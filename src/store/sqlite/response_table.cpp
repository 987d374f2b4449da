#include "store/sqlite/response_table.hpp"

#include "store/packing/response_pack.hpp"

namespace semel::sqlite {

ResponseTable::ResponseTable(Connection& connection)
    : write_(connection,
             "insert into response (id, expires_at, body) values (?, ?, ?) on conflict (id) "
             "do update set expires_at = max(expires_at, excluded.expires_at), "
             "body = excluded.body"),
      extend_(connection, "update response set expires_at = max(expires_at, ?) where id = ?"),
      erase_(connection, "delete from response where id = ?"),
      expire_(connection, "delete from response where id = ? and expires_at <= ?") {}

void ResponseTable::save(const ResponseChange& change) {
    switch (change.verb) {
        case ResponseVerb::write: {
            const std::string bytes = pack_response(*change.body);
            Cursor(write_).id(change.id).time(change.expires_at).bytes(bytes).change_one();
            return;
        }
        case ResponseVerb::extend:
            Cursor(extend_).time(change.expires_at).id(change.id).change_any();
            return;
        case ResponseVerb::erase: Cursor(erase_).id(change.id).change_any(); return;
        case ResponseVerb::expire:
            Cursor(expire_).id(change.id).time(change.expires_at).change_any();
            return;
    }
}

}  // namespace semel::sqlite
