#include "cli/log.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <spdlog/formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/time.hpp"
#include "core/json_writer.hpp"

namespace semel::cli {

namespace {

constexpr std::array<std::string_view, 5> kLevels = {"debug", "info", "warn", "error", "off"};

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

}  // namespace

bool is_log_level(std::string_view text) {
    return std::find(kLevels.begin(), kLevels.end(), text) != kLevels.end();
}

void start_log(const std::string& level, bool logs_decisions) {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    auto logger = std::make_shared<spdlog::logger>("semel", sink);
    logger->set_formatter(std::make_unique<JsonLines>());
    logger->set_level(spdlog::level::from_str(level));
    logger->flush_on(spdlog::level::debug);
    spdlog::set_default_logger(std::move(logger));

    auto decisions = std::make_shared<spdlog::logger>(
        kDecisionLogger, std::make_shared<spdlog::sinks::stderr_sink_mt>());
    decisions->set_pattern("%v");
    decisions->set_level(logs_decisions ? spdlog::level::from_str(level) : spdlog::level::off);
    spdlog::register_logger(std::move(decisions));
}

}  // namespace semel::cli
