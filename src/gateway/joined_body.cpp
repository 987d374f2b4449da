#include "gateway/joined_body.hpp"

#include <algorithm>
#include <utility>

namespace semel::gateway {

namespace {

class JoinedBody : public net::BodySource {
public:
    JoinedBody(std::string begin, std::shared_ptr<net::BodySource> rest)
        : begin_(std::move(begin)), rest_(std::move(rest)) {}

    [[nodiscard]] std::optional<std::uint64_t> length() const override { return rest_->length(); }
    void read(OnPiece on_piece) override {
        if (given_ == begin_.size()) {
            begin_ = std::string();
            given_ = 0;
            return rest_->read(std::move(on_piece));
        }
        const auto piece = std::string_view(begin_).substr(given_, net::kPieceBytesMax);
        given_ += piece.size();
        on_piece(piece);
    }
    void abort() override { rest_->abort(); }

private:
    std::string begin_;
    std::size_t given_ = 0;
    std::shared_ptr<net::BodySource> rest_;
};

}  // namespace

std::shared_ptr<net::BodySource> join_body(std::string begin,
                                           std::shared_ptr<net::BodySource> rest) {
    return std::make_shared<JoinedBody>(std::move(begin), std::move(rest));
}

}  // namespace semel::gateway
