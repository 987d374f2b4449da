#include "support/redis_server.hpp"

#include <fmt/format.h>

namespace semel::test {
namespace {

std::vector<std::string> arguments_for(const std::vector<std::string>& settings) {
    std::vector<std::string> arguments;
    for (const std::string& setting : settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    return arguments;
}

}  // namespace

RedisServer::RedisServer(const std::vector<std::string>& settings)
    : helper_("redis_server.py", arguments_for(settings)), port_(std::stoi(helper_.greeting())) {}

RedisServer& RedisServer::shared() {
    static RedisServer one;
    return one;
}

std::string RedisServer::make_database() {
    return url(++databases_);
}

std::string RedisServer::url(int database) const {
    return fmt::format("redis://127.0.0.1:{}/{}", port_, database);
}

}  // namespace semel::test
