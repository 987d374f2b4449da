#include "cli/doctor/checkup.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

constexpr std::size_t kCheckWidth = 12;

std::string_view mark_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::good: return "✓";
        case Verdict::warning: return "!";
        case Verdict::bad: return "✗";
    }
    return "";
}

std::string_view word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::good: return "good";
        case Verdict::warning: return "warning";
        case Verdict::bad: return "bad";
    }
    return "";
}

}  // namespace

void Checkup::good(std::string check, std::string detail) {
    findings_.push_back({Verdict::good, std::move(check), std::move(detail), ""});
}

void Checkup::warn(std::string check, std::string detail, std::string advice) {
    findings_.push_back({Verdict::warning, std::move(check), std::move(detail), std::move(advice)});
}

void Checkup::bad(std::string check, std::string detail, std::string advice) {
    findings_.push_back({Verdict::bad, std::move(check), std::move(detail), std::move(advice)});
}

bool Checkup::has_bad() const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [](const Finding& f) { return f.verdict == Verdict::bad; });
}

void Checkup::print(Console& console) const {
    for (const Finding& finding : findings_) {
        console.out() << fmt::format("{} {:<{}} {}\n", mark_of(finding.verdict), finding.check,
                                     kCheckWidth, printable(finding.detail));
        if (!finding.advice.empty()) {
            console.out() << fmt::format("  {:<{}} → {}\n", "", kCheckWidth,
                                         printable(finding.advice));
        }
    }
}

std::string Checkup::to_json() const {
    JsonWriter out;
    out.begin_object().member("healthy", !has_bad()).begin_array("checks");
    for (const Finding& finding : findings_) {
        out.begin_object();
        out.member("check", finding.check).member("verdict", word_of(finding.verdict));
        out.member("detail", finding.detail);
        if (!finding.advice.empty()) {
            out.member("advice", finding.advice);
        }
        out.end_object();
    }
    return out.end_array().end_object().take();
}

}  // namespace semel::cli
