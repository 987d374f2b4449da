// Bytes that were read and not yet used: a flat buffer that grows when asked to.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace semel::net {

class ReadBuffer {
public:
    [[nodiscard]] std::string_view unread() const { return {bytes_.data() + begin_, size()}; }
    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    [[nodiscard]] bool empty() const { return begin_ == end_; }

    struct Space {
        char* data = nullptr;
        std::size_t size = 0;
    };
    // At least `least` bytes to read into. Moves what is unread: views of it die.
    [[nodiscard]] Space prepare(std::size_t least);
    // `count` bytes were read into the space.
    void commit(std::size_t count);
    void consume(std::size_t count);

private:
    std::vector<char> bytes_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace semel::net
