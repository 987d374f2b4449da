#include "cli/program.hpp"

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.hpp"
#include "base/unique_fd.hpp"
#include "config/config.hpp"

namespace semel::cli {

namespace {

std::vector<std::string> environment_with(const Environment& more) {
    std::vector<std::string> entries = current_environment();
    std::erase_if(entries, [](const std::string& entry) { return entry.starts_with("SEMEL_"); });
    for (const auto& [name, value] : more) {
        entries.push_back(fmt::format("{}={}", name, value));
    }
    return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        out.push_back(text.data());
    }
    out.push_back(nullptr);
    return out;
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::string& folder,
                 const Environment& environment, const std::string& input) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    EXPECT_EQ(::pipe2(in.data(), O_CLOEXEC) | ::pipe2(out.data(), O_CLOEXEC) |
                  ::pipe2(err.data(), O_CLOEXEC),
              0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    std::vector<std::string> words = {SEMEL_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> entries = environment_with(environment);
    EXPECT_EQ(::posix_spawn(&pid_, SEMEL_PROGRAM, &actions, nullptr, pointers(words).data(),
                            pointers(entries).data()),
              0);
    posix_spawn_file_actions_destroy(&actions);
    for (const int fd : {in[0], out[1], err[1]}) {
        ::close(fd);
    }
    EXPECT_EQ(::write(in[1], input.data(), input.size()), static_cast<ssize_t>(input.size()));
    ::close(in[1]);
    out_reader_ = std::thread([this, fd = out[0]] { read_all(fd, out_); });
    err_reader_ = std::thread([this, fd = err[0]] { read_all(fd, err_); });
}

Program::~Program() {
    if (!is_over_) {
        signal(SIGKILL);
        static_cast<void>(wait());
    }
}

void Program::read_all(int fd, std::string& into) {
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;) {
        std::unique_lock lock(mutex_);
        into.append(buffer.data(), static_cast<std::size_t>(got));
        changed_.notify_all();
        changed_.wait(lock, [&] { return &into != &err_ || !is_err_unread_; });
    }
    ::close(fd);
    const std::lock_guard lock(mutex_);
    --open_;
    changed_.notify_all();
}

bool Program::shows(const std::string& stream, const std::string& text) {
    std::unique_lock lock(mutex_);
    const auto is_there = [&] { return stream.find(text) != std::string::npos; };
    changed_.wait_for(lock, kDeadline, [&] { return is_there() || open_ == 0; });
    EXPECT_TRUE(is_there()) << "no `" << text << "` in\n" << out_ << "\nand\n" << err_;
    return is_there();
}

bool Program::out_shows(const std::string& text) {
    return shows(out_, text);
}

bool Program::err_shows(const std::string& text) {
    return shows(err_, text);
}

std::string Program::out() {
    const std::lock_guard lock(mutex_);
    return out_;
}

std::string Program::err() {
    const std::lock_guard lock(mutex_);
    return err_;
}

void Program::leave_err_unread() {
    const std::lock_guard lock(mutex_);
    is_err_unread_ = true;
}

bool Program::ends() const {
    // glibc 2.36 declares pidfd_open without C linkage, so C++ cannot link it.
    const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    pollfd event{process.get(), POLLIN, 0};
    return ::poll(&event, 1, static_cast<int>(Millis(kDeadline).count())) == 1;
}

void Program::signal(int number) const {
    ::kill(pid_, number);
}

Ended Program::wait() {
    {
        // Both streams end with the program, unless a grandchild has them.
        std::unique_lock lock(mutex_);
        is_err_unread_ = false;
        changed_.notify_all();
        if (!changed_.wait_for(lock, kDeadline, [this] { return open_ == 0; })) {
            ADD_FAILURE() << "still running after the deadline:\n" << out_ << "\n" << err_;
            ::kill(pid_, SIGKILL);
        }
    }
    int status = 0;
    ::waitpid(pid_, &status, 0);
    is_over_ = true;
    out_reader_.join();
    err_reader_.join();
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), out_, err_};
}

CliTest::CliTest()
    : folder_([] {
          std::string pattern = testing::TempDir() + "semel_cli_XXXXXX";
          EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
          return pattern;
      }()) {
    std::signal(SIGPIPE, SIG_IGN);
}

CliTest::~CliTest() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

Ended CliTest::run(const std::vector<std::string>& arguments, const Environment& environment,
                   const std::string& input) {
    return Program(arguments, folder_, environment, input).wait();
}

void CliTest::write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
}

std::string CliTest::read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

bool CliTest::appears(const std::string& name) const {
    const auto deadline = std::chrono::steady_clock::now() + kDeadline;
    while (!std::filesystem::exists(path(name))) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        // waits: for another process's file, which nothing announces
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

void ServerTest::start_server(const std::vector<std::string>& more,
                              const Environment& environment) {
    std::vector<std::string> arguments = {"serve", "--store", "semel.db", "--listen",
                                          "127.0.0.1:0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    server_ = std::make_unique<Program>(arguments, folder_, environment);
    ASSERT_TRUE(server_->out_shows("semel work --type hello"));
    const std::string banner = server_->out();
    const std::size_t begin = banner.find("http://127.0.0.1:");
    ASSERT_NE(begin, std::string::npos) << banner;
    url_ = banner.substr(begin, banner.find('\n', begin) - begin);
}

Ended ServerTest::semel(std::vector<std::string> arguments, const Environment& environment,
                        const std::string& input) {
    arguments.insert(arguments.end(), {"--url", url_});
    return run(arguments, environment, input);
}

std::unique_ptr<Program> ServerTest::begin(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--url", url_});
    return std::make_unique<Program>(arguments, folder_);
}

std::string ServerTest::schedule(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "schedule");
    arguments.emplace_back("--json");
    const Ended made = semel(arguments);
    EXPECT_EQ(made.code, 0) << made.err;
    const std::string id = member(made.out, "id");
    return id.substr(1, id.size() - 2);
}

std::string ServerTest::action(const std::string& id, const std::string& name) {
    const Ended shown = semel({"actions", "show", id, "--json"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    return member(shown.out, name);
}

bool ServerTest::becomes(const std::string& id, const std::string& status) {
    const auto deadline = std::chrono::steady_clock::now() + kDeadline;
    std::string found;
    do {
        found = action(id, "status");
        if (found == "\"" + status + "\"") return true;
    } while (std::chrono::steady_clock::now() < deadline);
    ADD_FAILURE() << id << " is " << found << ", not " << status;
    return false;
}

std::string member(const std::string& document, const std::string& name) {
    const auto parsed = json::Document::parse(document, {.depth_max = json::kDepthMax});
    const auto found = parsed ? parsed->root().find(name) : std::nullopt;
    EXPECT_TRUE(found) << "no `" << name << "` in " << document;
    return found ? std::string(found->raw()) : "";
}

}  // namespace semel::cli
