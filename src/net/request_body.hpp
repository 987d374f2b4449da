// RequestBody: the streamed body of one request, read through its connection. See BodySource.
//
// Errors: a read gives the error of the connection, or `unavailable` if the client has
// disconnected.
// Threads: the io thread of the connection.
// Lifetime: does not keep the connection alive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "net/body_source.hpp"
#include "net/connection.hpp"

namespace semel::net {

class RequestBody : public BodySource {
public:
    RequestBody(std::weak_ptr<Connection> connection, std::uint64_t request,
                std::optional<std::uint64_t> length)
        : connection_(std::move(connection)), request_(request), length_(length) {}
    ~RequestBody() override { give_up(); }
    RequestBody(const RequestBody&) = delete;
    RequestBody& operator=(const RequestBody&) = delete;

    [[nodiscard]] std::optional<std::uint64_t> length() const override { return length_; }

    void read(OnPiece on_piece) override {
        if (const auto connection = connection_.lock()) {
            connection->read_body(request_, std::move(on_piece));
        } else {
            on_piece(Error(ErrorCode::unavailable, "the client has gone"));
        }
    }
    void abort() override { give_up(); }

private:
    void give_up() {
        if (const auto connection = connection_.lock()) connection->abort_body(request_);
        connection_.reset();
    }

    std::weak_ptr<Connection> connection_;
    std::uint64_t request_;
    std::optional<std::uint64_t> length_;
};

}  // namespace semel::net
