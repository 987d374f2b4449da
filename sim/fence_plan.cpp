#include "sim/fence_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/fences/fence_request.hpp"
#include "core/json/json_writer.hpp"
#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace semel::sim {
namespace {

constexpr std::uint64_t kOtherDice = 0xFE2CEULL << 28;
constexpr int kSeedsWithFences = 5;  // one in so many
constexpr int kVersions = 4;
constexpr int kContents = 3;
// Some come when the faults are over: then nothing excuses a wait that is too long.
constexpr int kAfterwards = 25'000;

class FencePlanner {
public:
    explicit FencePlanner(Plan& plan) : random_(plan.seed ^ kOtherDice), plan_(plan) {}

    void add() {
        if (!random_.one_in(kSeedsWithFences)) {
            return;
        }
        choose_habits();
        for (int i = random_.between(5, random_.one_in(3) ? 50 : 25); i > 0; --i) add_claim();
        for (int i = random_.below(visits_ + 1); i > 0; --i) add_visit();
        const auto by_time = [](const auto& one) { return one.at; };
        std::ranges::stable_sort(plan_.fences.claims, {}, by_time);
        std::ranges::stable_sort(plan_.fences.visits, {}, by_time);
    }

private:
    // What this seed's clients like to do; other seeds like other things.
    void choose_habits() {
        keys_ = random_.between(1, 3);
        versioned_ = random_.one_in(3) ? 0 : random_.between(1, 9);
        sources_ = random_.between(1, 2);
        contents_ = random_.one_in(3) ? 1 : kContents;
        lease_max_ = random_.any_of(std::vector{300, 1'500, 6'000});
        ttl_max_ = random_.any_of(std::vector{1, 3, 20, 600});
        waits_ = random_.between(0, 8);
        late_ = random_.between(0, 4);
        lost_ = random_.between(0, 3);
        releases_ = random_.between(0, 4);
        uncertain_ = random_.between(0, 3);
        contradicts_ = random_.between(0, 4);
        repeats_ = random_.between(0, 5);
        hangs_up_ = random_.one_in(2) ? 0 : random_.between(1, 4);
        visits_ = random_.one_in(3) ? 0 : random_.between(2, 12);
    }

    bool in_ten(int times) { return random_.below(10) < times; }

    Millis some_time() {
        return Millis(random_.below(static_cast<int>(plan_.duration.count()) + kAfterwards));
    }

    void add_claim() {
        FenceClaimPlan claim;
        claim.number = ++numbers_;
        // Bursts: what comes together meets in one batch.
        last_at_ = random_.one_in(2) ? last_at_ + Millis(random_.below(200)) : some_time();
        claim.at = last_at_;
        claim.key = key();
        if (!random_.one_in(6)) {
            claim.content = random_.one_in(4) ? random_.below(contents_) : 0;
            claim.spelling = random_.below(3);
        }
        claim.fence_class = static_cast<FenceClass>(random_.below(3));
        // Half of them with the one lease that everybody likes.
        claim.lease = Millis(random_.one_in(2) ? lease_max_ : random_.between(100, lease_max_));
        claim.ttl_seconds = random_.between(1, ttl_max_);
        if (in_ten(waits_)) claim.wait = Millis(random_.between(1, 2 * lease_max_));
        if (claim.wait > Millis(0) && in_ten(hangs_up_)) {
            // Half of them at once, before they can be told anything.
            const int longest = static_cast<int>(claim.wait.count());
            claim.hangs_up = Millis(random_.below(random_.one_in(2) ? 20 : longest));
        }
        claim.asks = random_.between(1, 4);
        claim.work = work(claim);
        const bool needs_somebody = claim.work.end == FenceEnd::uncertain && random_.one_in(2);
        plan_.fences.claims.push_back(claim);
        if (needs_somebody) add_visit(claim);
    }

    FenceKeyPlan key() {
        FenceKeyPlan key;
        key.tenant = random_.one_in(5) ? kTenants[1] : kTenants[0];
        if (!in_ten(versioned_)) {
            key.key = std::string(static_cast<std::size_t>(random_.between(1, keys_)), 'k');
            return key;
        }
        // Parts that run together when they are written one after another.
        key.source_id = random_.below(sources_) == 0 ? "1" : "12";
        key.version = random_.between(1, kVersions);
        key.revision = key.source_id == "1" ? fmt::format("2{}", *key.version)
                                            : fmt::format("{}", *key.version);
        if (random_.one_in(6)) key.version = random_.between(1, kVersions);
        return key;
    }

    FenceWork work(const FenceClaimPlan& claim) {
        FenceWork work;
        const int lease = static_cast<int>(claim.lease.count());
        work.takes = Millis(random_.below(in_ten(late_) ? 3 * lease : lease));
        if (random_.one_in(3)) work.beats_every = Millis(std::max(lease / 3, 30));
        if (random_.one_in(4)) work.beat_lease = Millis(random_.between(100, 2 * lease_max_));
        if (in_ten(lost_)) {
            work.end = FenceEnd::lost;
        } else if (in_ten(uncertain_)) {
            work.end = FenceEnd::uncertain;
        } else if (in_ten(releases_)) {
            work.end = FenceEnd::release;
        }
        work.has_receipt = !random_.one_in(5);
        work.repeats = in_ten(repeats_) ? random_.between(1, 2) : 0;
        work.contradicts = in_ten(contradicts_);
        work.changes_verb = random_.one_in(3);
        return work;
    }

