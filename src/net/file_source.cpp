#include "net/file_source.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace semel::net {

namespace {

class FileSource : public BodySource {
public:
    explicit FileSource(std::shared_ptr<const OpenFile> file) : file_(std::move(file)) {}

    [[nodiscard]] std::optional<std::uint64_t> length() const override { return file_->size(); }

    // Blocks the io thread, so a piece is small.
    void read(OnPiece on_piece) override {
        const auto size = std::min<std::uint64_t>(kPieceBytesMax, file_->size() - offset_);
        auto piece = file_->read(offset_, static_cast<std::size_t>(size));
        if (!piece) return on_piece(piece.error());
        if (piece->size() != size)
            return on_piece(Error(ErrorCode::io_error, "the file became shorter"));
        offset_ += size;
        piece_ = *std::move(piece);
        on_piece(std::string_view(piece_));
    }

    void abort() override {}

private:
    std::shared_ptr<const OpenFile> file_;
    std::uint64_t offset_ = 0;
    std::string piece_;
};

}  // namespace

std::shared_ptr<BodySource> make_file_source(std::shared_ptr<const OpenFile> file) {
    return std::make_shared<FileSource>(std::move(file));
}

}  // namespace semel::net
