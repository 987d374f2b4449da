// Call: a request to another server, on an io thread, without blocking it. The result says whether
// the server can have received the request, because only the caller knows whether it may repeat it.
//
// Errors: CallEnd has a CallResult and a text.
// Threads: the io thread of its CallPool, also for every callback.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/body_source.hpp"
#include "net/http.hpp"

namespace semel::net {

struct CallRequest {
    std::string method;
    std::string target;           // the raw path and query
    std::vector<Header> headers;  // with Host; the call adds Content-Length or Transfer-Encoding
    std::string body;
    std::shared_ptr<BodySource> source = {};  // replaces `body`; belongs to the call's io thread

    std::chrono::steady_clock::time_point head_by;  // the answer's head must be here by then
    std::chrono::milliseconds idle{30'000};         // longest silence within the two bodies
};

// The head of an answer. 1xx heads are skipped.
struct CallHead {
    int status = 0;
    std::vector<Header> headers;
    std::shared_ptr<BodySource> body;  // null: the answer has none
};

enum class CallResult {
    answered,    // the answer is whole
    not_sent,    // no byte of the request has left
    maybe_sent,  // the connection was lost before an answer's first byte
    bad_answer,  // cut, or not HTTP/1.1
    timed_out,
    cancelled,  // by the caller, who also gave up the answer's body or whose own source failed
};

struct CallEnd {
    CallResult what = CallResult::answered;
    bool first_byte_written = false;  // of the request; true if that is not known
    bool is_reused = false;           // the connection was idle in the pool before
    std::string detail = {};          // for a log line; empty if answered
};

// The handle of a running call. Lifetime: dropping the handle does not end the call.
class Call {
public:
    virtual ~Call() = default;
    // Closes the connection. Calls `on_end` with `cancelled` before it returns, unless the call has
    // ended. A waiting read of the answer's body ends with `stopped`.
    virtual void cancel() = 0;
};

struct CallListener {
    // Called at most once. The listener must read the body to its end. If it aborts or drops the
    // body before that, the call ends as `cancelled`.
    std::function<void(CallHead)> on_head;
    // Called exactly once, and last. If the answer has a body, after the listener read its end.
    std::function<void(CallEnd)> on_end;
};

}  // namespace semel::net
