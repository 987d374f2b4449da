#include "sim/pass_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace semel::sim {
namespace {

constexpr std::uint64_t kPassDice = 0x9A55E5ULL << 24;
constexpr int kFaultlessSeeds = 8;  // one in so many runs without faults of nodes and stores
// Some come when the faults are over: then nothing excuses a wait that is too long.
constexpr int kAfterwards = 60'000;

// Faults that concern nodes and their store.
constexpr Fault kPassFaults[] = {
    Fault::crash_before_commit, Fault::crash_after_commit, Fault::crash_any_time, Fault::pause,
    Fault::reply_lost,          Fault::store_busy,         Fault::store_full,     Fault::store_io,
    Fault::commit_unknown,      Fault::clock_step};

class PassPlanner {
public:
    explicit PassPlanner(std::uint64_t seed) : random_(seed ^ kPassDice) { plan_.seed = seed; }

    Plan make() {
        choose_settings();
        choose_faults();
        choose_habits();
        for (int i = random_.between(2, random_.one_in(4) ? 40 : 15); i > 0; --i) add_request();
        for (int i = visits_; i > 0; --i) add_visit();
        const auto by_time = [](const auto& one) { return one.at; };
        std::ranges::stable_sort(plan_.passes.visits, {}, by_time);
        return std::move(plan_);
    }

private:
    void choose_settings() {
        plan_.duration = Millis(random_.any_of(std::vector{5'000, 20'000, 60'000, 120'000}));
        plan_.network_delay = Millis(random_.any_of(std::vector{0, 2, 20, 400}));
        plan_.store_delay = Millis(random_.any_of(std::vector{0, 0, 1, 20}));
        plan_.settings.decision_retention.reset();  // all of it is counted at the end
        plan_.nodes = random_.one_in(2) ? 1 : random_.between(2, 3);
        plan_.committers = plan_.nodes == 1 && !random_.one_in(3) ? 1 : random_.between(1, 3);
        PassPlan& passes = plan_.passes;
        passes.honours_keys = random_.one_in(2);
        passes.releases_5xx = random_.one_in(3);
        passes.timeout = Millis(random_.any_of(std::vector{2'000, 10'000, 30'000}));
        passes.wait = Millis(random_.any_of(std::vector{0, 1'000, 3'000, 20'000}));
        const int longest = random_.any_of(std::vector{5'000, 30'000, 600'000});
        passes.ttl = passes.timeout + Millis(random_.between(1, longest));
    }

    void choose_faults() {
        if (random_.one_in(kFaultlessSeeds)) {
            return;
        }
        const std::vector<double> rates = {0.01, 0.05, 0.2};
        for (const Fault fault : kPassFaults) {
            const double rate = random_.any_of(rates);
            if (random_.one_in(3)) {
                plan_.faults.set(fault, rate);
            }
        }
    }

    // What this seed's clients like to do; other seeds like other things.
    void choose_habits() {
        keys_ = random_.between(1, 2);
        callers_ = random_.one_in(2) ? 1 : static_cast<int>(kPassCallers.size());
        other_tenants_ = random_.one_in(2) ? 0 : random_.between(1, 5);
        contents_ = random_.one_in(3) ? 1 : 3;
        repeats_ = random_.between(1, 4);
        hangs_up_ = random_.one_in(2) ? 0 : random_.between(1, 5);
        troubles_ = random_.one_in(4) ? 0 : random_.between(1, 7);
        slow_ = random_.one_in(2) ? 0 : random_.between(1, 6);
        visits_ = random_.one_in(3) ? 0 : random_.between(1, 10);
    }

    bool in_ten(int times) { return random_.below(10) < times; }

    Millis some_time() {
        return Millis(random_.below(static_cast<int>(plan_.duration.count()) + kAfterwards));
    }

    void add_request() {
        PassRequestPlan request;
        request.number = ++numbers_;
        // Crowds: those that come together meet each other in flight.
        last_at_ = random_.one_in(3) ? some_time() : last_at_ + Millis(random_.below(200));
        request.at = last_at_;
        request.tenant = in_ten(other_tenants_) ? kTenants[1] : kTenants[0];
        request.caller = static_cast<std::size_t>(random_.below(callers_));
        request.key = std::string(static_cast<std::size_t>(random_.between(1, keys_)), 'k');
        request.content = random_.one_in(4) ? random_.below(contents_) : 0;
        request.query = contents_ > 1 && random_.one_in(8) ? 1 : 0;
        request.sends = random_.between(1, repeats_);
        request.pause = Millis(random_.below(random_.one_in(2) ? 2'000 : 40'000));
        if (in_ten(hangs_up_)) {
            request.hangs_up = Millis(random_.below(random_.one_in(2) ? 30 : 5'000));
        }
        for (int i = random_.between(1, 3); i > 0; --i) request.turns.push_back(turn());
        plan_.passes.requests.push_back(std::move(request));
    }

    UpstreamTurn turn() {
        UpstreamTurn turn;
        turn.takes = Millis(random_.below(in_ten(slow_) ? 40'000 : 300));
        turn.has_early_effect = random_.one_in(2);
        turn.is_large = random_.one_in(8);
        if (!in_ten(troubles_)) {
            turn.status = random_.one_in(4) ? 201 : 200;
            return turn;
        }
        switch (random_.below(8)) {
            case 0: turn.meeting = Meeting::refuses_connection; break;
            case 1: turn.meeting = Meeting::hangs; break;
            case 2: turn.meeting = Meeting::resets; break;
            case 3: turn.meeting = Meeting::cuts; break;
            case 4: turn.status = random_.any_of(std::vector{500, 502, 504}); break;
            case 5: turn.status = random_.any_of(std::vector{302, 402, 410}); break;
            default:
                turn.status = random_.any_of(std::vector{400, 401, 409, 429, 503});
                turn.has_effect = false;
                return turn;
        }
        turn.has_effect = turn.meeting == Meeting::cuts || random_.one_in(2);
        return turn;
    }

    void add_visit() {
        PassVisitPlan visit;
        const auto requests = static_cast<int>(plan_.passes.requests.size());
        visit.request = static_cast<std::size_t>(random_.below(requests));
        visit.at = random_.one_in(3) ? some_time()
                                     : plan_.passes.requests[visit.request].at +
                                           Millis(random_.below(random_.one_in(2) ? 500 : 40'000));
        visit.what = static_cast<PassVisit>(random_.below(3));
        visit.has_answer = random_.one_in(2);
        plan_.passes.visits.push_back(visit);
    }

    Random random_;
    Plan plan_;
    int numbers_ = 0;
    Millis last_at_{0};
    int keys_ = 1;
    int callers_ = 1;
    int contents_ = 1;
    int repeats_ = 1;
    int visits_ = 0;
    int other_tenants_ = 0;  // these: times in ten
    int hangs_up_ = 0;
    int troubles_ = 0;
    int slow_ = 0;
};

double seconds_of(Millis time) {
    return static_cast<double>(time.count()) / 1000;
}

std::string text_of(const UpstreamTurn& turn) {
    return fmt::format(
        "{}{}{} {} after {} ms", to_string(turn.meeting), turn.has_effect ? ", has its effect" : "",
        turn.has_effect && turn.has_early_effect ? " at once" : "",
        turn.is_large ? fmt::format("{}, large,", turn.status) : std::to_string(turn.status),
        turn.takes.count());
}

}  // namespace

std::string_view to_string(Meeting meeting) {
    switch (meeting) {
        case Meeting::answers: return "answers";
        case Meeting::refuses_connection: return "refuses the connection";
        case Meeting::hangs: return "hangs";
        case Meeting::resets: return "resets the connection";
        case Meeting::cuts: return "cuts its answer";
    }
    return "";
}

std::string_view to_string(PassVisit visit) {
    switch (visit) {
        case PassVisit::resolve_sealed: return "resolve as sealed";
        case PassVisit::resolve_released: return "resolve as released";
        case PassVisit::remove: return "delete";
    }
    return "";
}

std::string to_text(const PassPlan& plan) {
    if (plan.requests.empty()) {
        return "";
    }
    std::string text = fmt::format(
        "  an upstream that {} keys{}, time-out {} ms, wait {} ms, keys for {} ms\n",
        plan.honours_keys ? "honours" : "ignores", plan.releases_5xx ? ", 5xx releases" : "",
        plan.timeout.count(), plan.wait.count(), plan.ttl.count());
    for (const PassRequestPlan& request : plan.requests) {
        text += fmt::format(
            "  {:>8.3f} request {} of {} by caller {}, key {}, content {}/{}, {} "
            "times every {} ms{}",
            seconds_of(request.at), request.number, request.tenant, request.caller, request.key,
            request.content, request.query, request.sends, request.pause.count(),
            request.hangs_up ? fmt::format(", hangs up after {} ms", request.hangs_up->count())
                             : "");
        for (const UpstreamTurn& turn : request.turns) text += "; " + text_of(turn);
        text += "\n";
    }
    for (const PassVisitPlan& visit : plan.visits) {
        text += fmt::format("  {:>8.3f} operator: {} of request {}\n", seconds_of(visit.at),
                            to_string(visit.what), plan.requests[visit.request].number);
    }
    return text;
}

Plan make_pass_plan(std::uint64_t seed) {
    return PassPlanner(seed).make();
}

}  // namespace semel::sim
