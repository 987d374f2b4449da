#include "core/actions/backoff.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/json/json_writer.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

constexpr double kFactorMax = 1000.0;
constexpr Millis kWaitForEver = kDelayMax;  // no backoff is longer

std::string_view to_string(Backoff::Kind kind) {
    switch (kind) {
        case Backoff::Kind::linear: return "linear";
        case Backoff::Kind::exponential: return "exponential";
        case Backoff::Kind::jitter: return "jitter";
        case Backoff::Kind::fixed: return "fixed";
    }
    return "";
}

// base × factor^(attempts − 1), at most `max`.
Millis grown(Millis base, double factor, int attempts, Millis max) {
    if (base.count() == 0) {
        return Millis(0);  // also if the power is infinite
    }
    const double wait = static_cast<double>(base.count()) * std::pow(factor, attempts - 1);
    const auto limit = static_cast<double>(max.count());
    return wait < limit ? Millis(std::llround(wait)) : max;
}

void read_kind(MemberReader& reader, Backoff& backoff) {
    const auto kind = reader.text("kind", 1, kNameBytesMax);
    reader.require("kind", kind.has_value());
    const auto read = [&](std::string_view name) {
        const auto value = reader.milliseconds(name, Millis(0), kDelayMax);
        reader.require(name, value.has_value());
        return value.value_or(Millis(0));
    };
    if (kind == "linear") {
        backoff.kind = Backoff::Kind::linear;
        backoff.base = read("stepMs");
    } else if (kind == "exponential") {
        backoff.kind = Backoff::Kind::exponential;
        backoff.base = read("baseMs");
        backoff.factor = reader.number("factor", 1.0, kFactorMax).value_or(2.0);
        backoff.max = reader.milliseconds("maxMs", Millis(0), kDelayMax).value_or(kDelayMax);
    } else if (kind == "jitter") {
        backoff.kind = Backoff::Kind::jitter;
        backoff.base = read("baseMs");
        backoff.max = reader.milliseconds("maxMs", Millis(0), kDelayMax).value_or(kDelayMax);
    } else if (kind == "fixed") {
        backoff.kind = Backoff::Kind::fixed;
        backoff.base = read("delayMs");
    } else if (kind) {
        reader.fail("kind", "`kind` must be linear, exponential, jitter or fixed");
    }
}

}  // namespace

Millis Backoff::wait(int attempts, std::uint64_t random) const {
    const int made = std::max(attempts, 1);
    switch (kind) {
        case Kind::linear: return std::min(base * made, kWaitForEver);
        case Kind::exponential: return grown(base, factor, made, max);
        case Kind::fixed: return base;
        case Kind::jitter: break;
    }
    // Full jitter: anything from 0 to the exponential wait, evenly.
    const auto range = static_cast<std::uint64_t>(grown(base, 2.0, made, max).count()) + 1;
    return Millis(static_cast<std::int64_t>(random % range));
}

std::string Backoff::to_json() const {
    JsonWriter json;
    json.begin_object().member("kind", to_string(kind));
    switch (kind) {
        case Kind::linear: json.member("stepMs", base.count()); break;
        case Kind::fixed: json.member("delayMs", base.count()); break;
        case Kind::exponential:
            json.member("baseMs", base.count())
                .member("factor", factor)
                .member("maxMs", max.count());
            break;
        case Kind::jitter: json.member("baseMs", base.count()).member("maxMs", max.count()); break;
    }
    return json.end_object().take();
}

std::variant<Backoff, Problem> Backoff::from_json(json::Value value, const std::string& pointer) {
    MemberReader reader(value, pointer);
    Backoff backoff;
    read_kind(reader, backoff);
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    return backoff;
}

}  // namespace semel
