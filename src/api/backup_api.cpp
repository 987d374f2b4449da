// A copy of the store, only for callers with `admin`, because it has the rows of all tenants.
#include <atomic>

#include <fmt/format.h>

#include "api/resources.hpp"
#include "net/file_source.hpp"

namespace semel {
namespace {

// The detail has the store's error text, because the callers of this route are operators.
Problem copy_problem(const Error& error) {
    switch (error.code()) {
        case ErrorCode::overloaded:
        case ErrorCode::stopped: return to_problem(error);
        case ErrorCode::refused:
            return {.code = ProblemCode::wrong_state, .detail = error.message()};
        default: {
            Problem problem = to_problem(error);
            problem.detail = "the store could not be copied: " + error.message();
            return problem;
        }
    }
}

// "semel-20300131T080000Z.db"
std::string file_name(Time now) {
    std::string time = format_rfc3339(now);
    std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
    return fmt::format("semel-{}Z.db", time.substr(0, time.find('.')));
}

net::Response copy_response(OpenFile copy, Time now) {
    net::Response response;
    response.headers.push_back({"Content-Type", "application/vnd.sqlite3"});
    response.headers.push_back(
        {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", file_name(now))});
    response.source = net::make_file_source(std::make_shared<const OpenFile>(std::move(copy)));
    return response;
}

}  // namespace

void back_up(Call&& call) {
    const auto is_gone = std::make_shared<std::atomic<bool>>(false);
    if (call.request.when_gone) {
        call.request.when_gone([is_gone] { *is_gone = true; });
    }
    Store& store = call.services->node.store();
    store.copy([is_gone] { return !*is_gone; },
               [answer = call.answer, now = store.now()](Result<OpenFile> copied) {
                   if (copied) {
                       answer.send(copy_response(*std::move(copied), now));
                   } else {
                       answer.problem(copy_problem(copied.error()));
                   }
               });
}

}  // namespace semel
