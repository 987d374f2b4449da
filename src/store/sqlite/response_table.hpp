// ResponseTable: the writes of the table `response`, which has the bodies of kept answers.
//
// Errors are kept by the connection. Threads: the writer thread.
#pragma once

#include "core/batch/rows.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class ResponseTable {
public:
    explicit ResponseTable(Connection& connection);

    // REQUIRES: a transaction is open.
    void save(const ResponseChange& change);

private:
    Statement write_;
    Statement extend_;
    Statement erase_;
    Statement expire_;
};

}  // namespace semel::sqlite
