// ApiClient: sends a command's requests to the API of a server or, with --store, of a node in this
// process. Prints each error as a message, and returns the command's exit code.
//
// Threads: one. Every call blocks.
// Lifetime: console and options must outlive the client.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/caller.hpp"
#include "cli/session.hpp"
#include "core/json/json.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace semel::cli {

// The options of every command that calls the API.
struct CommonOptions {
    ConnectionOptions connection;
    bool as_json = false;
};

// Adds these options to `command`, which keeps references to `options`.
void add_common_options(CLI::App& command, CommonOptions& options);

// The answer's JSON, or the exit code and the message.
struct Answer {
    std::optional<json::Document> document = {};
    int exit_code = kOk;
    std::string complaint = {};  // the message, as standard error shows it
    bool is_timeout = false;     // a 408: the wait passed its deadline
    std::string claim_id = {};   // the claim that the problem names, if it names one

    explicit operator bool() const { return document.has_value(); }
    [[nodiscard]] json::Value root() const { return document->root(); }
    [[nodiscard]] const std::string& text() const { return document->text(); }
};

class ApiClient {
public:
    ApiClient(Console& console, const CommonOptions& options)
        : console_(console), options_(options) {}

    // Sends a request. An error is printed to standard error. The first call connects.
    [[nodiscard]] Answer ask(const ApiCall& call);
    // Sends a request, and leaves the message to the caller, for requests that are repeated.
    [[nodiscard]] Answer ask_quietly(const ApiCall& call);

    // Sends a request whose answer is not JSON: `sink` receives its body. Returns the exit code. An
    // error is printed.
    [[nodiscard]] int download(const ApiCall& call, const net::BodySink& sink);

    // Returns the server's URL or the store's path. REQUIRES: a call has connected.
    [[nodiscard]] const std::string& where() const { return factory_->where(); }

private:
    [[nodiscard]] static Answer failed(int exit_code, const std::string& message);
    // Connects if needed. Returns nullopt on success.
    [[nodiscard]] std::optional<Answer> connect();
    [[nodiscard]] Answer unanswered(const Error& error) const;
    [[nodiscard]] Answer refused(const net::Response& response) const;

    Console& console_;
    const CommonOptions& options_;
    std::optional<CallerFactory> factory_;
    std::unique_ptr<Caller> caller_;
};

// Calls `see` for each item of a list, page by page to its end. Returns the exit code. An error is
// printed.
[[nodiscard]] int for_each_item(ApiClient& client, const std::string& path,
                                const std::function<void(json::Value)>& see);

// Posts a body, and prints the answer as JSON or with `print`. An empty `idempotency_key` sends
// none. Returns the exit code. An error, also that of `body`, is printed.
[[nodiscard]] int post(Session& session, const CommonOptions& options, const std::string& path,
                       const Result<std::string>& body, const std::string& idempotency_key,
                       const std::function<void(Console&, json::Value)>& print);

// Parses an answer. It can be deeper than any request, because it contains the request's content.
[[nodiscard]] json::ParseResult parse_answer(std::string text);

// Return the exit code for an error or an HTTP status. Wrong arguments give kUsage, whether this
// program or the server finds them.
[[nodiscard]] int exit_code_of(const Error& error);
[[nodiscard]] int exit_code_of(int status);

// Returns the problem of an answer as text: code, detail, pointer, and the ids and diff that it
// has.
[[nodiscard]] std::string describe_problem(const net::Response& response);

// Returns a member of an answer as text for people, or "" if it is absent or null.
[[nodiscard]] std::string text_at(json::Value object, std::string_view name);
// Returns an action's attempts, `of` and its maximum, like "2 of 3"; without a maximum "2" alone.
[[nodiscard]] std::string attempts_of(json::Value action, std::string_view of);

}  // namespace semel::cli
