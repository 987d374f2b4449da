#include "cli/work/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.hpp"

namespace semel::cli {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// "pid (name) state parent group …", where the name may hold anything.
bool is_alive_in(const std::filesystem::path& process, pid_t group) {
    std::ifstream file(process / "stat");
    std::string line;
    std::getline(file, line);
    std::istringstream rest(line.substr(std::min(line.rfind(')') + 1, line.size())));
    char state = '\0';
    pid_t parent = 0;
    pid_t its_group = 0;
    return (rest >> state >> parent >> its_group) && its_group == group && state != 'Z';
}

// Returns true if a process of the group still runs. kill() alone also finds dead processes that no
// process has waited for. In many containers no process waits for grandchildren.
bool has_living_member(pid_t group) {
    if (::kill(-group, 0) != 0) {
        return false;
    }
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failure)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos &&
            is_alive_in(entry.path(), group)) {
            return true;
        }
    }
    return static_cast<bool>(failure);  // without /proc, kill() decides
}

// The time between two checks of a process group that must end: its end sends no event.
constexpr Millis kGroupLook{10};

Error failed(const char* doing, int error) {
    return {ErrorCode::io_error, std::string(doing) + ": " + std::strerror(error)};
}

struct Pipe {
    UniqueFd read_end;
    UniqueFd write_end;
};

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return failed("making a pipe", errno);
    }
    return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void make_nonblocking(const UniqueFd& fd) {
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

// Owns posix_spawn's two objects.
class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    // Starts the shell in a new process group, with default signals and without other descriptors.
    Result<pid_t> spawn(const ChildOptions& options, int in, int out, int err) {
        posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        sigset_t none;
        sigset_t usual;
        sigemptyset(&none);
        sigfillset(&usual);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &usual);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_,
                                 static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF));
        std::string shell = "sh";
        std::string flag = "-c";
        std::string command = options.command;
        std::array<char*, 4> arguments = {shell.data(), flag.data(), command.data(), nullptr};
        std::vector<std::string> entries = options.environment;
        std::vector<char*> environment;
        environment.reserve(entries.size() + 1);
        for (std::string& entry : entries) {
            environment.push_back(entry.data());
        }
        environment.push_back(nullptr);
        pid_t pid = 0;
        const int error = ::posix_spawn(&pid, "/bin/sh", &actions_, &attributes_, arguments.data(),
                                        environment.data());
        if (error != 0) {
            return failed("starting /bin/sh", error);
        }
        return pid;
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

class RunningChild {
public:
    RunningChild(const ChildOptions& options, const StopFlag& stop)
        : options_(options), stop_(stop) {}

    Result<void> start() {
        SEMEL_TRY(in, make_pipe());
        SEMEL_TRY(out, make_pipe());
        SEMEL_TRY(err, make_pipe());
        SEMEL_TRY(pid, SpawnPlan().spawn(options_, in.read_end.get(), out.write_end.get(),
                                         err.write_end.get()));
        pid_ = pid;
        in_ = std::move(in.write_end);
        out_ = std::move(out.read_end);
        err_ = std::move(err.read_end);
        for (const UniqueFd* fd : {&in_, &out_, &err_}) {
            make_nonblocking(*fd);
        }
        if (options_.input.empty()) {
            in_.reset();
        }
        // glibc 2.36 declares pidfd_open without C linkage, so C++ cannot link it.
        exited_ = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
        SEMEL_ASSERT(static_cast<bool>(exited_));  // the child exists until it is waited for
        return {};
    }

    ChildOutcome run() {
        while (!has_exited_) {
            wait_once();
        }
        read_out();  // the rest in the pipes; a grandchild can keep them open
        read_err();
        reap();
        if (outcome_.was_stopped) {
            end_group();
        }
        return std::move(outcome_);
    }

private:
    void wait_once() {
        std::array<pollfd, 5> events = {{
            {exited_.get(), POLLIN, 0},
            {outcome_.was_stopped ? -1 : stop_.fd(), POLLIN, 0},
            {in_.get(), POLLOUT, 0},
            {out_.get(), POLLIN, 0},
            {err_.get(), POLLIN, 0},
        }};
        if (::poll(events.data(), events.size(), wait_millis()) < 0) {
            SEMEL_ASSERT(errno == EINTR);
            return;
        }
        has_exited_ = events[0].revents != 0;
        if (events[1].revents != 0) terminate();
        if (events[2].revents != 0) write_in();
        if (events[3].revents != 0) read_out();
        if (events[4].revents != 0) read_err();
        if (kill_at_ && std::chrono::steady_clock::now() >= *kill_at_) {
            ::kill(-pid_, SIGKILL);
            kill_at_.reset();
        }
    }

