#include "store/redis/scripts.hpp"

#include <array>

#include <openssl/evp.h>

#include "base/text.hpp"
#include "redis_scripts.hpp"

namespace semel::redis {
namespace {

// Returns the hash by which Redis names a script.
std::string sha1_of(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
    return to_hex(digest.data(), size);
}

Command call(std::string verb, const std::string& script, const std::vector<std::string>& keys,
             const std::vector<std::string>& arguments) {
    Command command{std::move(verb), script, std::to_string(keys.size())};
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

}  // namespace

Script::Script(std::string_view text) : text_(text), sha1_(sha1_of(text)) {}

Result<Reply> Script::run(Connection& connection, const std::vector<std::string>& keys,
                          const std::vector<std::string>& arguments) const {
    connection.queue(call("EVALSHA", sha1_, keys, arguments));
    SEMEL_TRY(replies, connection.flush());
    Reply& reply = replies.front();
    if (reply.is_error() && reply.text.starts_with("NOSCRIPT")) {
        return connection.ask(call("EVAL", text_, keys, arguments));
    }
    if (reply.is_error()) {
        return error_of(reply);
    }
    return std::move(reply);
}

const Script& commit_script() {
    static const Script kScript(script::f_commit_lua);
    return kScript;
}

const Script& open_script() {
    static const Script kScript(script::f_open_lua);
    return kScript;
}

const Script& agree_script() {
    static const Script kScript(script::f_agree_lua);
    return kScript;
}

const Script& sweep_script() {
    static const Script kScript(script::f_sweep_lua);
    return kScript;
}

const Script& rights_script() {
    static const Script kScript(script::f_rights_lua);
    return kScript;
}

}  // namespace semel::redis
