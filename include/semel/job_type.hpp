// Job types that the compiler knows: what goes in, what comes out, and what may follow.
//
//   struct Ship {
//       static constexpr std::string_view kType = "order:ship";
//       using Input = Parcel;
//   };
//   struct Charge {
//       static constexpr std::string_view kType = "order:charge";
//       using Input = Order;
//       using Output = Receipt;                    // absent: none
//       using ContinuesWith = semel::OneOf<Ship>;  // absent: nothing follows
//   };
//
//   engine.handle<Charge>([](const semel::Work&, const Order& order) -> semel::Ends<Charge> {
//       if (order.is_free) return Receipt{0};
//       return semel::next<Ship>(Parcel{order.id});
//   });
//   engine.start<Charge>(Order{17});
//
// A handler that goes on with anything else does not compile. Inputs and outputs are types with two
// functions beside them, `std::string to_json(const T&)` and `void from_json(std::string_view,
// T&)`, which throws if the text is none of its kind.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <semel/chains.hpp>
#include <semel/handler.hpp>
#include <semel/stages.hpp>

namespace semel {

// JSON as it is.
struct Json {
    std::string text = "null";

    bool operator==(const Json&) const = default;
};
// Nothing: as an input `{}`, as an output none.
struct None {
    bool operator==(const None&) const = default;
};

[[nodiscard]] inline std::string to_json(const Json& value) {
    return value.text;
}
inline void from_json(std::string_view text, Json& value) {
    value.text = std::string(text);
}
[[nodiscard]] inline std::string to_json(const None& /*value*/) {
    return "{}";
}
inline void from_json(std::string_view /*text*/, None& /*value*/) {}

template <typename T>
concept JsonValue = std::default_initializable<T> &&
    requires(const T& value, T& into, std::string_view text) {
    { to_json(value) } -> std::convertible_to<std::string>;
    from_json(text, into);
};

template <typename T>
concept JobType = JsonValue<typename T::Input> && requires {
    { T::kType } -> std::convertible_to<std::string_view>;
};

template <typename... Types>
struct OneOf {};

namespace job_type {

template <typename Job>
struct Output {
    using Type = None;
};
template <typename Job>
requires requires {
    typename Job::Output;
}
struct Output<Job> {
    using Type = typename Job::Output;
};

template <typename Job>
struct Following {
    using Type = OneOf<>;
};
template <typename Job>
requires requires {
    typename Job::ContinuesWith;
}
struct Following<Job> {
    using Type = typename Job::ContinuesWith;
};

template <typename Job, typename Types>
struct IsOneOf : std::false_type {};
template <typename Job, typename... Types>
struct IsOneOf<Job, OneOf<Types...>> : std::bool_constant<(std::is_same_v<Job, Types> || ...)> {};

}  // namespace job_type

template <JobType Job>
using OutputOf = typename job_type::Output<Job>::Type;

template <typename Following, typename Job>
concept MayFollow = JobType<Following> &&
    job_type::IsOneOf<Following, typename job_type::Following<Job>::Type>::value;

// A job that is to follow.
template <JobType Job>
struct Next {
    std::string input;
    std::string options = "{}";
};

// `options_json`: more members of the HTTP API's `continueWith`: schedule, blockers, …
template <JobType Job>
[[nodiscard]] Next<Job> next(const typename Job::Input& input, std::string options_json = "{}") {
    return {to_json(input), std::move(options_json)};
}

// How an attempt at such a job ended: with its output, with a job that may follow it, or failed.
template <JobType Job>
class Ends {
public:
    Ends() requires std::same_as<OutputOf<Job>, None>
    = default;
    Ends([[maybe_unused]] const OutputOf<Job>& output) {
        if constexpr (!std::is_same_v<OutputOf<Job>, None>) {
            result_.output = to_json(output);
        }
    }
    template <MayFollow<Job> Following>
    Ends(Next<Following> following) {
        result_.continue_with(std::string(Following::kType), std::move(following.input),
                              std::move(following.options));
    }

