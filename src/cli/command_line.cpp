// The tree of commands, and the errors for arguments that do not fit it.
#include <algorithm>
#include <csignal>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/session.hpp"
#include "cli/version.hpp"

namespace semel::cli {

namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  semel demo                                        see what the gateway does\n"
    "  semel serve                                       run the server on 127.0.0.1:7363\n"
    "  semel schedule email:send --payload '{\"to\":\"a\"}'  make an action\n"
    "  semel work --type email:send --exec ./send.sh     let a program do the work\n"
    "  semel why ID                                      why is this not running?\n"
    "  semel fence claim invoice-17                      may I do this, once?\n"
    "  semel explain invoice-17                          who has this key, and why?\n"
    "\n`semel COMMAND --help` says more. Exit codes: 0 done, 1 refused, 2 usage or configuration,\n"
    "3 no server or store, 4 not found, 5 conflict, 6 nothing to do.";

void add_commands(CLI::App& root, Session& session) {
    root.set_version_flag("--version", std::string("semel ") + kVersion);
    root.footer(kFooter);
    root.require_subcommand(0, 1);
    add_serve(root, session);
    add_gateway(root, session);
    add_demo(root, session);
    add_schedule(root, session);
    add_actions(root, session);
    add_chains(root, session);
    add_schedules(root, session);
    add_fence(root, session);
    add_work(root, session);
    add_why(root, session);
    add_claims(root, session);
    add_explain(root, session);
    add_decisions(root, session);
    add_check(root, session);
    add_token(root, session);
    add_bench(root, session);
    add_backup(root, session);
    add_restore(root, session);
    add_migrate(root, session);
    add_doctor(root, session);
    add_version(root, session);
    add_completion(root, session);
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (!option->get_group().empty()) {
                names.push_back("--" + name);
            }
        }
    }
    return names;
}

// Returns the part of an error that suggests the nearest candidate, or "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
    const auto near = nearest(word, candidates);
    return near ? "; did you mean `" + *near + "`?" : "";
}

// Returns the command that the arguments name, or sets the error about an unknown word.
const CLI::App* find_command(const CLI::App& root, const std::vector<std::string>& words,
                             std::string& complaint) {
    const CLI::App* at = &root;
    for (const std::string& word : words) {
        const std::vector<std::string> names = command_names(*at);
        if (word.starts_with("-") || names.empty()) {
            return at;
        }
        if (std::find(names.begin(), names.end(), word) == names.end()) {
            const std::string path = at == &root ? "semel" : "semel " + at->get_name();
            complaint =
                fmt::format("`{0}` is not a command of {1}{2}\nsemel: `{1} --help` lists them",
                            word, path, did_you_mean(word, names));
            return nullptr;
        }
        at = at->get_subcommand(word);
    }
    return at;
}

std::string path_to(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? "semel" : path_to(*parent) + " " + command.get_name();
}

// Returns the path of the parent commands, or "" for the root.
std::string path_above(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? "" : path_to(*parent);
}

// Returns true if one of the words looks like an option that the command does not have.
bool has_unknown_option(const std::vector<std::string>& words, const CLI::App& command) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word.size() > 1 && word.starts_with("-") &&
               command.get_option_no_throw(word.substr(0, word.find('='))) == nullptr;
    });
}

// Returns CLI11's error as one line.
std::string complaint_of(const CLI::ParseError& failure, const CLI::App& command,
                         const std::vector<std::string>& words) {
    std::string what = failure.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    const bool is_missing =
        failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
    if (is_missing && has_unknown_option(words, command)) {
        what += "; one that begins with `-` stands behind `--`, which ends the options";
    }
    return what + "\nsemel: `" + path_to(command) + " --help` shows how it is used";
}

int check_extras(const CLI::App& command, Console& console) {
    std::vector<std::string> extras = command.remaining();
    if (const auto mark = std::find(extras.begin(), extras.end(), "--"); mark != extras.end()) {
        extras.erase(mark);  // the end of the options
    }
    for (const std::string& word : extras) {
        const std::string name = word.substr(0, word.find('='));
        console.complain("`" + word + "` is not an argument of " + path_to(command) +
                         did_you_mean(name, option_names(command)) + "\nsemel: `" +
                         path_to(command) + " --help` shows how it is used");
        return kUsage;
    }
    return kOk;
}

// Refuses empty values: they are typing errors or unset variables. No JSON, path, address or name
// is empty.
int check_values(const CLI::App& command, Console& console) {
    for (const CLI::Option* option : command.get_options()) {
        const auto& values = option->results();
        if (std::find(values.begin(), values.end(), "") != values.end()) {
            console.complain(option->get_name() + " is empty: give it a value" +
                             (option->get_required() ? "" : ", or leave it out") + "\nsemel: `" +
                             path_to(command) + " --help` shows how it is used");
            return kUsage;
        }
    }
    return kOk;
}

// Refuses --store together with an option for a server. Variables for a server are ignored, because
// they are for other calls.
int check_store_alone(const CLI::App& command, const std::vector<std::string>& words,
                      Console& console) {
    const CLI::Option* store = command.get_option_no_throw("--store");
    if (store == nullptr || store->count() == 0) {
        return kOk;
    }
    const auto end = std::find(words.begin(), words.end(), "--");  // of the options
    for (const std::string name : {"--url", "--token", "--ca"}) {
        const bool is_given = std::any_of(words.begin(), end, [&](const auto& word) {
            return word == name || word.starts_with(name + "=");
        });
        if (is_given) {
            console.complain(name +
                             " is for a server, and --store asks none: leave one of them out");
            return kUsage;
        }
    }
    return kOk;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, Console& console) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error, not the end
    std::signal(SIGXFSZ, SIG_IGN);  // a file over its size limit is an error, like a full disk
    CLI::App root("Semel makes every business effect happen once.", "semel");
    Session session{console};
    add_commands(root, session);
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::string complaint;
    const CLI::App* command = find_command(root, words, complaint);
    if (command == nullptr) {
        console.complain(complaint);
        return kUsage;
    }
    try {
        root.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
        return root.exit(asked, console.out(), console.err());
    } catch (const CLI::ParseError& failure) {
        console.complain(complaint_of(failure, *command, words));
        return kUsage;
    }
    if (check_extras(*command, console) != kOk || check_values(*command, console) != kOk ||
        check_store_alone(*command, words, console) != kOk) {
        return kUsage;
    }
    if (!session.run) {  // no command, or a command without its subcommand
        (words.empty() ? console.out() : console.err())
            << command->help(path_above(*command)) << std::flush;
        return words.empty() ? kOk : kUsage;
    }
    const int code = session.run();
    console.out().flush();
    return code;
}

}  // namespace semel::cli
