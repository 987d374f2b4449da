// ApiClient: one command's conversation with the API. What goes wrong is put into words here, so
// that a command only has to end with the exit code.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/caller.hpp"
#include "cli/session.hpp"
#include "core/json.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace semel::cli {

// The options that every command has which talks to the API.
struct CommonOptions {
    ConnectionOptions connection;
    bool as_json = false;
};

void add_common_options(CLI::App& command, CommonOptions& options);

// A document, or the exit code and what there is to say.
struct Answer {
    std::optional<json::Document> document = {};
    int exit_code = kOk;
    std::string complaint = {};  // as it stands on the standard error
    bool is_timeout = false;     // what was waited for has not come
    std::string claim_id = {};   // of the claim that is in the way, where the problem names one

    explicit operator bool() const { return document.has_value(); }
    [[nodiscard]] json::Value root() const { return document->root(); }
    [[nodiscard]] const std::string& text() const { return document->text(); }
};

class ApiClient {
public:
    ApiClient(Console& console, const CommonOptions& options)
        : console_(console), options_(options) {}

    // The first call connects. Whatever goes wrong is said.
    [[nodiscard]] Answer ask(const ApiCall& call);
    // The same, but says nothing: for who asks again.
    [[nodiscard]] Answer ask_quietly(const ApiCall& call);

    // For a body that is no JSON: it goes to `sink`. Answers the exit code; whatever goes wrong is
    // said.
    [[nodiscard]] int download(const ApiCall& call, const net::BodySink& sink);

    [[nodiscard]] const std::string& where() const { return factory_->where(); }

private:
    [[nodiscard]] static Answer failed(int exit_code, const std::string& message);
    // Nothing: connected.
    [[nodiscard]] std::optional<Answer> connect();
    [[nodiscard]] Answer unanswered(const Error& error) const;
    [[nodiscard]] Answer refused(const net::Response& response) const;

    Console& console_;
    const CommonOptions& options_;
    std::optional<CallerFactory> factory_;
    std::unique_ptr<Caller> caller_;
};

// Walks a list to its end, page by page. The exit code; what went wrong has been said.
[[nodiscard]] int for_each_item(ApiClient& client, const std::string& path,
                                const std::function<void(json::Value)>& see);

// Posts a body, under an Idempotency-Key where one is given, and shows the answer: as JSON, or by
// `print`. The exit code; what went wrong has been said.
[[nodiscard]] int post(Session& session, const CommonOptions& options, const std::string& path,
                       const Result<std::string>& body, const std::string& idempotency_key,
                       const std::function<void(Console&, json::Value)>& print);

// An answer as JSON. It may be deeper than any request: what was sent stands inside of more.
[[nodiscard]] json::ParseResult parse_answer(std::string text);

// What an error or a refusal means to a script. Arguments that are wrong are so whoever finds it.
[[nodiscard]] int exit_code_of(const Error& error);
[[nodiscard]] int exit_code_of(int status);

// The problem in words: code, detail, the member that is meant, where to read more.
[[nodiscard]] std::string describe_problem(const net::Response& response);

// Members of answers, as text for people; "" where absent or null.
[[nodiscard]] std::string text_at(json::Value object, std::string_view name);
// An action's attempts: "2", `of` and "3", or "2" alone where there may be any number.
[[nodiscard]] std::string attempts_of(json::Value action, std::string_view of);

}  // namespace semel::cli
