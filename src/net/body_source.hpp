// BodySource: a body that its reader pulls piece by piece, so that no more of it is in memory than
// the reader has asked for. Errors, threads and lifetime: see the class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace semel::net {

// The largest piece that one read gives.
inline constexpr std::size_t kPieceBytesMax = std::size_t{64} * 1024;

// Threads: a source belongs to one io thread, which alone calls it and is called by it.
// Lifetime: a source that is destroyed before its end drops the rest of its body, like abort().
class BodySource {
public:
    // Receives the next piece, which is valid until the next read() and until abort(); empty: the
    // body has ended. An Error ends it too: the sender failed, was too slow or broke the framing.
    using OnPiece = std::function<void(Result<std::string_view>)>;

    BodySource() = default;
    virtual ~BodySource() = default;
    BodySource(const BodySource&) = delete;
    BodySource& operator=(const BodySource&) = delete;

    // The size of the whole body, if it is known beforehand.
    [[nodiscard]] virtual std::optional<std::uint64_t> length() const = 0;

    // Asks for the next piece. `on_piece` is called once, perhaps within the call.
    // REQUIRES: the piece before has arrived, and was not the end.
    virtual void read(OnPiece on_piece) = 0;

    // Drops the rest of the body. A waiting `on_piece` is no longer called. Idempotent.
    virtual void abort() = 0;
};

}  // namespace semel::net
