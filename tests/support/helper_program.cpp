#include "support/helper_program.hpp"

#include <array>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace semel::test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    out.reserve(words.size() + 1);
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
}

// In a session of its own: what a terminal interrupts is the test, and the program hears of that by
// its input.
pid_t spawn(std::vector<std::string> words, int lines) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, lines, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, lines, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t pid = 0;
    const int error = posix_spawnp(&pid, words.front().c_str(), &actions, &attributes,
                                   pointers(words).data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), "starting " + words.front());
    }
    return pid;
}

std::string with_line_breaks(std::string text) {
    for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) {
        text.replace(at, 2, "\n");
    }
    return text;
}

}  // namespace

HelperProgram::HelperProgram(const std::string& script, const std::vector<std::string>& arguments)
    : script_(script) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    lines_ = ends[0];
    std::vector<std::string> words = {"python3", "-B", SEMEL_TEST_SUPPORT "/" + script};
    words.insert(words.end(), arguments.begin(), arguments.end());
    try {
        pid_ = spawn(std::move(words), ends[1]);
        close(ends[1]);
        greeting_ = read_answer();
    } catch (...) {
        end();
        throw;
    }
}

HelperProgram::~HelperProgram() {
    end();
}

void HelperProgram::end() {
    close(lines_);
    if (pid_ != 0) {
        waitpid(pid_, nullptr, 0);
    }
}

std::string HelperProgram::ask(const std::string& line) {
    const std::lock_guard lock(mutex_);
    const std::string sent = line + "\n";
    // Where nobody reads it, there is no answer either.
    static_cast<void>(send(lines_, sent.data(), sent.size(), MSG_NOSIGNAL));
    return read_answer();
}

std::string HelperProgram::read_answer() {
    std::string answer;
    for (char next = 0; next != '\n';) {
        const ssize_t got = read(lines_, &next, 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            throw std::runtime_error(script_ + " ended without an answer; it says why above");
        }
        answer += next;
    }
    answer.pop_back();
    constexpr std::string_view kFailed = "failed ";
    if (answer.starts_with(kFailed)) {
        throw std::runtime_error(script_ + ": " + with_line_breaks(answer.substr(kFailed.size())));
    }
    constexpr std::string_view kOk = "ok ";
    return answer.starts_with(kOk) ? answer.substr(kOk.size()) : "";
}

}  // namespace semel::test