    void add_visit() {
        FenceVisitPlan visit;
        const FenceClaimPlan& meant = random_.any_of(plan_.fences.claims);
        visit.number = ++numbers_;
        visit.key = meant.key;
        visit.at =
            random_.one_in(3) ? some_time() : meant.at + Millis(random_.below(2 * lease_max_));
        visit.what = static_cast<FenceVisit>(random_.below(4));
        visit.sends = random_.between(1, 3);
        visit.contradicts = random_.one_in(3);
        visit.foreign = random_.one_in(10);
        plan_.fences.visits.push_back(visit);
    }

    // Somebody finds out what became of it.
    void add_visit(const FenceClaimPlan& uncertain) {
        FenceVisitPlan visit;
        visit.number = ++numbers_;
        visit.key = uncertain.key;
        visit.at = uncertain.at + uncertain.work.takes + Millis(random_.below(4'000));
        visit.what = random_.one_in(2) ? FenceVisit::resolve_sealed : FenceVisit::resolve_released;
        visit.sends = random_.between(1, 3);
        visit.contradicts = random_.one_in(3);
        plan_.fences.visits.push_back(visit);
    }

    Random random_;
    Plan& plan_;
    int numbers_ = 0;
    Millis last_at_{0};
    int keys_ = 1;
    int sources_ = 1;
    int contents_ = 1;
    int lease_max_ = 0;
    int ttl_max_ = 1;
    int visits_ = 0;
    int versioned_ = 0;  // these: times in ten
    int waits_ = 0;
    int late_ = 0;
    int lost_ = 0;
    int releases_ = 0;
    int uncertain_ = 0;
    int contradicts_ = 0;
    int repeats_ = 0;
    int hangs_up_ = 0;
};

std::string content_of(int content, int spelling) {
    return spelling == 0 ? fmt::format(R"({{"total":{},"to":"somebody"}})", content)
                         : fmt::format(R"({{ "to":"somebody", "total":{}.0 }})", content);
}

void write_key(JsonWriter& json, const FenceKeyPlan& key) {
    if (!key.key.empty()) {
        json.member("key", key.key);
        return;
    }
    json.key("parts").begin_object().member("sourceType", "doc").member("sourceId", key.source_id);
    json.member("revision", key.revision).end_object();
    if (key.version) json.member("version", *key.version);
}

std::string text_of(const FenceKeyPlan& key) {
    return key.key.empty() ? fmt::format("{} source {} revision {} version {}", key.tenant,
                                         key.source_id, key.revision, key.version.value_or(0))
                           : fmt::format("{} {}", key.tenant, key.key);
}

double seconds_of(Millis time) {
    return static_cast<double>(time.count()) / 1000;
}

}  // namespace

std::string_view to_string(FenceEnd end) {
    switch (end) {
        case FenceEnd::seal: return "seal";
        case FenceEnd::release: return "release";
        case FenceEnd::uncertain: return "uncertain";
        case FenceEnd::lost: return "lost";
    }
    return "";
}

std::string_view to_string(FenceVisit visit) {
    switch (visit) {
        case FenceVisit::resolve_sealed: return "resolve as sealed";
        case FenceVisit::resolve_released: return "resolve as released";
        case FenceVisit::remove: return "delete";
        case FenceVisit::get: return "get";
    }
    return "";
}

std::string FenceClaimPlan::to_json() const {
    JsonWriter json;
    json.begin_object();
    write_key(json, key);
    json.member("class", to_string(fence_class));
    if (content && spelling < 2) {
        json.key("content").raw(content_of(*content, spelling));
    } else if (content) {
        const auto document = json::Document::parse(content_of(*content, 0));
        json.member("fingerprint", content_fingerprint(document->root()).to_hex());
    }
    json.member("leaseMs", lease.count()).member("ttlSeconds", ttl_seconds);
    json.member("waitMs", wait.count());
    return json.end_object().take();
}

std::string to_text(const FencePlan& plan) {
    std::string text;
    for (const FenceClaimPlan& claim : plan.claims) {
        const FenceWork& work = claim.work;
        text += fmt::format("  {:>8.3f} {} claims {} up to {} times, {} after {} ms{}{}{}{}\n",
                            seconds_of(claim.at), claim.key.tenant, claim.to_json(), claim.asks,
                            to_string(work.end), work.takes.count(),
                            work.beats_every ? ", beats" : "", work.repeats > 0 ? ", again" : "",
                            work.contradicts ? ", contradicts itself" : "",
                            claim.hangs_up ? ", hangs up" : "");
    }
    for (const FenceVisitPlan& visit : plan.visits) {
        text += fmt::format("  {:>8.3f} operator: {} of {}, {} times\n", seconds_of(visit.at),
                            to_string(visit.what), text_of(visit.key), visit.sends);
    }
    return text;
}

void plan_fences(Plan& plan) {
    FencePlanner(plan).add();
}

}  // namespace semel::sim
