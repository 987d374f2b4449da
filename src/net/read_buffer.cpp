#include "net/read_buffer.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace semel::net {

ReadBuffer::Space ReadBuffer::prepare(std::size_t least) {
    if (begin_ > 0 && (empty() || bytes_.size() - end_ < least)) {
        std::copy(bytes_.data() + begin_, bytes_.data() + end_, bytes_.data());
        end_ -= begin_;
        begin_ = 0;
    }
    if (bytes_.size() - end_ < least) bytes_.resize(std::max(end_ + least, 2 * bytes_.size()));
    return {bytes_.data() + end_, bytes_.size() - end_};
}

void ReadBuffer::commit(std::size_t count) {
    SEMEL_ASSERT(count <= bytes_.size() - end_);
    end_ += count;
}

void ReadBuffer::consume(std::size_t count) {
    SEMEL_ASSERT(count <= size());
    begin_ += count;
}

}  // namespace semel::net
