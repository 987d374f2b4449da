// What is said of arguments: help, mistakes, versions, completion.
#include <cstdlib>
#include <deque>
#include <fstream>
#include <sstream>

#include <sys/wait.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using CommandLine = CliTest;

TEST_F(CommandLine, WithoutArgumentsItShowsWhatThereIs) {
    const Ended ended = run({});
    EXPECT_EQ(ended.code, 0);
    for (const char* command : {"serve", "schedule", "actions", "work", "why", "token", "bench",
                                "version", "completion"}) {
        EXPECT_NE(ended.out.find(std::string("\n  ") + command), std::string::npos) << command;
    }
}

// The words behind `Subcommands:` in a help.
std::vector<std::string> commands_in(const std::string& help) {
    std::vector<std::string> names;
    const std::size_t begin = help.find("Subcommands:\n");
    std::istringstream lines(begin == std::string::npos ? "" : help.substr(begin));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && line.starts_with("  ")) {
        names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

std::vector<std::string> options_in(const std::string& help) {
    std::vector<std::string> names;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  --")) {
            names.push_back(line.substr(2, line.find_first_of(" =", 4) - 2));
        }
    }
    return names;
}

// Whether the text has this option, and not only a longer one that begins like it.
bool names_option(const std::string& text, const std::string& option) {
    constexpr std::string_view kMore = "abcdefghijklmnopqrstuvwxyz-";
    for (std::size_t at = text.find(option); at != std::string::npos;
         at = text.find(option, at + 1)) {
        const std::size_t end = at + option.size();
        if (end == text.size() || kMore.find(text[end]) == std::string_view::npos) {
            return true;
        }
    }
    return false;
}

TEST_F(CommandLine, EveryCommandHasAnExampleAndItsOptionsStandInTheReference) {
    std::ifstream file(SEMEL_DOCS "/reference/cli.md");
    const std::string reference{std::istreambuf_iterator<char>(file), {}};
    std::deque<std::vector<std::string>> left = {{}};
    std::size_t seen = 0;
    for (; !left.empty(); left.pop_front(), ++seen) {
        std::vector<std::string> command = left.front();
        command.emplace_back("--help");
        const Ended ended = run(command);
        command.pop_back();
        const std::string shown = testing::PrintToString(command);
        EXPECT_EQ(ended.code, 0) << shown;
        const std::size_t example = ended.out.find("Example");
        EXPECT_NE(example, std::string::npos) << shown << ended.out;
        EXPECT_NE(ended.out.find("semel ", example), std::string::npos) << shown;
        for (const std::string& name : commands_in(ended.out)) {
            left.push_back(command);
            left.back().push_back(name);
        }
        for (const std::string& option : options_in(ended.out)) {
            EXPECT_TRUE(option == "--version" || names_option(reference, option))
                << shown << " " << option;
        }
    }
    EXPECT_GT(seen, 50U);
}

