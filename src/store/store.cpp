#include "store/store.hpp"

namespace semel {

// NOLINTNEXTLINE(performance-unnecessary-value-param): overriders keep both
void Committer::write(std::shared_ptr<const OwnWrites> /*writes*/, Done<Written> done) {
    done(Written{.error = "this store runs no statements of a handler's own: an embedded one does; "
                          "on PostgreSQL end the job in a transaction of your own, with "
                          "semel.complete_job, and return semel::ended_in_sql()",
                 .is_final = true});
}

std::optional<SourceHolder> holder_of(const Claim& claim) {
    if (claim.state != ClaimState::owned || !claim.effect) {
        return std::nullopt;
    }
    return SourceHolder{claim.id, claim.token, claim.effect->lease_until};
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): overriders keep both
void Store::copy(IsWanted /*is_wanted*/, Done<OpenFile> done) {
    done(Error(ErrorCode::refused, "the store (" + info().kind +
                                       ") is not one file that could be copied: back it up with "
                                       "its own tools"));
}

}  // namespace semel
