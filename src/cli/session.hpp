// Session: connects the command line with the commands. Each add_* function adds a command to the
// tree. Parsing sets Session::run to the named command, and run_command_line() runs it. Errors are
// printed, and returned as an exit code. Main thread only.
#pragma once

#include <functional>
#include <string>

#include "cli/exit_codes.hpp"
#include "cli/output.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace semel::cli {

struct Session {
    Console& console;
    std::function<int()> run = {};  // set by the named command; returns the exit code
};

// Add one command each to the tree. The tree refers to the session, and outlives the run.
void add_serve(CLI::App& root, Session& session);
void add_gateway(CLI::App& root, Session& session);
void add_demo(CLI::App& root, Session& session);
void add_schedule(CLI::App& root, Session& session);
void add_actions(CLI::App& root, Session& session);
void add_chains(CLI::App& root, Session& session);
void add_schedules(CLI::App& root, Session& session);
void add_fence(CLI::App& root, Session& session);
void add_claims(CLI::App& root, Session& session);
void add_explain(CLI::App& root, Session& session);
void add_decisions(CLI::App& root, Session& session);
void add_check(CLI::App& root, Session& session);
void add_work(CLI::App& root, Session& session);
void add_why(CLI::App& root, Session& session);
void add_token(CLI::App& root, Session& session);
void add_bench(CLI::App& root, Session& session);
void add_backup(CLI::App& root, Session& session);
void add_restore(CLI::App& root, Session& session);
void add_migrate(CLI::App& root, Session& session);
void add_doctor(CLI::App& root, Session& session);
void add_version(CLI::App& root, Session& session);
void add_completion(CLI::App& root, Session& session);

// Parses the arguments and runs the command. Blocks. Returns the exit code (exit_codes.hpp), after
// it printed any error. Ignores SIGPIPE and SIGXFSZ from then on. Call it once, on the main thread.
[[nodiscard]] int run_command_line(int argc, const char* const* argv, Console& console);

}  // namespace semel::cli