    [[nodiscard]] int wait_millis() const {
        if (!kill_at_) {
            return -1;
        }
        const auto left = std::chrono::ceil<Millis>(*kill_at_ - std::chrono::steady_clock::now());
        return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }

    void terminate() {
        outcome_.was_stopped = true;
        kill_at_ = std::chrono::steady_clock::now() + options_.kill_grace;
        ::kill(-pid_, SIGTERM);
    }

    void write_in() {
        const ssize_t put =
            ::write(in_.get(), options_.input.data() + written_, options_.input.size() - written_);
        if (put < 0) {
            if (errno != EAGAIN && errno != EINTR) in_.reset();  // EPIPE: it does not read
            return;
        }
        written_ += static_cast<std::size_t>(put);
        if (written_ == options_.input.size()) in_.reset();
    }

    // Calls `take` with what can be read now; closes the descriptor at its end.
    template <typename Take>
    static void drain(UniqueFd& fd, Take take) {
        std::array<char, 16 * 1024> buffer{};
        while (fd) {
            const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
            if (got > 0) {
                take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
            } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                fd.reset();
            } else if (errno == EAGAIN) {
                return;
            }
        }
    }

    void read_out() {
        drain(out_, [this](std::string_view bytes) {
            const std::size_t room = options_.output_bytes_max - outcome_.output.size();
            outcome_.is_output_cut = outcome_.is_output_cut || bytes.size() > room;
            outcome_.output.append(bytes.substr(0, room));
        });
    }

    void read_err() {
        drain(err_, [this](std::string_view bytes) {
            pass_through(bytes);
            std::string& tail = outcome_.error_tail;
            tail.append(bytes);
            if (tail.size() > options_.error_bytes_max) {
                tail.erase(0, tail.size() - options_.error_bytes_max);
            }
        });
    }

    static void pass_through(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t put = ::write(STDERR_FILENO, bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return;  // the reader is closed
            bytes.remove_prefix(static_cast<std::size_t>(put));
        }
    }

    void reap() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0) {
            SEMEL_ASSERT(errno == EINTR);
        }
        if (WIFSIGNALED(status)) {
            outcome_.signal = WTERMSIG(status);
        } else {
            outcome_.exit_status = WEXITSTATUS(status);
        }
    }

    // The shell has exited. Its children have the rest of the grace. The number of the group is not
    // used again while a member lives.
    void end_group() {
        while (kill_at_ && has_living_member(pid_)) {
            if (std::chrono::steady_clock::now() >= *kill_at_) {
                ::kill(-pid_, SIGKILL);
                return;
            }
            ::poll(nullptr, 0, static_cast<int>(kGroupLook.count()));
        }
    }

    const ChildOptions& options_;
    const StopFlag& stop_;
    pid_t pid_ = 0;
    UniqueFd in_, out_, err_, exited_;
    std::size_t written_ = 0;
    bool has_exited_ = false;
    std::optional<SteadyTime> kill_at_;
    ChildOutcome outcome_;
};

}  // namespace

StopFlag::StopFlag() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    SEMEL_ASSERT(static_cast<bool>(event_));
}

void StopFlag::raise() {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(event_.get(), &one, sizeof(one)));
}

bool StopFlag::is_raised() const {
    pollfd event{event_.get(), POLLIN, 0};
    return ::poll(&event, 1, 0) == 1;
}

Result<ChildOutcome> run_child(const ChildOptions& options, const StopFlag& stop) {
    RunningChild child(options, stop);
    SEMEL_CHECK(child.start());
    return child.run();
}

}  // namespace semel::cli
