#include "runtime/in_commit.hpp"

#include <exception>
#include <utility>

namespace semel {
namespace {

thread_local bool in_commit = false;

class InCommit {
public:
    InCommit() : before_(std::exchange(in_commit, true)) {}
    ~InCommit() { in_commit = before_; }
    InCommit(const InCommit&) = delete;
    InCommit& operator=(const InCommit&) = delete;

private:
    const bool before_;
};

// Calls `function`. The text of an exception goes to `on_error`.
template <typename Function, typename OnError>
auto call(const Function& function, const OnError& on_error) {
    const InCommit scope;
    try {
        return function();
    } catch (const std::exception& error) {
        return on_error(error.what());
    } catch (...) {
        return on_error("the handler threw something that is no std::exception");
    }
}

}  // namespace

bool is_in_commit() {
    return in_commit;
}

HandlerResult call_in_commit(const std::function<HandlerResult(Tx&)>& function, Tx& tx) {
    return call([&] { return function(tx); }, [](const char* error) { return failed(error); });
}

std::optional<std::string> run_in_commit(const std::function<void(Tx&)>& function, Tx& tx) {
    return call(
        [&] {
            function(tx);
            return std::optional<std::string>();
        },
        [](const char* error) { return std::optional<std::string>(error); });
}

}  // namespace semel
