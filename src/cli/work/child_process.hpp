// A program that does one job: started through the shell, in a process group of its own, with text
// on its standard input and its answer on the standard output.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "base/unique_fd.hpp"

namespace semel::cli {

// Asks a child to stop, from any thread. Once asked, asked for ever.
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
    std::vector<std::string> environment;         // NAME=value, all of it
    std::string input;                            // a child that does not read it is no error
    Millis kill_grace = std::chrono::seconds(5);  // from SIGTERM to SIGKILL
    std::size_t output_bytes_max = 0;
    std::size_t error_bytes_max = 0;  // of the end of its standard error
};

struct ChildOutcome {
    int exit_status = 0;
    int signal = 0;  // that ended it; 0: it ended by itself
    std::string output;
    bool is_output_cut = false;  // there was more than output_bytes_max
    std::string error_tail;
    bool was_stopped = false;  // because the flag was raised

    [[nodiscard]] bool has_succeeded() const { return signal == 0 && exit_status == 0; }
};

// Runs it to its end. Its standard error passes through to ours. When `stop` is raised, its whole
// process group gets SIGTERM, and SIGKILL after the grace. Nothing of ours is inherited but the
// three standard descriptors; nothing of it is left when this returns after a stop.
[[nodiscard]] Result<ChildOutcome> run_child(const ChildOptions& options, const StopFlag& stop);

}  // namespace semel::cli
