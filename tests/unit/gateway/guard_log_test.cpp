// What the log says about requests that a content guard answered.
#include <sstream>

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "core/json/json.hpp"
#include "net/io_thread.hpp"
#include "unit/gateway/guard_fixture.hpp"

namespace semel::gateway {
namespace {

using namespace net::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A base, because the logger must exist before the fixture's Metrics.
class CapturedLog {
public:
    CapturedLog(const CapturedLog&) = delete;
    CapturedLog& operator=(const CapturedLog&) = delete;

protected:
    CapturedLog() {
        spdlog::drop("semel.decisions");
        auto logger = std::make_shared<spdlog::logger>(
            "semel.decisions", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_));
        logger->set_pattern("%v");
        spdlog::register_logger(logger);
    }
    ~CapturedLog() { spdlog::drop("semel.decisions"); }

    std::ostringstream log_;
};

class GuardLogTest : public CapturedLog, public GuardTest {
protected:
    // The lines about guards, each as "event mode tenant". Stops everything first, so that all
    // lines are there.
    std::vector<std::string> events() {
        gateway_->stop();
        host_.stop(Millis(0));
        std::vector<std::string> found;
        std::istringstream lines(log_.str());
        for (std::string line; std::getline(lines, line);) {
            const auto parsed = json::Document::parse(line);
            EXPECT_TRUE(parsed) << line;
            const auto text = [&](const char* member) {
                const auto value = parsed->root().find(member);
                return value ? std::string(value->as_string()) : "none";
            };
            if (!text("event").starts_with("message.api.")) continue;
            EXPECT_EQ(text("original_id").size(), 36U) << line;
            EXPECT_THAT(text("key"), HasSubstr("[\""));
            found.push_back(text("event") + " " + text("mode") + " " + text("tenant"));
        }
        return found;
    }
};

TEST_F(GuardLogTest, ABlockedMessageHasALine) {
    start_messages();
    (void)ask(post({}));
    (void)ask(post({}));
    (void)ask(post({}, "X-User: bob\r\n"));
    EXPECT_THAT(events(), ElementsAre("message.api.duplicate_blocked lock_resolved w1",
                                      "message.api.duplicate_blocked lock_resolved w1"));
    EXPECT_THAT(log_.str(), Not(HasSubstr("+15550100")));
    EXPECT_THAT(log_.str(), Not(HasSubstr("Hello")));
}

TEST_F(GuardLogTest, ALineSaysWhetherTheMessageWaited) {
    io_ =
        std::make_shared<net::IoThreads>(1);  // requests are admitted in the order of their sending
    Inbox inbox;
    start_upstream(inbox.handler());
    start_gateway({patient_route()});
    RawClient first(gateway_->port());
    first.send(post({}));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    RawClient second(gateway_->port());
    second.send(post({}));
    // A message that is sent later has been answered, so the second one has been admitted.
    RawClient other(gateway_->port());
    other.send(post({.text = "Bye"}));
    auto bye = inbox.next();
    ASSERT_TRUE(bye);
    bye->respond(net::test::text("{}"));
    (void)other.read_to_end();
    pending->respond(net::test::text("{}"));
    EXPECT_EQ(status_of(second.read_to_end().value()), 200);
    EXPECT_THAT(events(), ElementsAre("message.api.duplicate_blocked lock_resolved_polled w1"));
}

TEST_F(GuardLogTest, AMessageThatIsStillBeingSentHasALineOfItsOwn) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute hasty = guarded_route();
    hasty.guard->wait = Millis(0);
    start_gateway({hasty});
    RawClient first(gateway_->port());
    first.send(post({}));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    (void)ask(post({}));
    pending->respond(net::test::text("{}"));
    (void)first.read_to_end();
    EXPECT_THAT(events(), ElementsAre("message.api.duplicate_pending none w1"));
}

}  // namespace
}  // namespace semel::gateway
