#include "cli/serve/log.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <spdlog/formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include "base/time.hpp"
#include "cli/serve/line_writer.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

constexpr const char* kDecisionLogger = "semel.decisions";  // the name that api/metrics looks for

// line := {"ts":…,"level":…,"message":…}
class JsonLines final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
        const std::string_view text(message.payload.data(), message.payload.size());
        const auto level = spdlog::level::to_string_view(message.level);
        JsonWriter line(text.size() + 96);
        line.begin_object();
        line.member("ts", format_rfc3339(std::chrono::floor<Millis>(message.time)));
        line.member("level", level == "warning" ? std::string_view("warn")
                                                : std::string_view(level.data(), level.size()));
        line.member("message", text).end_object();
        const std::string json = line.take() + "\n";
        out.append(json.data(), json.data() + json.size());
    }
    [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
        return std::make_unique<JsonLines>();
    }
};

// Passes lines to the LineWriter without waiting.
class QueueSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit QueueSink(std::shared_ptr<LineWriter> lines) : lines_(std::move(lines)) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        lines_->write(std::string_view(line.data(), line.size()));
    }
    void flush_() override {}

private:
    const std::shared_ptr<LineWriter> lines_;
};

std::string dropped_note(std::uint64_t dropped) {
    const std::string text =
        fmt::format("{} log lines were dropped: standard error was not read", dropped);
    const spdlog::details::log_msg message("", spdlog::level::warn, text);
    spdlog::memory_buf_t line;
    JsonLines().format(message, line);
    return {line.data(), line.size()};
}

std::shared_ptr<spdlog::logger> make_logger(const char* name, std::shared_ptr<LineWriter> lines) {
    return std::make_shared<spdlog::logger>(name, std::make_shared<QueueSink>(std::move(lines)));
}

}  // namespace

Log::Log(const std::string& level, bool logs_decisions) {
    LineWriterOptions options;
    options.note = dropped_note;
    lines_ = std::make_shared<LineWriter>(std::move(options));
    auto logger = make_logger("semel", lines_);
    logger->set_formatter(std::make_unique<JsonLines>());
    logger->set_level(spdlog::level::from_str(level));
    spdlog::set_default_logger(std::move(logger));

    auto decisions = make_logger(kDecisionLogger, lines_);
    decisions->set_pattern("%v");
    decisions->set_level(logs_decisions ? spdlog::level::from_str(level) : spdlog::level::off);
    spdlog::register_logger(std::move(decisions));
}

Log::~Log() {
    spdlog::drop_all();
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::null_sink_mt>()));
}

}  // namespace semel::cli
