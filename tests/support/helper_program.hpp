// HelperProgram: a Python program of tests/support as a child of the test, asked by lines
// (served_by_lines.py). It notices when this process ends, however that happens, and clears up.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

namespace semel::test {

// Safe to use from several threads.
class HelperProgram {
public:
    // Returns when the program has said that it is ready. Throws std::runtime_error with the reason
    // that it gives, as ask() does.
    HelperProgram(const std::string& script, const std::vector<std::string>& arguments);
    // Returns when it has cleared up.
    ~HelperProgram();
    HelperProgram(const HelperProgram&) = delete;
    HelperProgram& operator=(const HelperProgram&) = delete;

    // What follows the `ok` of its answer.
    std::string ask(const std::string& line);
    // What followed the `ok` of its start.
    [[nodiscard]] const std::string& greeting() const { return greeting_; }

private:
    std::string read_answer();
    void end();

    const std::string script_;
    std::mutex mutex_;
    int lines_ = -1;  // a socket: its standard input and output
    pid_t pid_ = 0;
    std::string greeting_;
};

}  // namespace semel::test
