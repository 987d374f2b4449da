#include "engine/body_reads.hpp"

#include <optional>
#include <utility>

#include "engine/on_executor.hpp"

namespace semel {

void BodyReads::read(const Uuid& response, Callback done) {
    std::vector<Callback>& callers = callers_[response];
    callers.push_back(std::move(done));
    if (callers.size() > 1) {
        return;
    }
    using Found = std::optional<std::string>;
    store_.reads().get_response(
        response, on_executor<Found>(env_, is_alive_, [this, response](Result<Found> found) {
            if (!found) {
                answer(response, found.error());
                return;
            }
            Body body;
            if (*found) {
                body = std::make_shared<const std::string>(std::move(**found));
            }
            answer(response, std::move(body));
        }));
}

void BodyReads::answer(const Uuid& response, const Result<Body>& body) {
    const auto callers = callers_.extract(response);
    for (const Callback& done : callers.mapped()) done(body);
}

}  // namespace semel
