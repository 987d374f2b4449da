#include "cli/commands/chain_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/api_client.hpp"

namespace semel::cli {
namespace {

constexpr std::size_t kStatusWidth = 10;   // of "superseded"
constexpr std::size_t kIndexWidthMin = 3;  // with the space behind it

// Returns when a step ended, otherwise when it is due.
std::string time_of(json::Value step) {
    const std::string ended = text_at(step, "completedAt");
    return ended.empty() ? "due " + text_at(step, "scheduledAt") : ended;
}

bool has_ended(json::Value step) {
    const std::string status = text_at(step, "status");
    return status == "completed" || status == "failed" || status == "cancelled" ||
           status == "superseded";
}

void print_blockers(Console& console, json::Value step, const std::string& indent) {
    const auto blockers = step.find("blockers");
    if (!blockers || !blockers->is_array()) {
        return;
    }
    for (const json::Value blocker : blockers->elements()) {
        const std::string status = text_at(blocker, "status");
        const bool is_over = status == "completed" || has_ended(step);
        console.out() << indent << console.dim(is_over ? "   waited for  " : "   waits for   ")
                      << console.status(status.empty() ? "gone" : status, kStatusWidth) << "  "
                      << text_at(blocker, "id") << "  " << printable(text_at(blocker, "type"))
                      << "\n";
    }
}

void print_step(Console& console, json::Value step, bool is_last, std::size_t index_width) {
    console.out() << (is_last ? "└─ " : "├─ ")
                  << fmt::format("{:<{}}", text_at(step, "chainIndex"), index_width)
                  << console.status(text_at(step, "status"), kStatusWidth) << "  "
                  << text_at(step, "id") << "  " << printable(text_at(step, "type")) << "  "
                  << console.dim(time_of(step)) << "\n";
    const std::string indent = is_last ? "   " : "│  ";
    if (const std::string error = text_at(step, "errorMessage"); !error.empty()) {
        console.out() << indent << "   " << printable(error.substr(0, error.find('\n'))) << "\n";
    }
    print_blockers(console, step, indent);
}

}  // namespace

void print_chain_tree(Console& console, const std::vector<json::Document>& steps) {
    std::size_t index_width = kIndexWidthMin;
    for (const json::Document& step : steps) {
        index_width = std::max(index_width, text_at(step.root(), "chainIndex").size() + 1);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        print_step(console, steps[i].root(), i + 1 == steps.size(), index_width);
    }
}

}  // namespace semel::cli
