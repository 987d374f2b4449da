// Scripts: what Redis runs as one step, with nobody in between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/redis/connection.hpp"

namespace semel::redis {

class Script {
public:
    explicit Script(std::string_view text);

    // By its hash, and whole where the server does not know it yet: a script that was not known
    // was not run. An error that the server replied is the call's.
    [[nodiscard]] Result<Reply> run(Connection& connection, const std::vector<std::string>& keys,
                                    const std::vector<std::string>& arguments) const;

private:
    std::string text_;
    std::string sha1_;
};

[[nodiscard]] const Script& commit_script();
[[nodiscard]] const Script& open_script();
[[nodiscard]] const Script& agree_script();
[[nodiscard]] const Script& sweep_script();
[[nodiscard]] const Script& rights_script();

}  // namespace semel::redis
