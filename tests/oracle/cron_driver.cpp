// Answers what Semel makes of (expression, zone, time) triples, for an oracle to compare.
//
//     cron_driver [--without-rule]
//
// A line on stdin is `expression TAB zone TAB milliseconds`; its answer is `next TAB last`: the
// first run after the time and the last one at or before it, in milliseconds or `none`; or `error
// TAB why`.
// --without-rule is the control: the zone files' last line, which holds for the years after the
// last transition, is cut off before they are read.
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "core/time/cron.hpp"
#include "runtime/zone_files.hpp"

namespace {

using namespace semel;

class Zones {
public:
    explicit Zones(bool with_rule) : with_rule_(with_rule), files_(ZoneFiles::default_folder()) {}

    Result<std::shared_ptr<const TimeZone>> find(const std::string& name) {
        if (with_rule_) return files_.find(name);
        auto& known = without_rule_[name];
        if (known != nullptr) return known;
        std::ifstream file(ZoneFiles::default_folder() + "/" + name, std::ios::binary);
        std::stringstream bytes;
        bytes << file.rdbuf();
        std::string text = bytes.str();
        const std::size_t line = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2);
        text.resize(line);
        text += "\n\n";
        SEMEL_TRY(zone, TimeZone::parse(name, text));
        known = zone;
        return zone;
    }

private:
    bool with_rule_;
    ZoneFiles files_;
    std::map<std::string, std::shared_ptr<const TimeZone>> without_rule_;
};

std::string written(std::optional<Time> time) {
    return time ? std::to_string(to_ms(*time)) : "none";
}

Result<std::string> answer(const std::string& line, Zones& zones) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (second == std::string::npos) return Error(ErrorCode::invalid, "not a triple: " + line);
    SEMEL_TRY(cron, Cron::parse(line.substr(0, first)));
    SEMEL_TRY(zone, zones.find(line.substr(first + 1, second - first - 1)));
    const Time time = from_ms(std::stoll(line.substr(second + 1)));
    return written(cron.next_after(time, *zone)) + "\t" +
           written(cron.last_at_or_before(time, *zone));
}

}  // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    Zones zones(argc < 2 || std::string_view(argv[1]) != "--without-rule");
    for (std::string line; std::getline(std::cin, line);) {
        const auto result = answer(line, zones);
        std::cout << (result ? *result : "error\t" + result.error().message()) << '\n';
    }
    return 0;
}
