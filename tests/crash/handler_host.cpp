// A program with handlers in its process, for the crash tests: `semel serve` has none.
//
// Usage: handler_host STORE LEDGER_PORT
//
// Each line on stdin is a key: it is scheduled, and once that is durable answered with the key and
// the action's id. The handler writes its effect to the effect ledger. Stops when stdin ends.
#include <cstdlib>
#include <iostream>
#include <string>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <semel/semel.hpp>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr const char* kType = "work";
constexpr std::chrono::hours kWindow{24};

int connect_to(std::uint16_t port) {
    const int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* any = reinterpret_cast<const sockaddr*>(&address);
    return connect(peer, any, sizeof(address)) == 0 ? peer : -1;
}

// The effect, and the ledger's word that it is written.
bool write_effect(std::uint16_t port, const semel::Work& work) {
    const int ledger = connect_to(port);
    const std::string line =
        fmt::format(R"({{"key":"{}","token":{},"attempt":{},"worker":"host","hash":{}}})"
                    "\n",
                    work.id.to_string(), work.token, work.attempt, work.payload);
    char answer = 0;
    const bool is_written = write(ledger, line.data(), line.size()) > 0;
    const bool is_answered = is_written && read(ledger, &answer, 1) == 1;
    close(ledger);
    return is_answered;
}

semel::ActionSpec action_of(const std::string& key) {
    semel::ActionSpec action;
    action.type = kType;
    action.payload = fmt::format(R"({{"key":"{}"}})", key);
    action.backoff = R"({"kind":"fixed","delayMs":0})";
    action.max_retries = 1000;
    action.deduplication.key = key;
    action.deduplication.scope = semel::Scope::any;
    action.deduplication.window = kWindow;
    return action;
}

int run(const std::string& store, std::uint16_t port) {
    auto engine = semel::Engine::open({.store = store});
    if (!engine) {
        std::cerr << engine.error().message() << "\n";
        return 1;
    }
    (*engine)->handle(kType, [port](const semel::Work& work) {
        return write_effect(port, work) ? semel::done() : semel::failed("the ledger is away");
    });
    (*engine)->start();
    for (std::string key; std::getline(std::cin, key);) {
        const auto answer = (*engine)->schedule(action_of(key));
        if (!answer || !*answer) {
            std::cerr << key << " was refused\n";
            return 1;
        }
        std::cout << key << " " << answer->id.to_string() << '\n' << std::flush;
    }
    (*engine)->stop();
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::cerr << "usage: handler_host STORE LEDGER_PORT\n";
        return 2;
    }
    return run(arguments[1], static_cast<std::uint16_t>(std::atoi(arguments[2])));
}
