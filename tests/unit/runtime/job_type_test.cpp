// Job types that the compiler knows.
#include <charconv>
#include <stdexcept>

#include "unit/runtime/own_tables.hpp"

namespace shop {

// Types of a user, in a namespace of theirs: the functions are found beside them.
struct Order {
    int id = 0;
};
struct Receipt {
    int cents = 0;
};

int read_number(std::string_view text) {
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
        throw std::runtime_error("no number");
    }
    return number;
}
std::string to_json(const Order& order) {
    return std::to_string(order.id);
}
void from_json(std::string_view text, Order& order) {
    order.id = read_number(text);
}
std::string to_json(const Receipt& receipt) {
    return std::to_string(receipt.cents);
}
void from_json(std::string_view text, Receipt& receipt) {
    receipt.cents = read_number(text);
}

struct Refund {
    static constexpr std::string_view kType = "order:refund";
    using Input = Receipt;
};
struct Ship {
    static constexpr std::string_view kType = "order:ship";
    using Input = Order;
    using Output = semel::Json;
};
struct Charge {
    static constexpr std::string_view kType = "order:charge";
    using Input = Order;
    using Output = Receipt;
    using ContinuesWith = semel::OneOf<Ship, Charge>;
};
struct Merge {
    static constexpr std::string_view kType = "order:merge";
    using Input = semel::None;
    using Output = Receipt;
};

}  // namespace shop

namespace semel::test {
namespace {

using shop::Charge;
using shop::Merge;
using shop::Order;
using shop::Receipt;
using shop::Refund;
using shop::Ship;
using testing::HasSubstr;

// ---- what does not compile --------------------------------------------------------------------

template <typename Job, typename Function>
concept CanHandle = requires(Engine& engine, Function function) {
    engine.handle<Job>(function);
};
template <typename Job, typename Input>
concept CanStart = requires(Engine& engine, const Input& input) {
    engine.start<Job>(input);
};
template <typename Answer>
using Answers = Answer (*)(const Work&, const Order&);

struct NoJson {};
struct Untold {
    static constexpr std::string_view kType = "untold";
    using Input = NoJson;
};
struct Nameless {
    using Input = Order;
};

static_assert(JobType<Charge> && JobType<Ship> && JobType<Refund> && JobType<Merge>);
static_assert(!JobType<Untold>, "its input has no to_json and from_json");
static_assert(!JobType<Nameless>, "it has no kType");

static_assert(CanHandle<Charge, Answers<Ends<Charge>>>);
static_assert(CanHandle<Charge, Answers<Receipt>>, "its output");
static_assert(CanHandle<Charge, Answers<Next<Ship>>>, "what may follow");
static_assert(CanHandle<Charge, Answers<Next<Charge>>>, "a loop");
static_assert(!CanHandle<Charge, Answers<Next<Refund>>>, "what may not follow");
static_assert(!CanHandle<Charge, Answers<Order>>, "another's output");
static_assert(!CanHandle<Charge, Answers<HandlerResult>>, "anything at all");
static_assert(!CanHandle<Charge, Receipt (*)(const Work&, const Receipt&)>, "another's input");
static_assert(!CanHandle<Ship, Answers<Next<Ship>>>, "nothing follows it");
static_assert(!std::is_constructible_v<Ends<Charge>, Next<Refund>>);
static_assert(!std::is_default_constructible_v<Ends<Charge>>, "it has an output");
static_assert(std::is_default_constructible_v<Ends<Refund>>, "it has none");

static_assert(CanStart<Charge, Order>);
static_assert(!CanStart<Charge, Receipt>, "another's input");

// ---- what does --------------------------------------------------------------------------------

class TypedJobs : public OwnTables {
protected:
    template <typename Job>
    ChainInfo run_typed(const typename Job::Input& input, ChainSpec chain = {}) {
        return run(chain_of<Job>(input, std::move(chain)));
    }
};

TEST_F(TypedJobs, InputsAndOutputsAreValues) {
    engine->handle<Charge>([](const Work& work, const Order& order) -> Ends<Charge> {
        if (work.chain_index < 2) return next<Charge>({order.id + 1});
        if (order.id > 100) return next<Ship>(order);
        return Receipt{order.id};
    });
    engine->handle<Ship>(
        [](const Work&, const Order& order) { return Json{"[" + to_json(order) + "]"}; });
    start();
    EXPECT_EQ(run_typed<Charge>({17}).output, "19");
    EXPECT_EQ(run_typed<Charge>({170}).output, "[172]");
    const auto started = engine->start<Charge>({5}, {.deduplication = ChainKey{.key = "order-5"}});
    ASSERT_TRUE(started.has_value() && *started);
    EXPECT_EQ(engine->chains().wait(started->id, std::chrono::seconds(60)).value()->output, "7");
}

TEST_F(TypedJobs, FailuresAreSaid) {
    engine->handle<Charge>([](const Work&, const Order& order) -> Ends<Charge> {
        if (order.id == 1) return Ends<Charge>::failed("not today");
        return Ends<Charge>::failed_for_good("never");
    });
    start();
    EXPECT_EQ(run_typed<Charge>({1}).error_message, "not today");
    EXPECT_EQ(run_typed<Charge>({2}, {.max_retries = 9}).error_message, "never");
}

TEST_F(TypedJobs, AnInputThatIsNoneFailsForGood) {
    engine->handle<Charge>([](const Work&, const Order&) { return Receipt{}; });
    start();
    const ChainInfo chain =
        run(ChainSpec{.type = std::string(Charge::kType), .input = R"("x")", .max_retries = 9});
    EXPECT_EQ(chain.error_message, "the input cannot be read: no number");
}

TEST_F(TypedJobs, NoInputAndNoOutput) {
    engine->handle<Refund>([](const Work&, const Receipt&) { return None{}; });
    start();
    const ChainInfo chain = run_typed<Refund>({3});
    EXPECT_EQ(chain.status, Status::completed);
    EXPECT_EQ(chain.output, std::nullopt);
}

TEST_F(TypedJobs, BlockersGiveValues) {
    engine->handle<Charge>([](const Work&, const Order& order) { return Receipt{order.id}; });
    engine->handle<Merge>([](const Work& work, const None&) {
        Receipt sum;
        for (const Blocker& blocker : work.blockers) sum.cents += output_of<Charge>(blocker).cents;
        return sum;
    });
    start();
    const ChainInfo chain = run_typed<Merge>(
        {}, {.blockers = {chain_of<Charge>({1}), chain_of<Charge>({2}), chain_of<Charge>({3})}});
    EXPECT_EQ(chain.output, "6");
    EXPECT_THROW((void)output_of<Charge>(Blocker{.id = {}}), std::runtime_error);
}

TEST_F(TypedJobs, ModesAreTheSame) {
    engine->handle_atomic<Charge>([](const Work&, const Order& order, Tx& tx) -> Ends<Charge> {
        take(tx, order.id);
        return next<Ship>(order);
    });
    engine->handle_staged<Ship>(
        [](const Work&, const Order& order, StagesOf<Ship>& stages) -> Ends<Ship> {
            stages.prepare([order](Tx& tx) { take(tx, order.id); });
            return stages.complete([order](Tx& tx) {
                take(tx, order.id);
                return Json{"true"};
            });
        });
    start();
    EXPECT_EQ(run_typed<Charge>({10}).output, "true");
    EXPECT_EQ(cents(), 970);
}

}  // namespace
}  // namespace semel::test
