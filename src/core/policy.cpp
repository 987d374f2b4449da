#include "core/policy.hpp"

namespace semel {

std::optional<FenceStore> parse_fence_store(std::string_view text) {
    if (text == "main") return FenceStore::main;
    if (text == "redis") return FenceStore::redis;
    return std::nullopt;
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
