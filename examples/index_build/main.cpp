// An index that is built once for each hash of what goes into it. Builders race; readers ask for
// the sealed one only, and neither build nor wait.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/index_build [STORE]
#include <iostream>
#include <string>
#include <syncstream>
#include <thread>
#include <vector>

#include <semel/semel.hpp>

namespace {

constexpr int kBuilders = 3;

// One that finds another at work waits for it, up to OnceSpec::wait.
void build(semel::Engine& engine, const std::string& hash) {
    const auto answer =
        engine.once({.key = "index:" + hash, .fence_class = semel::FenceClass::batch},
                    [&](const semel::OnceWork&) {
                        std::osyncstream(std::cout) << "building " << hash << "\n";
                        return semel::OnceEffect{"index-of-" + hash, R"({"documents":3})"};
                    });
    const bool is_there = answer && answer->sealed() != nullptr;
    std::osyncstream(std::cout) << (is_there ? answer->sealed()->effect_id : "no index") << "\n";
}

void read(semel::Engine& engine, const std::string& hash) {
    const auto sealed = engine.sealed("index:" + hash);
    if (!sealed || !*sealed) {
        std::cout << "reader: no index of " << hash << " yet, the one before serves\n";
        return;
    }
    std::cout << "reader: " << (*sealed)->effect_id << " with " << (*sealed)->receipt << "\n";
}

}  // namespace

int main(int argc, char** argv) {
    const auto opened = semel::Engine::open({.store = argc > 1 ? argv[1] : "index_build.db"});
    if (!opened) {
        std::cerr << "index_build: " << opened.error().message() << "\n";
        return 1;
    }
    semel::Engine& engine = **opened;
    engine.start();
    read(engine, "9f2c");
    std::vector<std::thread> builders;
    for (int i = 0; i < kBuilders; ++i) {
        builders.emplace_back([&engine] { build(engine, "9f2c"); });
    }
    for (std::thread& builder : builders) {
        builder.join();
    }
    read(engine, "9f2c");
    engine.stop();
}
