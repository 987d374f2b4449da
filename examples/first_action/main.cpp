// An action, the same action once more, a worker, a stop.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/first_action [STORE]
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <semaphore>
#include <string>
#include <syncstream>

#include <semel/semel.hpp>

using namespace std::chrono_literals;

namespace {

// What a click on "sign up" does. `entityId` makes two clicks of one user the same action; the
// delay is the time that the second has to arrive.
semel::ScheduleAnswer sign_up(semel::Engine& engine, const std::string& name) {
    const auto answer = engine.schedule({.type = "mail:welcome",
                                         .payload = R"({"entityId":42,"name":")" + name + R"("})",
                                         .delay = 1s});
    if (!answer) {  // the disk is full, the engine has stopped, …
        std::cerr << "first_action: " << answer.error().message() << "\n";
        std::exit(1);
    }
    if (!*answer) {  // the request is not one
        std::cerr << "first_action: " << answer->problem->detail << "\n";
        std::exit(1);
    }
    std::osyncstream(std::cout) << "schedule: " << to_string(answer->decision)
                                << (answer->replaced ? ", with the newer payload" : "") << "\n";
    return *answer;
}

}  // namespace

int main(int argc, char** argv) {
    std::counting_semaphore<> sent(0);  // before the engine: its handlers use it
    const auto opened = semel::Engine::open({.store = argc > 1 ? argv[1] : "first_action.db"});
    if (!opened) {
        std::cerr << "first_action: " << opened.error().message() << "\n";
        return 1;
    }
    semel::Engine& engine = **opened;

    // Runs on a thread of the engine. What it returns is durable before the action counts as done.
    engine.handle("mail:welcome", [&sent](const semel::Work& work) {
        std::osyncstream(std::cout) << "attempt " << work.attempt << ": " << work.payload << "\n";
        sent.release();
        return semel::done(R"({"sent":true})");
    });
    engine.start();

    sign_up(engine, "Ada");
    const semel::ScheduleAnswer answer = sign_up(engine, "Ada Lovelace");

    sent.acquire();
    engine.stop();  // waits for the handler, and for its result to be durable

    const auto action = engine.get(answer.id);
    if (!action || !*action) {
        std::cerr << "first_action: the action cannot be read\n";
        return 1;
    }
    std::cout << "action: " << to_string((*action)->status) << " with "
              << (*action)->output.value_or("nothing") << "\n";
}
