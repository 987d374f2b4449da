// A queue consumer: the queue delivers at least once, and is told of a message's end only after
// the seal.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/queue_consumer [STORE]
#include <deque>
#include <iostream>
#include <string>

#include <semel/semel.hpp>

namespace {

struct Message {
    std::string id;  // the sender's: the same in each delivery
    std::string text;
};

// Delivers what is not acknowledged again. Its first acknowledgement gets lost.
class Queue {
public:
    explicit Queue(std::deque<Message> messages) : messages_(std::move(messages)) {}

    [[nodiscard]] bool empty() const { return messages_.empty(); }
    [[nodiscard]] const Message& next() const { return messages_.front(); }
    void acknowledge() {
        if (++acknowledged_ > 1) {
            messages_.pop_front();
        }
    }

private:
    std::deque<Message> messages_;
    int acknowledged_ = 0;
};

// Whether the message is done with. Otherwise the queue keeps it, and delivers it again.
bool handle(semel::Engine& engine, const Message& message, int& mails) {
    const auto answer = engine.once("mail:" + message.id, [&](const semel::OnceWork& work) {
        std::cout << "sending " << message.text << (work.is_takeover ? " again" : "") << "\n";
        ++mails;
        return semel::OnceEffect{"mail-" + std::to_string(mails)};
    });
    if (!answer || answer->problem() != nullptr) {
        std::cerr << "queue_consumer: "
                  << (answer ? answer->problem()->detail : answer.error().message()) << "\n";
        return false;
    }
    std::cout << message.id << (answer->ran_here() ? ": sent as " : ": had been sent as ")
              << answer->sealed()->effect_id << "\n";
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const auto engine = semel::Engine::open({.store = argc > 1 ? argv[1] : "queue_consumer.db"});
    if (!engine) {
        std::cerr << "queue_consumer: " << engine.error().message() << "\n";
        return 1;
    }
    (*engine)->start();
    Queue queue({{"m1", "an invoice"}, {"m2", "a reminder"}});
    int mails = 0;
    while (!queue.empty()) {
        if (!handle(**engine, queue.next(), mails)) {
            return 1;
        }
        queue.acknowledge();  // after the seal
    }
    (*engine)->stop();
    std::cout << "mails: " << mails << "\n";
}
