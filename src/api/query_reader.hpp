// QueryReader: reads the parameters of a query strictly, one by one, as MemberReader reads a body.
//
// Use: read every parameter that the path has, then call problem(). Errors: problem() returns them.
// Threads: one at a time.
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
// A page ends early above this: 500 payloads of 1 MiB would be a body of 500 MiB.
inline constexpr std::size_t kPageBytesMax = std::size_t{8} << 20;

class QueryReader {
public:
    // Copies what it needs of `query`, which is raw and without its '?'.
    explicit QueryReader(std::string_view query);

    // The six readers return the parameter's value, or nullopt if it is absent or invalid. An
    // invalid or repeated one becomes the problem. A name has 1 to 255 bytes of UTF-8 without
    // control characters.
    std::optional<std::string> text(std::string_view name);
    std::optional<std::string> name(std::string_view name);
    std::optional<bool> boolean(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t min, std::int64_t max);
    std::optional<Time> time(std::string_view name);
    std::optional<Uuid> uuid(std::string_view name);

    // Records `detail` as the problem, unless there is one already.
    void fail(std::string detail);

    // Returns the first problem, otherwise a problem that names a parameter that was not read,
    // otherwise nullopt. Call it after all reads.
    [[nodiscard]] std::optional<Problem> problem();

private:
    std::vector<std::pair<std::string, std::string>> parameters_;
    std::vector<std::string> known_;
    std::optional<Problem> problem_;
};

// Reads `limit`, the items of a page: 1 to 500, 50 if absent.
[[nodiscard]] int read_limit(QueryReader& reader);

}  // namespace semel
