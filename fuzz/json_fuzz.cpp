// Whatever bytes come: the parser accepts or refuses, and what it accepts has a canonical form that
// is its own canonical form, the same content as the original, and no difference from itself. The
// difference of two documents leads from the first to the second.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "core/json/canonical_json.hpp"
#include "core/json/json.hpp"
#include "core/json/json_diff.hpp"
#include "unit/core/json/json_tree.hpp"

namespace {

using namespace semel;

void check_canonical(const json::Document& document) {
    const auto canonical = canonicalize(document.root());
    if (!canonical) return;
    const auto again = json::Document::parse(*canonical);
    SEMEL_ASSERT(again);
    SEMEL_ASSERT(canonicalize(again->root()) == canonical);
    SEMEL_ASSERT(same_content(document.root(), again->root()));
    SEMEL_ASSERT(fingerprint(document.root()) == fingerprint(again->root()));
    SEMEL_ASSERT(json_diff(document.root(), again->root()).patch_json == "[]");
}

// Without caps and masks the patch is the whole truth.
void check_patch(const json::Document& first, const json::Document& second) {
    constexpr std::size_t kMany = std::size_t{1} << 24;
    const DiffOptions options{
        .bytes_max = kMany, .operations_max = kMany, .mask = {}, .mask_default_names = false};
    const DiffResult result = json_diff(first.root(), second.root(), options);
    SEMEL_ASSERT(!result.truncated);
    const auto patch = json::Document::parse(result.patch_json);
    SEMEL_ASSERT(patch);
    test::Tree patched = test::tree_of(first.root());
    SEMEL_ASSERT(test::apply_patch(patched, patch->root()));
    SEMEL_ASSERT(test::same(patched, test::tree_of(second.root())));
    SEMEL_ASSERT((patch->root().size() == 0) == same_content(first.root(), second.root()));
}

void check_diff(const json::Document& first, const json::Document& second) {
    const DiffOptions options{.bytes_max = 4096};
    const DiffResult result = json_diff(first.root(), second.root(), options);
    SEMEL_ASSERT(result.patch_json.size() <= options.bytes_max);
    SEMEL_ASSERT(json::Document::parse(result.patch_json));
    check_patch(first, second);
}

}  // namespace

// The input is one document, or two with a NUL between them.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t split = text.find('\0');
    const auto first = json::Document::parse(text.substr(0, split));
    if (!first) {
        SEMEL_ASSERT(first.error().offset <= text.size());
        SEMEL_ASSERT(is_valid_utf8(first.error().message));
        return 0;
    }
    SEMEL_ASSERT(json_diff(first->root(), first->root()).patch_json == "[]");
    check_canonical(*first);
    if (split == std::string::npos) return 0;
    if (const auto second = json::Document::parse(text.substr(split + 1))) {
        check_diff(*first, *second);
    }
    return 0;
}
