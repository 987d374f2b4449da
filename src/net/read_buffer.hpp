// ReadBuffer: the bytes that were read from a connection and not used yet, in one contiguous block.
// Use: prepare(), read into the space, commit(), then consume() from the front.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace semel::net {

class ReadBuffer {
public:
    // The view is valid until the next prepare().
    [[nodiscard]] std::string_view unread() const { return {bytes_.data() + begin_, size()}; }
    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    [[nodiscard]] bool empty() const { return begin_ == end_; }
    [[nodiscard]] std::size_t capacity() const { return bytes_.size(); }

    struct Space {
        char* data = nullptr;
        std::size_t size = 0;
    };
    // Returns space for at least `least` bytes; the buffer grows if needed. Invalidates unread().
    [[nodiscard]] Space prepare(std::size_t least);
    // Adds the first `count` bytes of the space to the unread ones.
    void commit(std::size_t count);
    // Drops the first `count` unread bytes.
    void consume(std::size_t count);

private:
    std::vector<char> bytes_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace semel::net
