// Job types that the compiler knows: their input, their output, and the jobs that can follow.
//
//   struct Ship {
//       static constexpr std::string_view kType = "order:ship";
//       using Input = Parcel;
//   };
//   struct Charge {
//       static constexpr std::string_view kType = "order:charge";
//       using Input = Order;
//       using Output = Receipt;                    // absent: no output
//       using ContinuesWith = semel::OneOf<Ship>;  // absent: no job follows
//   };
//
//   engine.handle<Charge>([](const semel::Work&, const Order& order) -> semel::Ends<Charge> {
//       if (order.is_free) return Receipt{0};
//       return semel::next<Ship>(Parcel{order.id});
//   });
//   engine.start<Charge>(Order{17});
//
// A handler that continues with another job type does not compile.
//
// Inputs and outputs are types with two functions in their namespace: `std::string to_json(const
// T&)` and `void from_json(std::string_view, T&)`, which throws if the text is not a T.
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

// An input or output that stays JSON text.
struct Json {
    std::string text = "null";

    bool operator==(const Json&) const = default;
};
// No value. Its JSON as an input is `{}`. A job with this output has no output.
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

// A type with to_json and from_json.
template <typename T>
concept JsonValue = std::default_initializable<T> &&
    requires(const T& value, T& into, std::string_view text) {
    { to_json(value) } -> std::convertible_to<std::string>;
    from_json(text, into);
};

// A type with a name `kType` and an `Input`.
template <typename T>
concept JobType = JsonValue<typename T::Input> && requires {
    { T::kType } -> std::convertible_to<std::string_view>;
};

// The job types that can follow.
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

// The output of a job type, or None.
template <JobType Job>
using OutputOf = typename job_type::Output<Job>::Type;

// Whether `Following` is one of Job::ContinuesWith.
template <typename Following, typename Job>
concept MayFollow = JobType<Following> &&
    job_type::IsOneOf<Following, typename job_type::Following<Job>::Type>::value;

// The job that follows. next() makes it.
template <JobType Job>
struct Next {
    std::string input;
    std::string options = "{}";
};

// Continues a chain with a job of this type. `options_json` is NextStep::options.
template <JobType Job>
[[nodiscard]] Next<Job> next(const typename Job::Input& input, std::string options_json = "{}") {
    return {to_json(input), std::move(options_json)};
}

// The end of an attempt at a job of this type: its output, a job that can follow it, or a failure.
//
// Example: return semel::Ends<Charge>::failed("the bank does not answer");
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

    // Like semel::failed and semel::failed_for_good.
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

// A function that returns the end of an attempt. It must be callable as const, because the engine
// calls one handler from several threads at once.
template <typename Function, typename Job, typename... Arguments>
concept Ending = std::is_invocable_r_v < Ends<Job>,
const Function&, Arguments... > ;

// The stages of a job of this type: see <semel/stages.hpp>.
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

// Calls `call` with the input of the job. An input that from_json refuses fails the job
// permanently, because the next attempt has the same input.
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

// Make a handler without types from a handler of this job type.
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

// Returns `chain` with the type and input of a job of this type: for Chains::start and BlockerSpec.
template <JobType Job>
[[nodiscard]] ChainSpec chain_of(const typename Job::Input& input, ChainSpec chain = {}) {
    chain.type = std::string(Job::kType);
    chain.input = to_json(input);
    return chain;
}

// Returns the output of a chain that a job waited for, whose last job is of this type.
//
// Throws std::runtime_error if the chain has no output. Throws what from_json throws. Both fail the
// attempt if they leave the handler.
// Example: const Parcel parcel = semel::output_of<Label>(work.blockers.at(0));
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
