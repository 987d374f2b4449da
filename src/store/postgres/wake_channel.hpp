// WakeChannel: sends hints to the other nodes and receives theirs, by NOTIFY and LISTEN. It uses a
// separate connection, because commits with a NOTIFY would be made one after another.
//
// Errors: none. A lost connection is opened again, and hints until then are lost (see HintChannel).
// Threads: any. Callbacks run on the WakeChannel's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "store/postgres/connection.hpp"
#include "store/threads/hint_channel.hpp"

namespace semel::postgres {

class WakeChannel final : private HintChannel::Ear {
public:
    // `chore` is called about every 500 ms, with the connection.
    WakeChannel(ConnectionOptions options, std::function<void(Connection&)> chore);

    // Sets the function to call at a hint of work, and every 500 ms. After watch(nullptr) returns,
    // the old function is not running and will not run.
    void watch(std::function<void()> poll) { channel_.watch(std::move(poll)); }
    // Does the same for hints that another node might have ended a chain or an effect.
    void watch_ends(std::function<void()> poll) { channel_.watch_ends(std::move(poll)); }

    // Send hints to the other nodes: of work, and of an end. Return at once. Hints of ends are at
    // least 20 ms apart.
    void tell();
    void tell_ends();

private:
    [[nodiscard]] bool serve() override;
    [[nodiscard]] HintChannel::Heard listen(std::chrono::milliseconds most, int fd) override;
    void do_chores() override;

    [[nodiscard]] Result<std::unique_ptr<Connection>> connect() const;
    void tell_others();

    const ConnectionOptions options_;
    const std::function<void(Connection&)> chore_;
    std::atomic<bool> is_telling_ = false;
    std::atomic<bool> is_telling_ends_ = false;
    // Used only on the thread.
    std::unique_ptr<Connection> connection_;           // null: not connected
    std::chrono::steady_clock::time_point next_ends_;  // no hint of an end is sent before this
    HintChannel channel_;                              // last: it uses the rest
};

}  // namespace semel::postgres
