#include "sim/pass_clients.hpp"

#include "gateway/admission.hpp"
#include "gateway/forwarded_headers.hpp"

namespace semel::sim {
namespace {

constexpr Millis kPatience = std::chrono::seconds(40);  // before what has no answer is repeated
constexpr std::string_view kPath = "/messages";

gateway::RouteTable routes_of(const PassPlan& plan) {
    GatewayRoute route;
    route.name = "message";
    route.path = kPath;
    route.upstream = "http://upstream.test";
    route.timeout = plan.timeout;
    route.max_stored_body = kPassBodyMax;
    route.tenant = TenantRule{TenantRule::Kind::header, "x-tenant"};
    KeyRule& rule = route.idempotency_key.emplace();
    rule.ttl = plan.ttl;
    rule.wait = plan.wait;
    rule.releases_5xx = plan.releases_5xx;
    return *gateway::RouteTable::make({route});
}

// The whole answer, as a client reads it.
SentAnswer read(net::Response response) {
    SentAnswer answer{response.status, std::move(response.headers), std::move(response.body)};
    for (bool is_open = response.source != nullptr; is_open;) {
        response.source->read([&](Result<std::string_view> piece) {
            is_open = piece && !piece->empty();
            if (is_open) answer.body += *piece;
        });
    }
    return answer;
}

}  // namespace

PassClients::PassClients(Context& context, PassChecker& checker, UpstreamModel& upstream,
                         PassServer& server)
    : context_(context),
      checker_(checker),
      upstream_(upstream),
      server_(server),
      routes_(std::make_shared<const gateway::RouteTable>(routes_of(context.plan.passes))),
      ids_([&context] { return context.world.random().next(); }) {
    net::Request any;
    any.method = "POST";
    route_ = routes_->match(any, kPath).route;
}

void PassClients::start() {
    for (const PassRequestPlan& plan : context_.plan.passes.requests) {
        auto sender = std::make_shared<Sender>();
        sender->plan = &plan;
        ++open_;
        send_later(sender, plan.at);
    }
    for (const PassVisitPlan& plan : context_.plan.passes.visits) {
        ++open_;
        context_.world.after(kOutside, plan.at, [this, &plan] {
            --open_;
            visit(plan);
        });
    }
}

// ---- requests ---------------------------------------------------------------------------------

net::Request PassClients::request_of(const PassRequestPlan& plan) const {
    const PassCaller& caller = kPassCallers[plan.caller];
    net::Request request;
    request.method = "POST";
    request.path = kPath;
    request.query = plan.query == 0 ? "" : "again=1";
    request.headers = {{"Host", "gateway.test"},
                       {"Content-Type", "application/json"},
                       {"X-Tenant", plan.tenant},
                       {"Idempotency-Key", plan.key}};
    if (!caller.authorization.empty()) {
        request.headers.push_back({"Authorization", caller.authorization});
    }
    if (!caller.api_key.empty()) request.headers.push_back({"X-Api-Key", caller.api_key});
    request.body = fmt::format(R"({{"to":{}}})", plan.content);
    request.peer = "192.0.2.1:5555";
    return request;
}

AdmitPass PassClients::admission_of(const PassRequestPlan& plan) const {
    auto read = gateway::read_admission(request_of(plan), *route_, std::string(kPath));
    return *std::get<gateway::RequestClaims>(std::move(read)).admission;
}

void PassClients::send_later(const SenderPtr& sender, Micros delay) {
    context_.world.after(kOutside, delay, [this, sender] { send(sender); });
}

void PassClients::send(const SenderPtr& sender) {
    if (sender->sends == sender->plan->sends) {
        if (!std::exchange(sender->done, true)) --open_;
        return;
    }
    const bool hangs_up = sender->sends == 0 && sender->plan->hangs_up;
    const int number = ++sender->sends;
    context_.world.after(
        kOutside, context_.delay(context_.plan.network_delay), [this, sender, hangs_up] {
            if (PassProcess* process = server_.process()) {
                context_.world.post(process->number(), [this, process, sender, hangs_up] {
                    receive(*process, sender, hangs_up);
                });
            }
        });
    const PassPlan& plan = context_.plan.passes;
    context_.world.after(kOutside, plan.timeout + plan.wait + kPatience, [this, sender, number] {
        if (sender->sends == number && sender->told < number) hear(sender);  // no answer came
    });
}

void PassClients::receive(PassProcess& process, const SenderPtr& sender, bool hangs_up) {
    Node& node = process.node();
    gateway::PassOrder order;
    order.admission = admission_of(*sender->plan);
    order.routes = routes_;
    order.route = route_;
    order.headers = [this,
                     request = request_of(*sender->plan)](const gateway::PassHeaders& headers) {
        return gateway::upstream_headers(request, *route_, {}, &headers);
    };
    const Uuid effect = ids_.next(node.store().now());
    const int ask =
        checker_.asked(*sender->plan, order.admission.request.key->claim, effect, process.number());
    const int number = sender->sends;
    const auto run = std::make_shared<gateway::PassRun>(
        node, std::move(order), upstream_.call(process.number(), ask, *sender->plan),
        [this, sender, ask, number](net::Response response) {
            checker_.answered(ask, read(std::move(response)));
            if (context_.strikes(Fault::reply_lost)) {
                return;
            }
            context_.world.after(kOutside, context_.delay(context_.plan.network_delay),
                                 [this, sender, number] {
                                     if (sender->sends == number && sender->told < number) {
                                         hear(sender);
                                     }
                                 });
        });
    if (hangs_up) hang_up_later(process, sender, ask, run);
    run->start(effect);
}

void PassClients::hang_up_later(PassProcess& process, const SenderPtr& sender, int ask,
                                const std::shared_ptr<gateway::PassRun>& run) {
    context_.world.after(process.number(), *sender->plan->hangs_up,
                         [this, ask, weak = std::weak_ptr(run)] {
                             if (const auto pass = weak.lock()) {
                                 checker_.hung_up(ask);
                                 pass->on_client_gone();
                             }
                         });
}

void PassClients::hear(const SenderPtr& sender) {
    sender->told = sender->sends;
    send_later(sender, sender->plan->pause);
}

// ---- operators --------------------------------------------------------------------------------

void PassClients::visit(const PassVisitPlan& visit) {
    PassProcess* process = server_.process();
    if (process == nullptr) {
        return;
    }
    const ClaimId claim =
        admission_of(context_.plan.passes.requests[visit.request]).request.key->claim;
    context_.world.post(process->number(), [this, process, &visit, claim] {
        checker_.visited(claim, visit);
        visit.what == PassVisit::remove ? remove(process->node(), visit, claim)
                                        : resolve(process->node(), visit, claim);
    });
}

void PassClients::resolve(Node& node, const PassVisitPlan& visit, const ClaimId& claim) {
    ResolveClaim command;
    command.tenant = context_.plan.passes.requests[visit.request].tenant;
    command.claim = claim;
    command.outcome =
        visit.what == PassVisit::resolve_sealed ? ClaimOutcome::sealed : ClaimOutcome::released;
    if (visit.has_answer && visit.what == PassVisit::resolve_sealed) {
        command.answer = FoundAnswer{.status = kFoundStatus,
                                     .body = std::make_shared<const std::string>(kFoundBody)};
    }
    command.reason = "found out";
    node.submit<ResolveClaim>(command, [](const Result<Reply<ResolveClaim>>&) {});
}

void PassClients::remove(Node& node, const PassVisitPlan& visit, const ClaimId& claim) {
    DeleteClaim command;
    command.tenant = context_.plan.passes.requests[visit.request].tenant;
    command.claim = claim;
    command.reason = "to be sent again";
    node.submit<DeleteClaim>(command, [](const Result<Reply<DeleteClaim>>&) {});
}

}  // namespace semel::sim