    [[nodiscard]] static Ends failed(std::string error) {
        return Ends(semel::failed(std::move(error)), Untyped{});
    }
    [[nodiscard]] static Ends failed_for_good(std::string error) {
        return Ends(semel::failed_for_good(std::move(error)), Untyped{});
    }

    [[nodiscard]] const HandlerResult& result() const { return result_; }

private:
    struct Untyped {};
    template <JobType Other>
    friend class StagesOf;

    Ends(HandlerResult result, Untyped /*tag*/) : result_(std::move(result)) {}

    HandlerResult result_;
};

// A function that says how an attempt at such a job ended. Handlers run on many threads at once.
template <typename Function, typename Job, typename... Arguments>
concept Ending = std::is_invocable_r_v < Ends<Job>,
const Function&, Arguments... > ;

// Stages of such a job.
template <JobType Job>
class StagesOf {
public:
    explicit StagesOf(Stages& stages) : stages_(stages) {}

    void prepare(const Stages::Statements& statements) { stages_.prepare(statements); }

    template <Ending<Job, Tx&> Completion>
    [[nodiscard]] Ends<Job> complete(Completion statements) {
        HandlerResult result = stages_.complete([statements = std::move(statements)](Tx& tx) {
            const Ends<Job> ends = statements(tx);
            return ends.result();
        });
        return Ends<Job>(std::move(result), typename Ends<Job>::Untyped{});
    }

private:
    Stages& stages_;
};

namespace job_type {

// Runs `call` with the job's input. What is no such input now is none at the next attempt either.
template <JobType Job, typename Call>
[[nodiscard]] HandlerResult with_input(const Work& work, Call call) {
    typename Job::Input input{};
    try {
        from_json(work.payload, input);
    } catch (const std::exception& error) {
        return failed_for_good(std::string("the input cannot be read: ") + error.what());
    }
    const Ends<Job> ends = call(std::as_const(input));
    return ends.result();
}

}  // namespace job_type

// Handlers for such jobs, as the untyped ones that they are underneath.
template <JobType Job, Ending<Job, const Work&, const typename Job::Input&> Function>
[[nodiscard]] Handler to_handler(Function function) {
    return [function = std::move(function)](const Work& work) {
        return job_type::with_input<Job>(
            work, [&](const typename Job::Input& input) { return function(work, input); });
    };
}
template <JobType Job, Ending<Job, const Work&, const typename Job::Input&, Tx&> Function>
[[nodiscard]] AtomicHandler to_atomic_handler(Function function) {
    return [function = std::move(function)](const Work& work, Tx& tx) {
        return job_type::with_input<Job>(
            work, [&](const typename Job::Input& input) { return function(work, input, tx); });
    };
}
template <JobType Job,
          Ending<Job, const Work&, const typename Job::Input&, StagesOf<Job>&> Function>
[[nodiscard]] StagedHandler to_staged_handler(Function function) {
    return [function = std::move(function)](const Work& work, Stages& stages) {
        StagesOf<Job> typed(stages);
        return job_type::with_input<Job>(
            work, [&](const typename Job::Input& input) { return function(work, input, typed); });
    };
}

// A chain that begins with such a job; `chain` has what else there is to say of it.
template <JobType Job>
[[nodiscard]] ChainSpec chain_of(const typename Job::Input& input, ChainSpec chain = {}) {
    chain.type = std::string(Job::kType);
    chain.input = to_json(input);
    return chain;
}

// What a chain that a job waited for gave, whose last job is such a one.
template <JobType Job>
[[nodiscard]] OutputOf<Job> output_of(const Blocker& blocker) {
    OutputOf<Job> output{};
    if constexpr (!std::is_same_v<OutputOf<Job>, None>) {
        if (!blocker.output) {
            throw std::runtime_error("the chain " + blocker.id.to_string() + " has no output");
        }
        from_json(*blocker.output, output);
    }
    return output;
}

}  // namespace semel
