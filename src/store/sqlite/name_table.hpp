// NameTable: tenants and types as numbers. A job's row and its index entries hold the number, which
// is smaller than the name, compared faster, and read without an allocation.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class NameTable {
public:
    explicit NameTable(Connection& connection);

    // Empty where the store has never seen the name.
    [[nodiscard]] std::optional<std::int64_t> find(const std::string& name);
    // The name's number; a new name is inserted. REQUIRES: a transaction that writes is open.
    [[nodiscard]] std::int64_t number(const std::string& name);
    [[nodiscard]] const std::string& name(std::int64_t number);

    // How the transaction ended: what it inserted is kept, or is not there.
    void keep_new() { new_.clear(); }
    void forget_new();

private:
    void remember(std::int64_t number, const std::string& name);

    Connection& connection_;
    Statement find_;
    Statement name_;
    Statement insert_;
    std::unordered_map<std::string, std::int64_t> numbers_;
    std::unordered_map<std::int64_t, std::string> names_;
    std::vector<std::int64_t> new_;  // inserted by the open transaction
};

}  // namespace semel::sqlite
