#include "store/sqlite/uncertain_entries.hpp"

#include "store/packing/row_pack.hpp"

namespace semel::sqlite {

UncertainEntries::UncertainEntries(Connection& connection)
    : put_(connection, "insert into uncertain_claim values (?, ?, ?, ?, ?)"),
      erase_(connection, "delete from uncertain_claim where claim = ?") {}

void UncertainEntries::save(std::int64_t number, const std::optional<Claim>& before,
                            const std::optional<Claim>& after) {
    const EntryChange entry = entry_change(before, after);
    if (entry.erases) Cursor(erase_).integer(number).change_one();
    if (entry.makes) {
        Cursor(put_)
            .integer(number)
            .text(after->tenant)
            .text(after->space)
            .time(after->created_at)
            .hash(after->id)
            .change_one();
    }
}

Result<void> UncertainEntries::make_all(Connection& connection) {
    UncertainEntries entries(connection);
    // Claims in an older format are owned or sealed.
    Statement claims(connection,
                     "select number, id, data from claim where substr(data, 1, 1) = x'03'");
    Cursor cursor(claims);
    while (cursor.next_row()) {
        const std::int64_t number = cursor.read_integer();
        Claim claim;
        claim.id = cursor.read_hash();
        if (unpack_claim(cursor.view(), claim)) {
            entries.save(number, std::nullopt, claim);
        } else {
            cursor.report_damage();
        }
    }
    return connection.outcome();
}

}  // namespace semel::sqlite