TEST_F(CommandLine, ACommandThatNeedsAnotherWordShowsItsWholeName) {
    const Ended ended = run({"schedules"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("Usage: semel schedules "), std::string::npos) << ended.err;
}

struct Mistake {
    std::vector<std::string> arguments;
    const char* said;
};

TEST_F(CommandLine, MistakesAreSaidWithTheNearestRightWord) {
    const Mistake mistakes[] = {
        {{"sevre"},
         "semel: `sevre` is not a command of semel; did you mean `serve`?\n"
         "semel: `semel --help` lists them\n"},
        {{"actions", "lst"},
         "semel: `lst` is not a command of semel actions; did you mean `list`?\n"
         "semel: `semel actions --help` lists them\n"},
        {{"qqqqqq"}, "semel: `qqqqqq` is not a command of semel\n"},
        {{"schedule", "t", "--payloda", "1"},
         "semel: `--payloda` is not an argument of semel schedule; did you mean `--payload`?\n"
         "semel: `semel schedule --help` shows how it is used\n"},
        {{"schedule"}, "semel: TYPE is required\n"},
        {{"work", "--type", "t"}, "semel: --exec is required\n"},
        {{"schedule", "t", "--payload", "{"}, "semel: --payload must be JSON: "},
        {{"schedule", "t", "--delay", "5"}, "semel: --delay: `5` is not a duration;"},
        {{"schedule", "t", "--delay", "5s", "--at", "2030-01-01T00:00:00Z"},
         "--delay excludes --at"},
        {{"work", "--type", "t", "--exec", "true", "--lease", "1ms"},
         "semel: --lease must be from 100ms to 24h\n"},
        {{"work", "--type", "t", "--exec", "true", "--concurrency", "0"}, "--concurrency"},
        {{"actions", "list", "--url", "ftp://x"}, "semel: URL \"ftp://x\": only http and https"},
        {{"completion", "tcsh"}, "tcsh"},
        {{"token", "create", "--name", "n", "--expires", "soon"}, "semel: --expires is a duration"},
    };
    for (const Mistake& mistake : mistakes) {
        const Ended ended = run(mistake.arguments);
        EXPECT_EQ(ended.code, 2) << ended.err;
        EXPECT_NE(ended.err.find(mistake.said), std::string::npos)
            << "expected " << mistake.said << "\nfound " << ended.err;
        EXPECT_EQ(ended.out, "");
    }
}

// What cannot be read by anybody was not told: a script must hear of it.
TEST_F(CommandLine, OutputThatCannotBeWrittenIsAnError) {
    const auto exit_code = [](const std::string& redirection) {
        const int status =
            std::system((std::string(SEMEL_PROGRAM) + " version " + redirection).c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    EXPECT_EQ(exit_code("> /dev/full 2> " + path("err")), 3);
    EXPECT_NE(read("err").find("the output could not be written"), std::string::npos);
    EXPECT_EQ(exit_code("> /dev/null 2>&1"), 0);
}

TEST_F(CommandLine, ACommandThatNeedsAnotherWordSaysSo) {
    const Ended ended = run({"actions"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("\n  list"), std::string::npos) << ended.err;
}

TEST_F(CommandLine, TheVersionIsThreeNumbers) {
    const Ended plain = run({"version"});
    EXPECT_EQ(plain.code, 0);
    EXPECT_EQ(plain.out, "semel " SEMEL_VERSION "\n");
    EXPECT_EQ(run({"--version"}).out, plain.out);
    EXPECT_EQ(run({"version", "--json"}).out,
              "{\"name\":\"semel\",\"version\":\"" SEMEL_VERSION "\"}\n");
}

TEST_F(CommandLine, NobodyThereIsExitCodeThree) {
    const Ended ended = run({"actions", "list", "--url", "http://127.0.0.1:1"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_NE(ended.err.find("semel: no answer from http://127.0.0.1:1: "), std::string::npos);
    EXPECT_NE(ended.err.find("is `semel serve` running?"), std::string::npos);
}

int shell(const std::string& command) {
    return std::system(command.c_str());
}

TEST_F(CommandLine, CompletionScriptsAreValid) {
    for (const std::string name : {"bash", "zsh", "fish"}) {
        const Ended ended = run({"completion", name});
        ASSERT_EQ(ended.code, 0);
        write(name, ended.out);
        // Only bash is sure to be there.
        if (name == "bash" || shell("command -v " + name + " >/dev/null") == 0) {
            EXPECT_EQ(shell(name + " -n '" + path(name) + "'"), 0) << ended.out;
        }
    }
}

TEST_F(CommandLine, BashCompletesCommandsAndOptions) {
    write("script", run({"completion", "bash"}).out);
    const auto completes = [this](const std::string& words, int at) {
        EXPECT_EQ(shell("bash -c 'source \"" + path("script") + "\"; COMP_WORDS=(" + words +
                        "); COMP_CWORD=" + std::to_string(at) +
                        "; _semel; echo \"${COMPREPLY[*]}\"' > '" + path("words") + "'"),
                  0);
        return read("words");
    };
    EXPECT_EQ(completes("semel se", 1), "serve\n");
    EXPECT_EQ(completes("semel actions ta", 2), "tail\n");
    EXPECT_EQ(completes("semel work --ty", 2), "--type\n");
    EXPECT_EQ(completes("semel work --kill", 2), "\n");  // hidden
    EXPECT_EQ(completes("semel actions list --json --sta", 4), "--status\n");
}

}  // namespace
}  // namespace semel::cli
