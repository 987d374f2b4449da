// TimeZone: converts between UTC and the wall clock of a place, by a file of the IANA time zone
// database.
//
// The caller provides the bytes of the file. ZoneSource is the interface that finds zones by name.
// Immutable. Threads: any.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/time/posix_tz.hpp"

namespace semel {

class TimeZone {
public:
    // Reads a TZif file (RFC 9636). Accepts any bytes, and returns the error `corrupt` with the
    // reason if they are not a zone. A file that counts leap seconds is refused, because Time does
    // not.
    [[nodiscard]] static Result<std::shared_ptr<const TimeZone>> parse(std::string name,
                                                                       std::string_view bytes);
    [[nodiscard]] static std::shared_ptr<const TimeZone> utc();

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] std::chrono::seconds offset_at(std::chrono::sys_seconds time) const;
    [[nodiscard]] std::chrono::local_seconds local_at(std::chrono::sys_seconds time) const;
    [[nodiscard]] OffsetSpan span_at(std::chrono::sys_seconds time) const;

    // The instants at which the wall clock shows one local time: one, two or none.
    struct Instants {
        enum class Kind { unique, overlap, gap };
        Kind kind = Kind::unique;
        std::chrono::sys_seconds first;  // gap: the first instant after it
        std::chrono::sys_seconds last;   // overlap: the second time
    };
    [[nodiscard]] Instants instants_of(std::chrono::local_seconds local) const;

    // Returns the first instant at which the wall clock shows `local` or later. In an overlap that
    // is the first of two, in a gap its end. A later `local` never gives an earlier instant.
    [[nodiscard]] std::chrono::sys_seconds first_reaching(std::chrono::local_seconds local) const;

    // Returns the latest local time that the wall clock has shown up to `time`. first_reaching(l)
    // <= time if and only if l <= latest_shown(time). In the second pass of an overlap the result
    // stays the same.
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
    std::optional<PosixTz> rule_;           // applies after `rule_from_`
    std::chrono::sys_seconds rule_from_ = kSpanBegin;
};

// Finds time zones by name. For one name it must return the same zone as long as the process lives,
// so that a decision depends only on its arguments. Threads: any.
class ZoneSource {
public:
    ZoneSource() = default;
    ZoneSource(const ZoneSource&) = delete;
    ZoneSource& operator=(const ZoneSource&) = delete;
    virtual ~ZoneSource() = default;

    // Errors: `not_found` for an unknown name, with a message for users that can contain similar
    // names. Others mean that the zone could not be read.
    [[nodiscard]] virtual Result<std::shared_ptr<const TimeZone>> find(std::string_view name) = 0;
};

}  // namespace semel
