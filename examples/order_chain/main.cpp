// A chain of two jobs whose types the compiler knows, and a table of our own that changes in the
// same commits.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/order_chain [STORE]
#include <chrono>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <syncstream>

#include <semel/semel.hpp>

using namespace std::chrono_literals;

namespace {

// What goes through the chain. Use the JSON library that you have.
struct Order {
    int id = 0;
    int cents = 0;
};

std::string to_json(const Order& order) {
    return R"({"id":)" + std::to_string(order.id) + R"(,"cents":)" + std::to_string(order.cents) +
           "}";
}

void from_json(std::string_view text, Order& order) {
    const std::string copy(text);
    if (std::sscanf(copy.c_str(), R"({"id":%d,"cents":%d})", &order.id, &order.cents) != 2) {
        throw std::runtime_error("this is no order: " + copy);
    }
}

struct Ship {
    static constexpr std::string_view kType = "order:ship";
    using Input = Order;
    using Output = semel::Json;
};

struct Charge {
    static constexpr std::string_view kType = "order:charge";
    using Input = Order;
    using ContinuesWith = semel::OneOf<Ship>;
};

// Takes its time, outside of any transaction. The sale and the step to Ship are one commit, after
// the handler has returned: what is thrown before that undoes both.
semel::Ends<Charge> charge(const semel::Work& work, const Order& order,
                           semel::StagesOf<Charge>& stages) {
    std::osyncstream(std::cout) << "attempt " << work.attempt << ": charging " << order.cents
                                << "\n";
    auto end = stages.complete([order](semel::Tx& tx) {
        tx.execute("insert into app_sale (id, cents) values (?, ?)", order.id, order.cents);
        return semel::next<Ship>(order);
    });
    if (work.attempt == 1) {
        throw std::runtime_error("the line breaks");
    }
    return end;
}

// Short: it runs within the commit that ends its job.
semel::Ends<Ship> ship(const semel::Work& /*work*/, const Order& order, semel::Tx& tx) {
    tx.execute("update app_sale set shipped = 1 where id = ?", order.id);
    return semel::Json{R"({"parcel":"P-)" + std::to_string(order.id) + R"("})"};
}

void make_table(semel::Tx& tx) {
    tx.execute(
        "create table if not exists app_sale (id integer primary key, cents integer not null, "
        "shipped integer not null default 0)");
}

int complain(const std::string& what) {
    std::cerr << "order_chain: " << what << "\n";
    return 1;
}

// The same order twice is one chain, also when it is done.
semel::Result<semel::ChainAnswer> place(semel::Engine& engine, const Order& order) {
    const std::string key = "order-" + std::to_string(order.id);
    return engine.start<Charge>(
        order, {.deduplication = semel::ChainKey{.key = key, .scope = semel::Scope::any},
                .backoff = R"({"kind":"fixed","delayMs":100})"});
}

}  // namespace

int main(int argc, char** argv) {
    const auto opened = semel::Engine::open({.store = argc > 1 ? argv[1] : "order_chain.db"});
    if (!opened) {
        return complain(opened.error().message());
    }
    semel::Engine& engine = **opened;
    engine.handle_staged<Charge>(charge);
    engine.handle_atomic<Ship>(ship);
    engine.start();

    if (const auto made = engine.write(make_table); !made) {
        return complain(made.error().message());
    }
    for (int click = 1; click <= 2; ++click) {
        const auto placed = place(engine, {.id = 17, .cents = 250});
        if (!placed || !*placed) {
            return complain(placed ? placed->problem->detail : placed.error().message());
        }
        std::osyncstream(std::cout) << (placed->deduplicated ? "placed already\n" : "placed\n");
        if (click == 1) {
            continue;
        }
        const auto chain = engine.chains().wait(placed->id, 60s);
        if (!chain || !*chain) {
            return complain("the chain cannot be read");
        }
        std::cout << to_string((*chain)->status) << " with " << (*chain)->output.value_or("nothing")
                  << "\n";
    }

    std::size_t shipped = 0;
    const auto read = engine.write([&shipped](semel::Tx& tx) {
        shipped = tx.query("select id from app_sale where shipped = 1").size();
    });
    if (!read) {
        return complain(read.error().message());
    }
    engine.stop();
    std::cout << "sales shipped: " << shipped << "\n";
}
