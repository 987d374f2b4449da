#include "store/sqlite/tree_checks.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "store/sqlite/statement.hpp"

namespace semel::sqlite {
namespace {

struct Tree {
    std::string type;  // table or index
    std::string name;
    std::string table;
    std::string sql;  // that made it
};

std::vector<Tree> trees_of(Connection& connection) {
    std::vector<Tree> trees;
    Statement statement(connection,
                        "select type, name, tbl_name, sql from sqlite_schema where type in "
                        "('table', 'index') and sql is not null and tbl_name not like 'app\\_%' "
                        "escape '\\'");
    Cursor cursor(statement);
    while (cursor.next_row()) {
        Tree tree;
        tree.type = cursor.read_string();
        tree.name = cursor.read_string();
        tree.table = cursor.read_string();
        tree.sql = cursor.read_string();
        trees.push_back(std::move(tree));
    }
    return trees;
}

// Returns the columns by which the tree is sorted.
Result<std::vector<std::string>> key_of(Connection& connection, const Tree& tree) {
    const bool is_index = tree.type == "index";
    if (!is_index && tree.sql.find("without rowid") == std::string::npos) {
        return std::vector<std::string>{"rowid"};
    }
    std::vector<std::string> columns;
    Statement statement(
        connection, is_index ? "select name from pragma_index_info(?) order by seqno"
                             : "select name from pragma_table_info(?) where pk > 0 order by pk");
    Cursor cursor(statement);
    cursor.text(tree.name);
    while (cursor.next_row()) {
        columns.push_back(cursor.read_string());
    }
    SEMEL_CHECK(connection.outcome());
    return columns;
}

// Returns "select … order by" without the key. An index is read alone, by columns that it contains.
std::string from_of(const Tree& tree) {
    if (tree.type == "table") {
        return tree.table;
    }
    const std::size_t where = tree.sql.find("where ");
    return fmt::format("{} indexed by {} {}", tree.table, tree.name,
                       where == std::string::npos ? "" : tree.sql.substr(where));
}

Result<void> check_tree(Connection& connection, const Tree& tree) {
    SEMEL_TRY(key, key_of(connection, tree));
    for (const char* order : {"asc", "desc"}) {
        std::string sorted;
        for (const std::string& column : key) {
            sorted += fmt::format("{}{} {}", sorted.empty() ? "" : ", ", column, order);
        }
        const auto read = connection.query_text(fmt::format("select {} from {} order by {} limit 1",
                                                            key.front(), from_of(tree), sorted));
        if (!read) {
            return read.error().prefixed(
                fmt::format("the {} `{}` cannot be read", tree.type, tree.name));
        }
    }
    return {};
}

}  // namespace

Result<void> check_trees(Connection& connection) {
    const std::vector<Tree> trees = trees_of(connection);
    SEMEL_CHECK(connection.outcome());
    for (const Tree& tree : trees) {
        SEMEL_CHECK(check_tree(connection, tree));
    }
    return {};
}

}  // namespace semel::sqlite
