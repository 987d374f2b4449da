#include "core/fences/policy.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/json/json_pointer.hpp"

namespace semel {
namespace {

constexpr std::int64_t kDaysMax = 3650;
constexpr std::int64_t kHoursMax = 24 * kDaysMax;

// The members of a decision's log line. All are always written, so a policy file can name any of
// them.
constexpr std::array<std::string_view, 14> kLogFields = {
    "event",       "ts",        "idempotency_key", "decision", "effect_id",
    "source_type", "source_id", "tenant",          "surface",  "type",
    "rule",        "token",     "replaced",        "count"};

// The characters of a token of RFC 9110.
bool is_header_name(std::string_view text) {
    constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kOthers.find(c) != std::string_view::npos;
    });
}

class Validation {
public:
    void time(const char* where, const std::optional<std::int64_t>& value, std::int64_t max) {
        if (value && (*value < 1 || *value > max)) {
            error(where, fmt::format("{} is not a time that a key can be remembered for", *value),
                  fmt::format("write a number from 1 to {}", max));
        }
    }
    void header(const std::string& name) {
        if (!is_header_name(name)) {
            error("require_headers", fmt::format("`{}` cannot be the name of a header", name),
                  "write it like Idempotency-Key");
        }
    }
    void log_field(const std::string& name) {
        if (std::find(kLogFields.begin(), kLogFields.end(), name) == kLogFields.end()) {
            error("logging.include_fields",
                  fmt::format("the line of a decision has no field `{}`", name),
                  fmt::format("write some of: {}", fmt::join(kLogFields, ", ")));
        }
    }
    void status(std::int64_t status) {
        if (status != kConflictStatus && status != kConflictStatusOfDraft) {
            error("on_conflict.status",
                  fmt::format("clients do not take {} for a conflict", status),
                  "write 409, or 422 for the draft of the IETF");
        }
    }
    void mask(const std::string& pointer) {
        if (!json::is_valid_pointer(pointer)) {
            error("on_conflict.mask", fmt::format("`{}` is no JSON pointer", pointer),
                  "write it like /customer/card");
        }
    }
    void store(const Policy& policy) {
        if (policy.fence_store == FenceStore::main && !policy.fence_store_url.empty()) {
            findings_.push_back({Severity::warning, "stores.url",
                                 "fences are kept in the main store, so nobody goes there",
                                 "leave it out, or write stores.fence: redis"});
        }
    }
    [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

private:
    void error(std::string where, std::string detail, std::string fix) {
        findings_.push_back({Severity::error, std::move(where), std::move(detail), std::move(fix)});
    }

    std::vector<Finding> findings_;
};

}  // namespace

std::optional<FenceStore> parse_fence_store(std::string_view text) {
    if (text == "main") return FenceStore::main;
    if (text == "redis") return FenceStore::redis;
    return std::nullopt;
}

std::vector<Finding> validate(const Policy& policy) {
    Validation validation;
    for (const std::string& name : policy.require_headers) validation.header(name);
    validation.store(policy);
    validation.time("stores.ttl.webhook_days", policy.webhook_days, kDaysMax);
    validation.time("stores.ttl.api_hours", policy.api_hours, kHoursMax);
    validation.time("stores.ttl.batch_days", policy.batch_days, kDaysMax);
    for (const std::string& name : policy.include_fields) validation.log_field(name);
    validation.status(policy.conflict_status.value_or(kConflictStatus));
    for (const std::string& pointer : policy.mask) validation.mask(pointer);
    return validation.take();
}

FencePolicy apply(const Policy& policy, FencePolicy usual) {
    using std::chrono::hours;
    if (policy.webhook_days) usual.webhook.ttl = hours(24 * *policy.webhook_days);
    if (policy.api_hours) usual.api.ttl = hours(*policy.api_hours);
    if (policy.batch_days) usual.batch.ttl = hours(24 * *policy.batch_days);
    if (policy.reject_on_body_mismatch) {
        usual.reject_on_body_mismatch = *policy.reject_on_body_mismatch;
    }
    if (policy.conflict_status) usual.conflict_status = static_cast<int>(*policy.conflict_status);
    if (policy.include_diff) usual.include_diff = *policy.include_diff;
    usual.mask.insert(usual.mask.end(), policy.mask.begin(), policy.mask.end());
    return usual;
}

}  // namespace semel
