// QueryReader: reads the parameters of a query one by one, as MemberReader does for a body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "base/uuid.hpp"
#include "core/problem.hpp"

namespace semel {

inline constexpr std::int64_t kPageItemsDefault = 50;
inline constexpr std::int64_t kPageItemsMax = 500;
// A page ends early above this: 500 payloads of a megabyte are nobody's wish.
inline constexpr std::size_t kPageBytesMax = std::size_t{8} << 20;

class QueryReader {
public:
    explicit QueryReader(std::string_view query);

    // Each answers the parameter's value, or nothing where it is absent or wrong.
    std::optional<std::string> text(std::string_view name);
    std::optional<std::string> name(std::string_view name);
    std::optional<bool> boolean(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t min, std::int64_t max);
    std::optional<Time> time(std::string_view name);
    std::optional<Uuid> uuid(std::string_view name);

    void fail(std::string detail);

    // The first thing that was wrong; unknown parameters count last.
    [[nodiscard]] std::optional<Problem> problem();

private:
    std::vector<std::pair<std::string, std::string>> parameters_;
    std::vector<std::string> known_;
    std::optional<Problem> problem_;
};

// limit: how many items a page has.
[[nodiscard]] int read_limit(QueryReader& reader);

}  // namespace semel
