// semel actions tail: one line for each change, until it is interrupted.
#include <algorithm>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/actions.hpp"
#include "cli/signals.hpp"

namespace semel::cli {

namespace {

constexpr Millis kEvery = std::chrono::seconds(1);  // polite: two small requests a second
constexpr std::size_t kPage = 200;
constexpr std::size_t kLookUpsMax = 20;    // of actions that left the page, a round
constexpr std::size_t kKnownMax = 10'000;  // then the oldest are forgotten

struct TailOptions {
    CommonOptions common;
    std::string type;
    int lines = 10;
};

class Tail {
public:
    Tail(Session& session, const TailOptions& options)
        : console_(session.console), options_(options), client_(console_, options.common) {}

    int run() {
        Signals signals;
        bool is_first = true;
        do {
            const int code = look(is_first);
            if (code != kOk) {
                return code;
            }
            is_first = false;
            console_.out().flush();
        } while (!signals.wait(kEvery) && console_.out().good());
        return kOk;
    }

private:
    // What of an action makes a change worth a line.
    struct Seen {
        std::string state;  // status, attempts and time of the last change
        bool is_running = false;
    };

    int look(bool is_first) {
        std::vector<std::string> lines;
        std::map<std::string, bool> met;
        for (const char* filter : {"&status=running", ""}) {
            ApiCall call;
            call.target = "/v1/actions?limit=" + std::to_string(kPage) + filter;
            if (!options_.type.empty()) {
                call.target += "&type=" + escape(options_.type);
            }
            const Answer answer = client_.ask(call);
            if (!answer) {
                return answer.exit_code;
            }
            if (const auto items = answer.root().find("items"); items && items->is_array()) {
                for (const json::Value item : items->elements()) {
                    met[text_at(item, "id")] = true;
                    note(item, lines);
                }
            }
        }
        look_up_gone(met, lines);
        std::sort(lines.begin(), lines.end());  // each begins with the time of its change
        const std::size_t skip =
            is_first ? lines.size() - std::min(lines.size(), std::size_t(options_.lines)) : 0;
        for (std::size_t i = skip; i < lines.size(); ++i) {
            console_.out() << lines[i].substr(lines[i].find('\x1f') + 1) << "\n";
        }
        while (seen_.size() > kKnownMax) {
            seen_.erase(seen_.begin());  // ids grow with time
        }
        return kOk;
    }

    void note(json::Value action, std::vector<std::string>& lines) {
        Seen now;
        now.state =
            text_at(action, "status") + text_at(action, "attempts") + text_at(action, "updatedAt");
        now.is_running = text_at(action, "status") == "running";
        Seen& before = seen_[text_at(action, "id")];
        if (before.state != now.state) {
            before = now;
            lines.push_back(text_at(action, "updatedAt") + "\x1f" + line_of(action));
        }
    }

    // A running action that is on neither page any more has ended.
    void look_up_gone(const std::map<std::string, bool>& met, std::vector<std::string>& lines) {
        std::size_t looked_up = 0;
        for (auto& [id, seen] : seen_) {
            if (!seen.is_running || met.contains(id) || looked_up == kLookUpsMax) {
                continue;
            }
            ++looked_up;
            ApiCall call;
            call.target = "/v1/actions/" + escape(id);
            const Answer answer = client_.ask(call);
            seen.is_running = false;
            if (answer) {
                note(answer.root(), lines);
            }
        }
    }

    [[nodiscard]] std::string line_of(json::Value action) const {
        if (options_.common.as_json) {
            return std::string(action.raw());
        }
        std::string line = text_at(action, "updatedAt") + "  " + text_at(action, "id") + "  " +
                           console_.status(text_at(action, "status"), 10) + "  " +
                           printable(text_at(action, "type"));
        const std::string attempts = text_at(action, "attempts");
        if (attempts != "0") {
            line += "  attempt " + attempts + "/" + text_at(action, "maxRetries");
        }
        std::string error = text_at(action, "errorMessage");
        if (!error.empty()) {
            line += "  " + printable(error.substr(0, error.find('\n')));
        }
        return line;
    }

    Console& console_;
    const TailOptions& options_;
    ApiClient client_;
    std::map<std::string, Seen> seen_;
};

}  // namespace

void add_action_tail(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("tail", "Follow actions as they change");
    command->footer("\nExample:\n  semel actions tail --type email:send\n");
    auto options = std::make_shared<TailOptions>();
    command->add_option("--type", options->type, "Only this type")->type_name("TYPE");
    command->add_option("--lines", options->lines, "How many past changes to begin with")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return Tail(session, *options).run(); };
    });
}

}  // namespace semel::cli
