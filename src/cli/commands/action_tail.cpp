// semel actions tail: one line for each change, until it is interrupted.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/commands/actions.hpp"
#include "cli/signals.hpp"
#include "cli/whole_number.hpp"

namespace semel::cli {

namespace {

constexpr Millis kEvery = std::chrono::seconds(1);  // polite: two small requests a second
constexpr std::size_t kTailPage = 200;
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

    // A server that is unavailable at the start is an error. Later the command waits for it.
    int run() {
        Signals signals;
        bool is_first = true;
        do {
            const Answer failure = poll(is_first);
            print();  // also the lines found before the failure
            if (failure.exit_code == kUnavailable && !is_first) {
                note_reachable(false, failure.complaint);
                continue;
            }
            if (failure.exit_code != kOk) {
                console_.err() << failure.complaint << std::flush;
                return failure.exit_code;
            }
            note_reachable(true, "");
            is_first = false;
        } while (!signals.wait(kEvery) && console_.out().good());
        return kOk;
    }

private:
    // The state of an action, of which each change prints a line.
    struct Seen {
        std::string state;  // status, attempts and time of the last change
        bool is_running = false;
    };

    // Records the changes since the last poll. Returns the failed answer, if there is one.
    Answer poll(bool is_first) {
        met_.clear();
        Answer failure = read_page("&status=running", "");
        if (failure.exit_code == kOk) {
            failure = read_new(is_first);
        }
        if (failure.exit_code == kOk) {
            failure = look_up_gone();
        }
        std::sort(lines_.begin(), lines_.end());  // each begins with the time of its change
        if (is_first && lines_.size() > static_cast<std::size_t>(options_.lines)) {
            lines_.erase(lines_.begin(), lines_.end() - options_.lines);
        }
        // Forgets the oldest first, because ids grow with time, except actions that the next poll
        // finds again.
        for (auto at = seen_.begin(); at != seen_.end() && seen_.size() > kKnownMax;) {
            at = met_.contains(at->first) ? std::next(at) : seen_.erase(at);
        }
        return failure;
    }

    // Reads pages from the newest action down to the last known one.
    Answer read_new(bool is_first) {
        const std::string known = newest_;
        std::string cursor;
        do {
            Answer answer = read_page("", cursor);
            if (answer.exit_code != kOk) {
                newest_ = known;  // the next poll reads the gap again
                return answer;
            }
            cursor = text_at(answer.root(), "nextCursor");
        } while (!is_first && !cursor.empty() && oldest_read_ > known);
        return {};
    }

    Answer read_page(const std::string& filter, const std::string& cursor) {
        ApiCall call;
        call.target = "/v1/actions?limit=" + std::to_string(kTailPage) + filter;
        if (!options_.type.empty()) {
            call.target += "&type=" + percent_encode(options_.type);
        }
        if (!cursor.empty()) {
            call.target += "&cursor=" + percent_encode(cursor);
        }
        Answer answer = client_.ask_quietly(call);
        if (!answer) {
            return answer;
        }
        if (const auto items = answer.root().find("items"); items && items->is_array()) {
            for (const json::Value item : items->elements()) {
                oldest_read_ = text_at(item, "id");
                met_.insert(oldest_read_);
                if (filter.empty()) {
                    newest_ = std::max(newest_, oldest_read_);
                }
                note(item);
            }
        }
        return answer;
    }

    void note(json::Value action) {
        Seen now;
        now.state =
            text_at(action, "status") + text_at(action, "attempts") + text_at(action, "updatedAt");
        now.is_running = text_at(action, "status") == "running";
        Seen& before = seen_[text_at(action, "id")];
        if (before.state != now.state) {
            before = now;
            lines_.push_back(text_at(action, "updatedAt") + "\x1f" + line_of(action));
        }
    }

    // Looks up running actions that are on no page: they have ended.
    Answer look_up_gone() {
        std::size_t looked_up = 0;
        for (auto& [id, seen] : seen_) {
            if (!seen.is_running || met_.contains(id) || looked_up == kLookUpsMax) {
                continue;
            }
            ++looked_up;
            ApiCall call;
            call.target = "/v1/actions/" + percent_encode(id);
            Answer answer = client_.ask_quietly(call);
            if (answer) {
                note(answer.root());
            } else if (answer.exit_code != kNotFound) {
                return answer;
            }
            seen.is_running = false;
        }
        return {};
    }

    void print() {
        for (const std::string& line : lines_) {
            console_.out() << line.substr(line.find('\x1f') + 1) << "\n";
        }
        lines_.clear();
        console_.out().flush();
    }

    // Prints once that the server does not answer, and once that it answers again.
    void note_reachable(bool is_reachable, const std::string& complaint) {
        if (is_reachable == is_reachable_) {
            return;
        }
        is_reachable_ = is_reachable;
        if (is_reachable) {
            console_.complain("reached " + client_.where() + " again");
        } else {
            console_.err() << complaint;
            console_.complain("trying again until it answers; Ctrl-C ends this");
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
            line += "  attempt " + attempts_of(action, "/");
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
    bool is_reachable_ = true;
    std::map<std::string, Seen> seen_;
    std::string newest_;         // id that has been listed
    std::string oldest_read_;    // id on the page that was read last
    std::set<std::string> met_;  // ids of this round
    std::vector<std::string>
        lines_;  // found and not yet printed; each after the time of its change
};

}  // namespace

void add_action_tail(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("tail", "Follow actions as they change");
    command->footer("\nExample:\n  semel actions tail --type email:send\n");
    auto options = std::make_shared<TailOptions>();
    command->add_option("--type", options->type, "Only this type")->type_name("TYPE");
    command->add_option("--lines", options->lines, "How many past changes to begin with")
        ->type_name("N")
        ->check(whole_number(0, static_cast<int>(kTailPage)))
        ->capture_default_str();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return Tail(session, *options).run(); };
    });
}

}  // namespace semel::cli
