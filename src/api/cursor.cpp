#include "api/cursor.hpp"

#include <algorithm>

#include "api/base64.hpp"
#include "base/hash.hpp"

namespace semel {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kFiltersBytes = 8;
constexpr std::size_t kNumberBytes = 8;

std::string head_of(const WalkFields& fields) {
    FieldHasher hasher("semel.cursor.v1");
    for (const std::string& field : fields) {
        hasher.field(field);
    }
    const Hash256 hash = hasher.finish();
    std::string head(1, kVersion);
    head.append(reinterpret_cast<const char*>(hash.bytes.data()), kFiltersBytes);
    return head;
}

void append_number(std::string& bytes, std::int64_t number) {
    for (int shift = 56; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<char>((static_cast<std::uint64_t>(number) >> shift) & 0xFFU));
    }
}

std::int64_t number_in(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char c : bytes.substr(0, kNumberBytes)) {
        number = (number << 8) | static_cast<unsigned char>(c);
    }
    return static_cast<std::int64_t>(number);
}

// Returns the bytes of the position.
std::variant<std::string, Problem> open_cursor(std::string_view cursor, const WalkFields& fields,
                                               std::size_t position_bytes) {
    const auto bytes = from_base64url(cursor);
    const std::size_t head_bytes = 1 + kFiltersBytes;
    if (!bytes || bytes->size() != head_bytes + position_bytes || bytes->front() != kVersion) {
        return invalid("`cursor` is not one that this list gave out");
    }
    if (bytes->substr(0, head_bytes) != head_of(fields)) {
        return invalid("`cursor` belongs to a walk with other filters; start again without it");
    }
    return bytes->substr(head_bytes);
}

}  // namespace

std::string time_field(const std::optional<Time>& time) {
    return time ? format_rfc3339(*time) : "";
}

std::string make_cursor(const WalkFields& fields, const Uuid& last) {
    std::string bytes = head_of(fields);
    bytes.append(reinterpret_cast<const char*>(last.bytes.data()), last.bytes.size());
    return base64url(bytes);
}

std::string make_cursor(const WalkFields& fields, std::int64_t last) {
    std::string bytes = head_of(fields);
    append_number(bytes, last);
    return base64url(bytes);
}

std::variant<Uuid, Problem> read_id_cursor(std::string_view cursor, const WalkFields& fields) {
    auto opened = open_cursor(cursor, fields, Uuid{}.bytes.size());
    if (auto* problem = std::get_if<Problem>(&opened)) {
        return std::move(*problem);
    }
    Uuid id;
    const std::string& position = std::get<std::string>(opened);
    std::copy(position.begin(), position.end(), id.bytes.begin());
    return id;
}

std::variant<std::int64_t, Problem> read_number_cursor(std::string_view cursor,
                                                       const WalkFields& fields) {
    auto opened = open_cursor(cursor, fields, kNumberBytes);
    if (auto* problem = std::get_if<Problem>(&opened)) {
        return std::move(*problem);
    }
    return number_in(std::get<std::string>(opened));
}

std::variant<IdPage, Problem> read_id_page(QueryReader& reader, const WalkFields& fields) {
    IdPage page;
    page.limit = read_limit(reader);
    const auto cursor = reader.text("cursor");
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    if (cursor) {
        auto before = read_id_cursor(*cursor, fields);
        if (auto* problem = std::get_if<Problem>(&before)) {
            return std::move(*problem);
        }
        page.before = std::get<Uuid>(before);
    }
    return page;
}

std::string make_cursor(const WalkFields& fields, const ClaimPosition& last) {
    std::string bytes = head_of(fields);
    append_number(bytes, to_ms(last.created_at));
    bytes.append(last.id.bytes.begin(), last.id.bytes.end());
    return base64url(bytes);
}

std::variant<ClaimPage, Problem> read_claim_page(QueryReader& reader, const WalkFields& fields) {
    ClaimPage page;
    page.limit = read_limit(reader);
    const auto cursor = reader.text("cursor");
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    if (cursor) {
        auto opened = open_cursor(*cursor, fields, kNumberBytes + ClaimId{}.bytes.size());
        if (auto* problem = std::get_if<Problem>(&opened)) {
            return std::move(*problem);
        }
        const std::string& position = std::get<std::string>(opened);
        ClaimPosition& before = page.before.emplace();
        before.created_at = from_ms(number_in(position));
        std::copy(position.begin() + kNumberBytes, position.end(), before.id.bytes.begin());
    }
    return page;
}

}  // namespace semel
