#include "core/fences/providers.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace semel {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr std::array kProviders = {
    Provider{"stripe", hours(24 * 3), "with growing waits, up to 3 days"},
    Provider{"adyen", hours(24 * 30), "with growing waits, up to 30 days"},
    Provider{"shopify", hours(4), "8 times within 4 hours"},
    Provider{"svix", hours(28), "8 times within about 28 hours"},
    Provider{"standard webhooks", hours(76), "the specification's schedule, about 76 hours"},
    Provider{"github", hours(24 * 3), "never by itself; by hand, up to 3 days"},
    Provider{"slack", minutes(6), "3 times within 6 minutes"},
};

char folded(char c) {
    if (c == '_' || c == '-') {
        return ' ';
    }
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

std::span<const Provider> known_providers() {
    return kProviders;
}

const Provider* find_provider(std::string_view name) {
    const auto* found =
        std::find_if(kProviders.begin(), kProviders.end(), [&](const Provider& provider) {
            return std::equal(name.begin(), name.end(), provider.name.begin(), provider.name.end(),
                              [](char a, char b) { return folded(a) == b; });
        });
    return found == kProviders.end() ? nullptr : found;
}

Millis remembered_for(Millis usual, Millis horizon) {
    return std::max(usual, horizon * kHorizonMargin);
}

}  // namespace semel
