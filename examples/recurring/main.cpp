// A report every two seconds. The printer jams at each first attempt, so each is tried twice.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/recurring [STORE]
#include <atomic>
#include <iostream>
#include <semaphore>
#include <string>
#include <syncstream>

#include <semel/semel.hpp>

namespace {

constexpr int kReports = 2;

int complain(const std::string& what) {
    std::cerr << "recurring: " << what << "\n";
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    std::atomic<int> report{1};  // before the engine: its handlers use them
    std::counting_semaphore<> printed(0);
    const auto opened = semel::Engine::open({.store = argc > 1 ? argv[1] : "recurring.db"});
    if (!opened) {
        return complain(opened.error().message());
    }
    semel::Engine& engine = **opened;

    engine.handle("report:print", [&](const semel::Work& work) {
        const bool jams = work.attempt == 1;
        std::osyncstream(std::cout) << "report " << report << ", attempt " << work.attempt << ": "
                                    << (jams ? "the printer jams" : "printed") << "\n";
        if (jams) {
            return semel::failed("the printer jams");
        }
        ++report;
        printed.release();
        return semel::done();
    });
    engine.start();

    // Putting it at every start is right: an equal schedule stays as it is.
    const auto put = engine.schedules().put({.name = "report",
                                             .type = "report:print",
                                             .every = "PT2S",
                                             .max_retries = 3,
                                             .backoff = R"({"kind":"fixed","delayMs":100})"});
    if (!put) {
        return complain(put.error().message());
    }
    if (!*put) {
        return complain(put->problem->detail);
    }
    std::osyncstream(std::cout) << "schedule: " << (put->is_new ? "new" : "there already") << "\n";

    for (int i = 0; i < kReports; ++i) {
        printed.acquire();
    }
    const auto removed = engine.schedules().remove("report");
    engine.stop();
    if (!removed || *removed) {
        return complain("the schedule is still there");
    }
    std::cout << "stopped\n";
}
