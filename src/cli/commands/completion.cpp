// semel completion bash | zsh | fish: generated from the tree of commands, so that it is always
// complete.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/session.hpp"

namespace semel::cli {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) {
            continue;  // hidden
        }
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

// Returns all words that can follow a command: its subcommands, then its options.
std::string words_after(const CLI::App& app) {
    std::string words;
    for (const CLI::App* command : commands_of(app)) {
        words += command->get_name() + " ";
    }
    for (const std::string& option : options_of(app)) {
        words += option + " ";
    }
    words.pop_back();  // there is always --help
    return words;
}

// Calls `see` with the path ("actions list") of each command, from the root down.
void walk(const CLI::App& app, const std::string& path,
          const std::function<void(const std::string&, const CLI::App&)>& visit) {
    visit(path, app);
    for (const CLI::App* command : commands_of(app)) {
        walk(*command, path.empty() ? command->get_name() : path + " " + command->get_name(),
             visit);
    }
}

// Returns the cases of bash and zsh: the longest path in the words decides which words can follow.
std::string cases(const CLI::App& root) {
    std::string out;
    walk(root, "", [&out](const std::string& path, const CLI::App& app) {
        out += "        '" + path + "') words='" + words_after(app) + "' ;;\n";
    });
    return out;
}

std::string path_patterns(const CLI::App& root) {
    std::string out;
    walk(root, "", [&out](const std::string& path, const CLI::App&) {
        if (!path.empty()) {
            out += (out.empty() ? "'" : "|'") + path + "'";
        }
    });
    return out;
}

std::string bash_script(const CLI::App& root) {
    return "# semel's completion for bash: source <(semel completion bash)\n"
           "_semel() {\n"
           "    local path='' word words i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        word=${path:+$path }${COMP_WORDS[i]}\n"
           "        case $word in\n"
           "        " +
           path_patterns(root) +
           ") path=$word ;;\n"
           "        esac\n"
           "    done\n"
           "    case $path in\n" +
           cases(root) +
           "    esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
           "}\n"
           "complete -o default -F _semel semel\n";
}

std::string zsh_script(const CLI::App& root) {
    return "#compdef semel\n"
           "# semel's completion for zsh: source <(semel completion zsh)\n"
           "_semel() {\n"
           "    local spelt='' word words_after=() i\n"
           "    local words_here\n"
           "    for ((i = 2; i < CURRENT; i++)); do\n"
           "        word=${spelt:+$spelt }${words[i]}\n"
           "        case $word in\n"
           "        (" +
           path_patterns(root) +
           ") spelt=$word ;;\n"
           "        esac\n"
           "    done\n"
           "    words_here=$(_semel_words \"$spelt\")\n"
           "    compadd -- ${=words_here} || _files\n"
           "}\n"
           "_semel_words() {\n"
           "    local words=''\n"
           "    case $1 in\n" +
           cases(root) +
           "    esac\n"
           "    print -r -- $words\n"
           "}\n"
           "compdef _semel semel\n";
}

std::string fish_script(const CLI::App& root) {
    std::string out =
        "# semel's completion for fish: semel completion fish | source\n"
        "function __semel_path\n"
        "    set -l spelt ''\n"
        "    for word in (commandline -opc)[2..-1]\n"
        "        set -l longer (string trim -- \"$spelt $word\")\n"
        "        switch $longer\n"
        "            case ";
    walk(root, "", [&out](const std::string& path, const CLI::App&) {
        out += path.empty() ? "" : "'" + path + "' ";
    });
    out +=
        "\n"
        "                set spelt $longer\n"
        "        end\n"
        "    end\n"
        "    echo $spelt\n"
        "end\n";
    walk(root, "", [&out](const std::string& path, const CLI::App& app) {
        out += "complete -c semel -n 'test (__semel_path) = \"" + path + "\"' -a '" +
               words_after(app) + "'\n";
    });
    return out;
}

}  // namespace

void add_completion(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("completion", "Print a completion script for a shell");
    command->allow_extras();
    command->footer("\nExample:\n  source <(semel completion bash)\n");
    auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->callback([&root, &session, shell] {
        session.run = [&root, &session, shell] {
            session.console.out() << (*shell == "bash"  ? bash_script(root)
                                      : *shell == "zsh" ? zsh_script(root)
                                                        : fish_script(root));
            return kOk;
        };
    });
}

}  // namespace semel::cli
