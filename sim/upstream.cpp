#include "sim/upstream.hpp"

#include <charconv>

#include "core/json/json_writer.hpp"

namespace semel::sim {
namespace {

using gateway::UpstreamAnswer;
using gateway::UpstreamFailure;
using Clock = gateway::PassUpstream::Clock;

constexpr Millis kConnectTimeout = std::chrono::seconds(2);
constexpr Millis kStandsStillMax = std::chrono::seconds(25);

std::string value_of(const std::vector<net::Header>& headers, std::string_view name) {
    const std::string* value = net::find_header(headers, name);
    return value != nullptr ? *value : "";
}

// The rest of an answer that is not kept.
class RestOfAnswer final : public net::BodySource {
public:
    explicit RestOfAnswer(std::string rest) : rest_(std::move(rest)) {}

    [[nodiscard]] std::optional<std::uint64_t> length() const override { return std::nullopt; }
    void read(OnPiece on_piece) override {
        given_ = std::exchange(rest_, "");
        on_piece(std::string_view(given_));
    }
    void abort() override { rest_.clear(); }

private:
    std::string rest_;
    std::string given_;
};

}  // namespace

// What a process has of one request: a connection, and what comes back over it.
class UpstreamModel::Call final : public gateway::PassUpstream,
                                  public std::enable_shared_from_this<Call> {
public:
    Call(UpstreamModel& upstream, ProcessId process, int ask, const PassRequestPlan& request)
        : upstream_(upstream),
          context_(upstream.context_),
          process_(process),
          ask_(ask),
          request_(request) {}

    [[nodiscard]] Clock::time_point now() const override {
        return Clock::time_point(context_.world.now());
    }

    void reserve(std::function<void(Result<void>)> done) override {
        turn_ = upstream_.next_turn(request_);
        deadline_ = context_.world.now() + context_.plan.passes.timeout;
        const bool is_refused = turn_.meeting == Meeting::refuses_connection;
        if (context_.strikes(Fault::pause)) stand_still();
        // One that is refused may be so after the time-out for a connection.
        const Micros takes = is_refused && context_.world.random().one_in(2)
                                 ? Micros(kConnectTimeout)
                                 : context_.delay(context_.plan.network_delay);
        in_process(takes, [done = std::move(done), is_refused] {
            done(is_refused ? Result<void>(Error(ErrorCode::unavailable,
                                                 "the upstream refused the connection"))
                            : Result<void>());
        });
    }

    void give_back() override {}

    // The process may stand still just here, between the commit and the first byte, and in
    // reserve(), between its admission and that commit.
    void send(std::vector<net::Header> headers, Clock::time_point not_after,
              Answered answered) override {
        answered_ = std::move(answered);
        if (context_.strikes(Fault::pause)) stand_still();
        in_process(Micros(10), [this, headers = std::move(headers), not_after] {
            if (now() >= not_after) {
                context_.sometimes.hit(Sometimes::pass_stood_still_before_its_first_byte);
                return give(UpstreamFailure{net::CallResult::not_sent, "this process stood still"});
            }
            leave(headers);
        });
    }

private:
    // Holds this call until the step has run.
    template <typename Step>
    void in_process(Micros delay, Step step) {
        context_.world.after(process_, delay,
                             [self = shared_from_this(), step = std::move(step)] { step(); });
    }

    void stand_still() {
        const Micros until =
            context_.world.now() +
            Millis(context_.world.random().below(static_cast<int>(kStandsStillMax.count())));
        context_.trace.line("process {} stands still until {} ms, with request {} to send",
                            process_, until.count() / 1000, request_.number);
        context_.world.pause(process_, until);
    }

    void leave(const std::vector<net::Header>& headers) {
        upstream_.checker_.left(ask_, headers);
        in_process(std::max(Micros(deadline_ - context_.world.now()), Micros(0)), [this] {
            give(UpstreamFailure{net::CallResult::timed_out, "no answer"});
        });
        context_.world.after(kOutside, context_.delay(context_.plan.network_delay),
                             [self = shared_from_this(), headers] { self->arrive(headers); });
    }

    void arrive(const std::vector<net::Header>& headers) {
        upstream_.meet(
            request_, turn_, headers,
            [self = shared_from_this()](const SentAnswer& answer) { self->answer(answer); });
        if (turn_.meeting == Meeting::resets) {
            context_.world.after(process_, turn_.takes, [self = shared_from_this()] {
                self->give(
                    UpstreamFailure{net::CallResult::maybe_sent, "the connection was reset"});
            });
        }
    }

    void answer(const SentAnswer& answer) {
        in_process(context_.delay(context_.plan.network_delay), [this, answer] {
            if (turn_.meeting == Meeting::cuts) {
                return give(UpstreamFailure{net::CallResult::bad_answer, "the answer was cut"});
            }
            UpstreamAnswer read{answer.status, answer.headers, answer.body, nullptr};
            if (answer.body.size() > kPassBodyMax) {
                read.body.resize(kPassBodyMax + 1);
                read.rest = std::make_shared<RestOfAnswer>(answer.body.substr(kPassBodyMax + 1));
            }
            if (answered_) upstream_.checker_.answered_by_upstream(ask_, answer);
            give(std::move(read));
        });
    }

    // The first result counts.
    void give(std::variant<UpstreamAnswer, UpstreamFailure> result) {
        if (const auto answered = std::exchange(answered_, nullptr)) {
            if (const auto* failure = std::get_if<UpstreamFailure>(&result)) {
                upstream_.checker_.failed_at_upstream(ask_, failure->what);
            }
            answered(std::move(result));
        }
    }

    UpstreamModel& upstream_;
    Context& context_;
    const ProcessId process_;
    const int ask_;
    const PassRequestPlan& request_;
    UpstreamTurn turn_;
    Micros deadline_{0};
    Answered answered_;
};

std::shared_ptr<gateway::PassUpstream> UpstreamModel::call(ProcessId process, int ask,
                                                           const PassRequestPlan& request) {
    return std::make_shared<Call>(*this, process, ask, request);
}

const UpstreamTurn& UpstreamModel::next_turn(const PassRequestPlan& request) {
    std::size_t& next = turns_[request.number];
    return request.turns[std::min(next++, request.turns.size() - 1)];
}

void UpstreamModel::meet(const PassRequestPlan& request, const UpstreamTurn& turn,
                         const std::vector<net::Header>& headers, const Answered& answered) {
    const Identity who{request.tenant,
                       value_of(headers, "authorization") + value_of(headers, "x-api-key"),
                       value_of(headers, "idempotency-key")};
    const std::string token_text = value_of(headers, "semel-token");
    std::int64_t token = 0;
    std::from_chars(token_text.data(), token_text.data() + token_text.size(), token);
    const auto known = executed_.find(who);
    if (context_.plan.passes.honours_keys && known != executed_.end()) {
        Executed& executed = known->second;
        const bool is_old = token < executed.token;
        executed.token = std::max(executed.token, token);
        const SentAnswer answer =
            is_old || !executed.is_done ? refusal(409) : SentAnswer(executed.answer);
        context_.world.after(kOutside, Micros(100), [answered, answer] { answered(answer); });
        return;
    }
    if (turn.has_effect) executed_[who] = {.token = token, .is_done = false, .answer = {}};
    const auto finish = [this, &request, turn, who] {
        Executed& executed = executed_[who];
        executed.answer = execute(request, turn);
        executed.is_done = true;
        return executed.answer;
    };
    std::optional<SentAnswer> early;
    if (turn.has_effect && turn.has_early_effect) early = finish();
    context_.world.after(kOutside, turn.takes, [turn, early, finish, answered] {
        const SentAnswer answer = early             ? *early
                                  : turn.has_effect ? finish()
                                                    : refusal(turn.status);
        if (turn.meeting == Meeting::answers || turn.meeting == Meeting::cuts) answered(answer);
    });
}

SentAnswer UpstreamModel::execute(const PassRequestPlan& request, const UpstreamTurn& turn) {
    const int effect = ++effects_;
    context_.trace.line("the upstream executes request {}, effect {}", request.number, effect);
    checker_.executed(request);
    JsonWriter json;
    json.begin_object().member("effect", effect).member("tenant", request.tenant);
    json.member("caller", static_cast<int>(request.caller));
    json.member("content", request.content).member("query", request.query);
    if (turn.is_large) json.member("padding", std::string(kPassBodyMax, 'x'));
    SentAnswer answer;
    answer.status = turn.status;
    answer.body = json.end_object().take();
    answer.headers = {{"Content-Type", "application/json"},
                      {"ETag", std::to_string(effect)},
                      {std::string(kFromUpstream), "yes"},
                      {"Set-Cookie", "a=b"}};
    return answer;
}

SentAnswer UpstreamModel::refusal(int status) {
    return {status, {{std::string(kFromUpstream), "yes"}}, "{\"refused\":true}"};
}

}  // namespace semel::sim
