// Script: a script that Redis runs atomically, with no other command in between. Errors: see run().
// Threads: run() on the connection's thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/redis/connection.hpp"

namespace semel::redis {

class Script {
public:
    explicit Script(std::string_view text);

    // Runs the script by its hash. If the server does not know the script, it has not run, and
    // run() sends the whole text. Returns the script's reply. An error reply becomes the call's
    // error.
    [[nodiscard]] Result<Reply> run(Connection& connection, const std::vector<std::string>& keys,
                                    const std::vector<std::string>& arguments) const;

private:
    std::string text_;
    std::string sha1_;
};

// The scripts in scripts/, where each file describes its keys and arguments. Threads: any.
[[nodiscard]] const Script& commit_script();
[[nodiscard]] const Script& open_script();
[[nodiscard]] const Script& agree_script();
[[nodiscard]] const Script& sweep_script();
[[nodiscard]] const Script& rights_script();

}  // namespace semel::redis
