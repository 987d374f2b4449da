#include "cli/api_client.hpp"

#include "base/url_parts.hpp"

namespace semel::cli {

int post(Session& session, const CommonOptions& options, const std::string& path,
         const Result<std::string>& body, const std::string& idempotency_key,
         const std::function<void(Console&, json::Value)>& print) {
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiCall call;
    call.method = "POST";
    call.target = path;
    call.body = *body;
    if (!idempotency_key.empty()) {
        call.headers.push_back({"Idempotency-Key", idempotency_key});
    }
    ApiClient client(session.console, options);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    if (options.as_json) {
        session.console.out() << answer.text() << "\n";
    } else {
        print(session.console, answer.root());
    }
    return kOk;
}

int for_each_item(ApiClient& client, const std::string& path,
                  const std::function<void(json::Value)>& see) {
    std::string cursor;
    do {
        ApiCall call;
        call.target =
            path + "?limit=500" + (cursor.empty() ? "" : "&cursor=" + percent_encode(cursor));
        const Answer answer = client.ask(call);
        if (!answer) {
            return answer.exit_code;
        }
        if (const auto items = answer.root().find("items"); items && items->is_array()) {
            for (const json::Value item : items->elements()) {
                see(item);
            }
        }
        cursor = text_at(answer.root(), "nextCursor");
    } while (!cursor.empty());
    return kOk;
}

json::ParseResult parse_answer(std::string text) {
    return json::Document::parse(std::move(text),
                                 {.depth_max = json::kDepthMax, .numbers = json::Numbers::any});
}

int exit_code_of(const Error& error) {
    return error.code() == ErrorCode::invalid ? kUsage : kUnavailable;
}

int exit_code_of(int status) {
    if (status == 404) return kNotFound;
    if (status == 409 || status == 422) return kConflict;  // the second where a policy says so
    const bool is_of_arguments = status == 400 || status == 413 || status == 414 || status == 431;
    if (is_of_arguments) return kUsage;  // not understood, or larger than anything may be
    return status >= 500 ? kUnavailable : kRefused;
}

namespace {

constexpr std::size_t kDependantsShown = 20;

std::string dependants_of(json::Value problem) {
    const auto dependants = problem.find("dependants");
    if (!dependants || !dependants->is_array()) {
        return "";
    }
    std::string text = "\n  dependants:";
    std::size_t shown = 0;
    for (const json::Value id : dependants->elements()) {
        if (shown++ == kDependantsShown) {
            return text + "\n    and " + std::to_string(dependants->size() - kDependantsShown) +
                   " more";
        }
        text += "\n    " + std::string(id.is_string() ? id.as_string() : id.raw());
    }
    return text;
}

}  // namespace

std::string describe_problem(const net::Response& response) {
    const std::string status = std::to_string(response.status);
    const auto parsed = parse_answer(response.body);
    if (!parsed || !parsed->root().is_object()) {
        return status + " " + std::string(net::reason_phrase(response.status)) + ": " +
               printable(response.body.substr(0, 500));
    }
    const json::Value problem = parsed->root();
    std::string text = text_at(problem, "code");
    text = (text.empty() ? status : text) + ": " + text_at(problem, "detail");
    const std::string pointer = text_at(problem, "pointer");
    if (!pointer.empty()) {
        text += " (at " + pointer + ")";
    }
    for (const char* name : {"existingId", "state", "diff"}) {
        const auto member = problem.find(name);
        if (member && !member->is_null()) {
            text += std::string("\n  ") + name + ": " + text_at(problem, name);
        }
    }
    text += dependants_of(problem);
    return printable_lines(text);
}

std::string text_at(json::Value object, std::string_view name) {
    const auto member = object.find(name);
    if (!member || member->is_null()) {
        return "";
    }
    return std::string(member->is_string() ? member->as_string() : member->raw());
}

std::string attempts_of(json::Value action, std::string_view of) {
    const std::string most = text_at(action, "maxRetries");
    return text_at(action, "attempts") + (most.empty() ? "" : std::string(of) + most);
}

Answer ApiClient::ask(const ApiCall& call) {
    Answer answer = ask_quietly(call);
    console_.err() << answer.complaint << std::flush;
    return answer;
}

Answer ApiClient::ask_quietly(const ApiCall& call) {
    if (auto unconnected = connect()) {
        return *std::move(unconnected);
    }
    const auto response = caller_->call(call);
    if (!response) {
        return unanswered(response.error());
    }
    if (response->status >= 300) {
        return refused(*response);
    }
    auto parsed = parse_answer(response->body.empty() ? "null" : response->body);
    if (!parsed) {
        return failed(kUnavailable,
                      where() + " gave an answer that is not JSON: " + parsed.error().message);
    }
    return {.document = *std::move(parsed)};
}

int ApiClient::download(const ApiCall& call, const net::BodySink& sink) {
    std::optional<Answer> ended = connect();
    std::optional<Error> not_taken;
    if (!ended) {
        const auto response =
            caller_->download(call, [&](std::string_view piece, std::optional<std::uint64_t> size) {
                auto taken = sink(piece, size);
                if (!taken) not_taken = taken.error();
                return taken;
            });
        if (not_taken) {
            ended = failed(kUnavailable, not_taken->message());
        } else if (!response) {
            ended = unanswered(response.error());
        } else if (response->status >= 300) {
            ended = refused(*response);
        }
    }
    if (!ended) {
        return kOk;
    }
    console_.err() << ended->complaint << std::flush;
    return ended->exit_code;
}

std::optional<Answer> ApiClient::connect() {
    if (factory_) {
        return std::nullopt;
    }
    auto opened = CallerFactory::open(options_.connection);
    if (!opened) {
        return failed(exit_code_of(opened.error()), opened.error().message());
    }
    factory_ = *std::move(opened);
    caller_ = factory_->make();
    return std::nullopt;
}

Answer ApiClient::unanswered(const Error& error) const {
    if (error.code() == ErrorCode::invalid) {  // it was never sent
        return failed(kUsage, error.message());
    }
    return failed(
        kUnavailable,
        "no answer from " + where() + ": " + error.message() +
            (options_.connection.store.empty() ? "\nsemel: is `semel serve` running?" : ""));
}

Answer ApiClient::refused(const net::Response& response) const {
    Answer answer = failed(exit_code_of(response.status), describe_problem(response));
    answer.is_timeout = response.status == 408;
    if (const auto problem = parse_answer(response.body); problem && problem->root().is_object()) {
        answer.claim_id = text_at(problem->root(), "claimId");
    }
    if (options_.as_json) {
        answer.complaint = response.body + "\n";
    }
    return answer;
}

Answer ApiClient::failed(int exit_code, const std::string& message) {
    return {.exit_code = exit_code, .complaint = Console::complaint(message)};
}

}  // namespace semel::cli
