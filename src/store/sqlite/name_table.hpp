// NameTable: numbers for the names of tenants and types. Rows and indexes store the number, which
// is smaller than the name, faster to compare, and read without an allocation.
//
// Errors are kept by the connection. Memory has up to 10,000 names.
// Threads: the connection's thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class NameTable {
public:
    explicit NameTable(Connection& connection);

    // Returns nullopt if the store has no such name.
    [[nodiscard]] std::optional<std::int64_t> find(const std::string& name);
    // Returns the name's number, and inserts a new name. REQUIRES: a transaction that writes is
    // open.
    [[nodiscard]] std::int64_t number(const std::string& name);
    // Returns the name. The reference is valid until the next call.
    [[nodiscard]] const std::string& name(std::int64_t number);

    // Call one of these after a transaction. keep_new() keeps the inserted names in memory,
    // forget_new() drops them.
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
