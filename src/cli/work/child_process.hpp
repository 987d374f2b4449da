// run_child() and StopFlag: run a program for one job, and stop it. The program runs through the
// shell, in its own process group, with text on its standard input and its result on its standard
// output. Errors and threads: see run_child().
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "base/unique_fd.hpp"

namespace semel::cli {

// Asks a child to stop. Thread-safe. Once raised it stays raised.
class StopFlag {
public:
    StopFlag();
    void raise();
    [[nodiscard]] bool is_raised() const;
    [[nodiscard]] int fd() const { return event_.get(); }  // readable once raised

private:
    UniqueFd event_;
};

struct ChildOptions {
    std::string command;                          // for /bin/sh -c
    std::vector<std::string> environment;         // NAME=value; nothing is inherited
    std::string input;                            // the child need not read it
    Millis kill_grace = std::chrono::seconds(5);  // from SIGTERM to SIGKILL
    std::size_t output_bytes_max = 0;
    std::size_t error_bytes_max = 0;  // the size of ChildOutcome::error_tail
};

struct ChildOutcome {
    int exit_status = 0;
    int signal = 0;  // the signal that ended it; 0: it exited
    std::string output;
    bool is_output_cut = false;  // the output was longer than output_bytes_max
    std::string error_tail;      // the end of its standard error
    bool was_stopped = false;    // the flag was raised while it ran

    [[nodiscard]] bool has_succeeded() const { return signal == 0 && exit_status == 0; }
};

// Runs the program and blocks until it exits. Copies its standard error to that of this process.
// The program inherits no other descriptors.
//
// If `stop` is raised, its whole process group gets SIGTERM, and SIGKILL after `kill_grace`. After
// a stop no process of the group runs when this returns.
// Errors: `io_error` if the shell cannot be started.
// Threads: any, several at once.
[[nodiscard]] Result<ChildOutcome> run_child(const ChildOptions& options, const StopFlag& stop);

}  // namespace semel::cli
