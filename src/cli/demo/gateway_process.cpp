#include "cli/demo/gateway_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/assert.hpp"
#include "base/time.hpp"
#include "config/config.hpp"

namespace semel::cli {

namespace {

// A start takes milliseconds; a busy machine or a slow disk can make it seconds.
constexpr Millis kStartMax = std::chrono::seconds(60);

Error spawn_error(const char* doing, int error) {
    return {ErrorCode::io_error, std::string(doing) + ": " + std::strerror(error)};
}

std::vector<std::string> environment_without_settings() {
    std::vector<std::string> entries = current_environment();
    std::erase_if(entries, [](const std::string& entry) { return entry.starts_with("SEMEL_"); });
    return entries;
}

std::vector<char*> c_strings(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        out.push_back(text.data());
    }
    out.push_back(nullptr);
    return out;
}

std::string log_path(const std::string& folder) {
    return folder + "/gateway.log";
}

std::string read_log(const std::string& folder) {
    std::ifstream file(log_path(folder), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the URL on the banner's line of that name, or an empty text.
std::string url_in(const std::string& banner, const std::string& name) {
    const std::size_t line = banner.find("\n  " + name + " ");
    const std::size_t begin = line == std::string::npos ? line : banner.find("http", line);
    if (begin == std::string::npos) {
        return "";
    }
    return banner.substr(begin, banner.find_first_of(" \n", begin) - begin);
}

// The actions and attributes of the child's start. Owns posix_spawn's two objects.
class GatewaySpawn {
public:
    GatewaySpawn(int out, const std::string& log) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, log.c_str(),
                                         O_WRONLY | O_CREAT | O_APPEND, 0600);
        posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
    }
    ~GatewaySpawn() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    GatewaySpawn(const GatewaySpawn&) = delete;
    GatewaySpawn& operator=(const GatewaySpawn&) = delete;

    [[nodiscard]] Result<pid_t> spawn(std::vector<std::string> arguments) const {
        std::vector<std::string> environment = environment_without_settings();
        pid_t pid = 0;
        const int error = ::posix_spawn(&pid, "/proc/self/exe", &actions_, &attributes_,
                                        c_strings(arguments).data(), c_strings(environment).data());
        if (error != 0) {
            return spawn_error("starting the gateway", error);
        }
        return pid;
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

Result<std::unique_ptr<GatewayProcess>> GatewayProcess::start(const std::string& upstream,
                                                              const std::string& folder) {
    std::unique_ptr<GatewayProcess> process(new GatewayProcess);
    SEMEL_CHECK(process->spawn(upstream, folder));
    if (const auto ready = process->read_banner(); !ready) {
        process->kill();
        return Error(ready.error().code(),
                     ready.error().message() + "; its log:\n" + read_log(folder));
    }
    return process;
}

GatewayProcess::~GatewayProcess() {
    kill();
}

void GatewayProcess::kill() {
    if (pid_ == 0) {
        return;
    }
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0) {
        SEMEL_ASSERT(errno == EINTR);
    }
    pid_ = 0;
}

Result<void> GatewayProcess::spawn(const std::string& upstream, const std::string& folder) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return spawn_error("making a pipe", errno);
    }
    out_.reset(ends[0]);
    const UniqueFd out(ends[1]);
    ::fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    SEMEL_TRY(pid, GatewaySpawn(out.get(), log_path(folder))
                       .spawn({"semel", "gateway", "--upstream", upstream, "--store",
                               folder + "/semel.db", "--listen", "127.0.0.1:0", "--gateway-listen",
                               "127.0.0.1:0"}));
    pid_ = pid;
    return {};
}

Result<void> GatewayProcess::read_banner() {
    const auto deadline = std::chrono::steady_clock::now() + kStartMax;
    std::string banner;
    while (banner.find("\ntry:") == std::string::npos) {
        const auto left =
            std::chrono::ceil<Millis>(deadline - std::chrono::steady_clock::now()).count();
        if (left <= 0) {
            return Error(ErrorCode::timeout, "the gateway did not start in time");
        }
        pollfd event{out_.get(), POLLIN, 0};
        ::poll(&event, 1, static_cast<int>(left));
        std::array<char, 4096> buffer{};
        const ssize_t got = ::read(out_.get(), buffer.data(), buffer.size());
        if (got == 0) {
            return Error(ErrorCode::unavailable, "the gateway ended before it served");
        }
        if (got > 0) {
            banner.append(buffer.data(), static_cast<std::size_t>(got));
        }
    }
    api_url_ = url_in(banner, "API");
    gateway_url_ = url_in(banner, "gateway");
    if (api_url_.empty() || gateway_url_.empty()) {
        return Error(ErrorCode::io_error, "the gateway's banner has no address:\n" + banner);
    }
    return {};
}

}  // namespace semel::cli
