// A webhook consumer: the provider repeats its events, each is taken in once.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/webhook_consumer [STORE]
#include <iostream>
#include <string>

#include <semel/semel.hpp>

namespace {

struct Event {
    std::string id;    // the provider's: the same in each delivery of the event
    std::string body;  // JSON
};

// What must happen once.
class Accounts {
public:
    std::string credit(const std::string& body) {
        std::cout << "crediting " << body << "\n";
        return "credit-" + std::to_string(++credits_);
    }
    [[nodiscard]] int credits() const { return credits_; }

private:
    int credits_ = 0;
};

// The status for the provider. Only a 2xx ends its repeats, and it is said after the seal: a crash
// in between means one more delivery, never a lost one.
int receive(semel::Engine& engine, Accounts& accounts, const Event& event) {
    const auto answer = engine.once(
        {.key = "provider:" + event.id,
         .content = event.body,
         .fence_class = semel::FenceClass::webhook},
        [&](const semel::OnceWork&) { return semel::OnceEffect{accounts.credit(event.body)}; });
    if (!answer) {  // the disk is full, the engine has stopped, …: the provider will come again
        std::cerr << "webhook_consumer: " << answer.error().message() << "\n";
        return 503;
    }
    if (const auto* problem = answer->problem()) {
        std::cout << event.id << ": " << to_string(problem->code) << " " << problem->diff_json
                  << "\n";
        return 409;
    }
    std::cout << event.id << ": " << answer->sealed()->effect_id
              << (answer->ran_here() ? "" : ", as before") << "\n";
    return 200;
}

}  // namespace

int main(int argc, char** argv) {
    const auto engine = semel::Engine::open({.store = argc > 1 ? argv[1] : "webhook_consumer.db"});
    if (!engine) {
        std::cerr << "webhook_consumer: " << engine.error().message() << "\n";
        return 1;
    }
    (*engine)->start();
    Accounts accounts;
    for (const Event& event :
         {Event{"evt_1", R"({"cents":250})"}, Event{"evt_2", R"({"cents":90})"},
          Event{"evt_1", R"({ "cents": 250.0 })"},  // delivered again
          Event{"evt_1", R"({"cents":999})"}}) {    // not what it was
        const int status = receive(**engine, accounts, event);
        std::cout << "answer " << status << "\n";
    }
    (*engine)->stop();
    std::cout << "credits: " << accounts.credits() << "\n";
}
