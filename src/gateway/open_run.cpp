#include "gateway/open_run.hpp"

#include <utility>

#include "gateway/answers.hpp"
#include "gateway/forwarded_headers.hpp"
#include "gateway/joined_body.hpp"

namespace semel::gateway {

namespace {

// Only requests with a method that may change something have claims that can be left out.
constexpr std::string_view kUnsafeMethod = "POST";

net::Response answer_of(std::variant<UpstreamAnswer, UpstreamFailure> result, const Route& route) {
    if (const auto* failure = std::get_if<UpstreamFailure>(&result)) {
        if (failure->what == net::CallResult::not_sent) return not_sent(failure->why);
        return no_answer(kUnsafeMethod, failure->why, failure->what == net::CallResult::timed_out);
    }
    auto& answer = std::get<UpstreamAnswer>(result);
    net::Response response;
    response.status = answer.status;
    response.headers = client_headers(answer.headers, route.upstream);
    if (answer.rest) {
        response.source = join_body(std::move(answer.body), std::move(answer.rest));
    } else {
        response.body = std::move(answer.body);
    }
    return response;
}

}  // namespace

void forward_open(const std::shared_ptr<PassUpstream>& upstream, OpenRequest request,
                  net::Responder respond) {
    const auto kept = std::make_shared<OpenRequest>(std::move(request));
    upstream->reserve([upstream, kept, respond = std::move(respond)](const Result<void>& result) {
        if (!result) return respond(not_sent(result.error().message()));
        upstream->send(std::move(kept->headers), PassUpstream::Clock::time_point::max(),
                       [kept, respond](std::variant<UpstreamAnswer, UpstreamFailure> answered) {
                           respond(answer_of(std::move(answered), *kept->route));
                       });
    });
}

}  // namespace semel::gateway
