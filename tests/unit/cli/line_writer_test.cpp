// Lines to a pipe, read or not.
#include "cli/serve/line_writer.hpp"

#include <array>
#include <csignal>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/unique_fd.hpp"

namespace semel::cli {
namespace {

class LineWriting : public testing::Test {
protected:
    LineWriting() {
        std::signal(SIGPIPE, SIG_IGN);  // as the command does
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
        read_end_ = UniqueFd(ends[0]);
        options_.fd = ends[1];
        write_end_ = UniqueFd(ends[1]);
        options_.note = [](std::uint64_t dropped) {
            return "dropped " + std::to_string(dropped) + "\n";
        };
    }

    // Until the write end is closed.
    std::string read_all() {
        std::string all;
        std::array<char, 4096> buffer{};
        for (ssize_t got = 0; (got = ::read(read_end_.get(), buffer.data(), buffer.size())) > 0;) {
            all.append(buffer.data(), static_cast<std::size_t>(got));
        }
        return all;
    }

    UniqueFd read_end_;
    UniqueFd write_end_;
    LineWriterOptions options_;
};

constexpr std::size_t kMany = 10'000;
const std::string kLine = std::string(99, 'x') + "\n";  // kMany of them fill any pipe

TEST_F(LineWriting, KeepsTheOrderAndWaitsForTheLast) {
    {
        LineWriter writer(options_);
        writer.write("one\n");
        writer.write("two\n");
        writer.write("three\n");
    }
    write_end_.reset();
    EXPECT_EQ(read_all(), "one\ntwo\nthree\n");
}

TEST_F(LineWriting, DropsAndCountsWhatNobodyReads) {
    options_.waiting_bytes_max = 10 * kLine.size();
    options_.last_wait = std::chrono::minutes(5);
    auto writer = std::make_unique<LineWriter>(options_);
    for (std::size_t i = 0; i < kMany; ++i) {
        writer->write(kLine);  // comes back, though the pipe is full
    }
    std::string all;
    std::thread reading([this, &all] { all = read_all(); });
    writer.reset();
    write_end_.reset();
    reading.join();
    std::size_t written = 0;
    std::size_t dropped = 0;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("dropped ")) {
            dropped += std::stoul(line.substr(8));
        } else {
            ++written;
        }
    }
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(written + dropped, kMany);
}

TEST_F(LineWriting, ItsEndDoesNotWaitForEver) {
    options_.waiting_bytes_max = kMany * kLine.size();
    options_.last_wait = std::chrono::milliseconds(1);
    {
        LineWriter writer(options_);
        for (std::size_t i = 0; i < kMany; ++i) {
            writer.write(kLine);
        }
    }
    // The thread that stayed behind ends when it has written all of it.
    std::string all(kMany * kLine.size(), '\0');
    for (std::size_t size = 0; size < all.size();) {
        const ssize_t got = ::read(read_end_.get(), all.data() + size, all.size() - size);
        ASSERT_GT(got, 0);
        size += static_cast<std::size_t>(got);
    }
}

}  // namespace
}  // namespace semel::cli
