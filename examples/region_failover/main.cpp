// Region failover: one region dies between its effect and the seal; the other takes over when the
// lease ends, looks whether the effect has happened, and seals what it finds.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/region_failover [STORE]
//
// Two regions share a store: in earnest a PostgreSQL that fails over with them. Here it is a file
// that the second process opens when the first has died.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <semel/semel.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

// The bank outlives both. It can say what it has done for a key: that is what a takeover needs.
class Bank {
public:
    explicit Bank(std::string file) : file_(std::move(file)) {}

    std::string charge(const std::string& key) const {
        std::ofstream(file_, std::ios::app) << key << "\n";
        return "charge-of-" + key;
    }
    [[nodiscard]] int charges(const std::string& key) const {
        std::ifstream file(file_);
        int found = 0;
        for (std::string line; std::getline(file, line);) {
            found += line == key ? 1 : 0;
        }
        return found;
    }

private:
    std::string file_;
};

struct Region {
    std::string name;
    bool dies = false;  // after its effect, before the seal
};

semel::OnceEffect charge(const Region& region, const Bank& bank, const semel::OnceWork& work) {
    if (work.is_takeover && bank.charges(work.key) > 0) {
        std::cout << region.name << ": took over, the bank has it already" << std::endl;
        return {"charge-of-" + work.key};
    }
    const std::string id = bank.charge(work.key);
    std::cout << region.name << ": charged" << std::endl;
    if (region.dies) {
        std::cout << region.name << ": dies" << std::endl;
        std::_Exit(EXIT_FAILURE);
    }
    return {id};
}

int run(const Region& region, const std::string& store, const Bank& bank) {
    const auto engine = semel::Engine::open({.store = store});
    if (!engine) {
        std::cerr << region.name << ": " << engine.error().message() << "\n";
        return 1;
    }
    (*engine)->start();
    const auto answer =
        (*engine)->once({.key = "invoice-17", .lease = 1s},
                        [&](const semel::OnceWork& work) { return charge(region, bank, work); });
    (*engine)->stop();
    if (!answer || answer->sealed() == nullptr) {
        std::cerr << region.name << ": not sealed\n";
        return 1;
    }
    std::cout << region.name << ": " << answer->sealed()->effect_id
              << (answer->ran_here() ? " sealed" : " was sealed before") << std::endl;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string store = argc > 1 ? argv[1] : "region_failover.db";
    const Bank bank(store + ".bank");
    const pid_t west = fork();  // before there are threads
    if (west == 0) {
        return run({.name = "west", .dies = true}, store, bank);
    }
    waitpid(west, nullptr, 0);
    if (run({.name = "east"}, store, bank) != 0 || run({.name = "west"}, store, bank) != 0) {
        return 1;
    }
    std::cout << "charges: " << bank.charges("invoice-17") << "\n";
}
