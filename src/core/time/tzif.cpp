// TimeZone::parse: the bytes of a TZif file (RFC 9636).
//
//     file   := header data32                            version 1
//             | header data32 header data64 footer       version 2 and later; data32 is skipped
//     header := "TZif" version(1) unused(15) isut isstd leap time type char     six counts of 4
//     bytes data   := transition times(time × 4 or 8) type of each(time × 1)
//               types(type × (offset(4) isdst(1) name(1))) names(char)
//               leap seconds(leap × (8 or 12)) isstd(isstd × 1) isut(isut × 1)
//     footer := "\n" POSIX TZ string or nothing "\n"
#include <algorithm>
#include <cstdint>

#include "core/time/time_zone.hpp"

namespace semel {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr std::size_t kFileBytesMax = 64 * 1024;  // the largest zone has 4 KB
constexpr std::size_t kHeaderBytes = 44;
constexpr std::size_t kTypeBytes = 6;

struct Header {
    char version = '\0';
    std::uint64_t isut = 0;
    std::uint64_t isstd = 0;
    std::uint64_t leap = 0;
    std::uint64_t time = 0;
    std::uint64_t type = 0;
    std::uint64_t chars = 0;

    // Counts have 32 bits, so no sum here overflows.
    [[nodiscard]] std::uint64_t data_bytes(std::uint64_t time_bytes) const {
        return time * (time_bytes + 1) + type * kTypeBytes + chars + leap * (time_bytes + 4) +
               isstd + isut;
    }
};

// A big-endian number with its sign.
std::int64_t read_number(std::string_view bytes, std::size_t pos, std::size_t size) {
    std::uint64_t value = 0;
    for (const char c : bytes.substr(pos, size)) {
        value = (value << 8U) | static_cast<unsigned char>(c);
    }
    return size == 8 ? static_cast<std::int64_t>(value)
                     : static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

std::uint64_t read_count(std::string_view bytes, std::size_t pos) {
    return static_cast<std::uint32_t>(read_number(bytes, pos, 4));
}

}  // namespace

class TzifReader {
public:
    TzifReader(std::string name, std::string_view bytes) : rest_(bytes), zone_(new TimeZone()) {
        zone_->name_ = std::move(name);
    }

    Result<std::shared_ptr<const TimeZone>> read() {
        if (rest_.size() > kFileBytesMax) return broken("it is larger than any zone");
        SEMEL_TRY(first, read_header());
        if (first.version == '\0') {
            SEMEL_CHECK(read_data(first, 4));
            return std::shared_ptr<const TimeZone>(std::move(zone_));
        }
        if (first.data_bytes(4) > rest_.size()) return broken("it is cut off");
        rest_.remove_prefix(first.data_bytes(4));
        SEMEL_TRY(second, read_header());
        SEMEL_CHECK(read_data(second, 8));
        SEMEL_CHECK(read_footer());
        return std::shared_ptr<const TimeZone>(std::move(zone_));
    }

private:
    [[nodiscard]] Error broken(const std::string& why) const {
        return {ErrorCode::corrupt, "the zone file of " + zone_->name_ + " cannot be used: " + why};
    }

    Result<Header> read_header() {
        if (rest_.size() < kHeaderBytes || !rest_.starts_with("TZif")) {
            return broken("it is no TZif file");
        }
        const Header header{.version = rest_[4],
                            .isut = read_count(rest_, 20),
                            .isstd = read_count(rest_, 24),
                            .leap = read_count(rest_, 28),
                            .time = read_count(rest_, 32),
                            .type = read_count(rest_, 36),
                            .chars = read_count(rest_, 40)};
        // A version after 4 is to be read like 4.
        if (header.version != '\0' && header.version < '2') return broken("its version is unknown");
        rest_.remove_prefix(kHeaderBytes);
        return header;
    }

    Result<void> read_data(const Header& header, std::size_t time_bytes) {
        if (header.data_bytes(time_bytes) > rest_.size()) return broken("it is cut off");
        if (header.leap != 0) return broken("it counts leap seconds");
        if (header.type == 0) return broken("it has no offset");
        const std::size_t indexes = header.time * time_bytes;
        const std::size_t types = indexes + header.time;
        std::vector<seconds> offsets;
        for (std::size_t type = 0; type < header.type; ++type) {
            offsets.emplace_back(read_number(rest_, types + type * kTypeBytes, 4));
            if (offsets.back() < kOffsetMin || offsets.back() > kOffsetMax) {
                return broken("an offset is more than a day");
            }
        }
        zone_->first_offset_ = offsets.front();
        std::int64_t previous = INT64_MIN;
        for (std::size_t at = 0; at < header.time; ++at) {
            const std::int64_t time = read_number(rest_, at * time_bytes, time_bytes);
            const auto type = static_cast<unsigned char>(rest_[indexes + at]);
            if (at > 0 && time <= previous) return broken("its transitions are not in order");
            if (type >= offsets.size()) return broken("a transition has no offset");
            previous = time;
            add_transition(time, offsets[type]);
        }
        rest_.remove_prefix(header.data_bytes(time_bytes));
        return {};
    }

    // A transition that changes only the name of the time shows where the rule begins.
    void add_transition(std::int64_t time, seconds offset) {
        auto& all = zone_->transitions_;
        const sys_seconds at = std::clamp(sys_seconds(seconds(time)), kSpanBegin, kSpanEnd);
        if (offset != (all.empty() ? zone_->first_offset_ : all.back().offset)) {
            all.push_back({at, offset});
        }
        zone_->rule_from_ = at;
        has_transitions_ = true;
    }

    Result<void> read_footer() {
        const std::size_t end = rest_.find('\n', 1);
        if (rest_.empty() || rest_.front() != '\n' || end == std::string_view::npos) {
            return broken("its last line is missing");
        }
        const std::string_view text = rest_.substr(1, end - 1);
        if (text.empty()) return {};
        auto rule = PosixTz::parse(text);
        if (!rule) return broken(rule.error().message());
        zone_->rule_ = *rule;
        if (!has_transitions_) {
            zone_->first_offset_ = rule->span_at(sys_seconds()).offset;  // the rule has always held
        }
        return {};
    }

    std::string_view rest_;
    std::unique_ptr<TimeZone> zone_;
    bool has_transitions_ = false;
};

Result<std::shared_ptr<const TimeZone>> TimeZone::parse(std::string name, std::string_view bytes) {
    return TzifReader(std::move(name), bytes).read();
}

}  // namespace semel
