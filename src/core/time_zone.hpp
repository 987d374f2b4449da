// TimeZone: how the wall clock of a place runs against UTC, as a file of the IANA time zone
// database says. Immutable; read from the file's bytes, which somebody else fetches (see
// ZoneSource).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/posix_tz.hpp"

namespace semel {

class TimeZone {
public:
    // The bytes of a TZif file, versions 1 to 4 (RFC 9636). Any bytes may come: what is no zone is
    // an Error. A file that counts leap seconds is refused, because our time does not.
    [[nodiscard]] static Result<std::shared_ptr<const TimeZone>> parse(std::string name,
                                                                       std::string_view bytes);
    [[nodiscard]] static std::shared_ptr<const TimeZone> utc();

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] std::chrono::seconds offset_at(std::chrono::sys_seconds time) const;
    [[nodiscard]] std::chrono::local_seconds local_at(std::chrono::sys_seconds time) const;
    [[nodiscard]] OffsetSpan span_at(std::chrono::sys_seconds time) const;

    // When the wall clock shows `local`: once, twice, or never.
    struct Instants {
        enum class Kind { unique, overlap, gap };
        Kind kind = Kind::unique;
        std::chrono::sys_seconds first;  // gap: the first instant after it
        std::chrono::sys_seconds last;   // overlap: the second time
    };
    [[nodiscard]] Instants instants_of(std::chrono::local_seconds local) const;

    // The first instant at which the wall clock shows `local` or later: its first time where it
    // comes twice, the end of the gap where it never comes. Grows with `local`.
    [[nodiscard]] std::chrono::sys_seconds first_reaching(std::chrono::local_seconds local) const;

    // The latest that the wall clock has shown up to `time`: first_reaching(l) <= time if and only
    // if l <= latest_shown(time). In the second pass of an overlap it stands still.
    [[nodiscard]] std::chrono::local_seconds latest_shown(std::chrono::sys_seconds time) const;

private:
    struct Transition {
        std::chrono::sys_seconds time;
        std::chrono::seconds offset;  // from then on
    };
    friend class TzifReader;

    TimeZone() = default;

    std::string name_;
    std::chrono::seconds first_offset_{0};  // before the first transition
    std::vector<Transition> transitions_;   // ascending; each changes the offset
    std::optional<PosixTz> rule_;           // its changes count after `rule_from_`
    std::chrono::sys_seconds rule_from_ = kSpanBegin;
};

// Where core gets zones from. For one name it answers the same zone as long as the process lives,
// so that a decision depends on its arguments alone.
class ZoneSource {
public:
    ZoneSource() = default;
    ZoneSource(const ZoneSource&) = delete;
    ZoneSource& operator=(const ZoneSource&) = delete;
    virtual ~ZoneSource() = default;

    // not_found: there is no such zone; the message says so to a user, with names that are near.
    [[nodiscard]] virtual Result<std::shared_ptr<const TimeZone>> find(std::string_view name) = 0;
};

}  // namespace semel
