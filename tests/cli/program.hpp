// The real binary as a child of the test: its output as it comes, its signals, its exit code.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>

#include "core/json/json.hpp"

namespace semel::cli {

// Generous: the sanitizers are slow and the machine is shared. Nothing waits that long when well.
inline constexpr auto kDeadline = std::chrono::seconds(60);

struct Ended {
    int code = -1;  // 128 + n after signal n
    std::string out;
    std::string err;
};

using Environment = std::map<std::string, std::string>;

class Program {
public:
    // `arguments` without the program's name. Runs in `folder`.
    Program(const std::vector<std::string>& arguments, const std::string& folder,
            const Environment& environment = {}, const std::string& input = "");
    ~Program();  // SIGKILL, if it still runs
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // Whether the text appears, or has appeared, before the deadline.
    [[nodiscard]] bool out_shows(const std::string& text);
    [[nodiscard]] bool err_shows(const std::string& text);
    [[nodiscard]] std::string out();
    [[nodiscard]] std::string err();

    // From now on nobody reads its standard error, until wait().
    void leave_err_unread();
    // Whether it ends before the deadline, however much of its output is unread.
    [[nodiscard]] bool ends() const;

    void signal(int number) const;
    // Waits for its end; a failure of the test if it does not come.
    Ended wait();

private:
    bool shows(const std::string& stream, const std::string& text);
    void read_all(int fd, std::string& into);

    pid_t pid_ = 0;
    std::thread out_reader_;
    std::thread err_reader_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string out_;
    std::string err_;
    int open_ = 2;
    bool is_err_unread_ = false;
    bool is_over_ = false;
};

// A folder of its own for each test, and the program in it.
class CliTest : public testing::Test {
public:
    CliTest();
    ~CliTest() override;
    CliTest(const CliTest&) = delete;
    CliTest& operator=(const CliTest&) = delete;

protected:
    Ended run(const std::vector<std::string>& arguments, const Environment& environment = {},
              const std::string& input = "");
    [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
    void write(const std::string& name, const std::string& content) const;
    [[nodiscard]] std::string read(const std::string& name) const;
    // Waits until somebody has made the file.
    [[nodiscard]] bool appears(const std::string& name) const;

    const std::string folder_;
};

// With a server on a free port and a fresh store.
class ServerTest : public CliTest {
protected:
    void SetUp() override { start_server(); }

    void start_server(const std::vector<std::string>& more = {},
                      const Environment& environment = {});
    // The arguments, and where the server is.
    Ended semel(std::vector<std::string> arguments, const Environment& environment = {},
                const std::string& input = "");
    std::unique_ptr<Program> begin(std::vector<std::string> arguments);

    // Makes an action and answers its id.
    std::string schedule(std::vector<std::string> arguments);
    // A member of an action, as JSON text.
    std::string action(const std::string& id, const std::string& name);
    // Waits until the action has this status.
    [[nodiscard]] bool becomes(const std::string& id, const std::string& status);

    std::unique_ptr<Program> server_;
    std::string url_;
};

// A member of a document, as JSON text; a test failure if it is not there.
[[nodiscard]] std::string member(const std::string& document, const std::string& name);

}  // namespace semel::cli
