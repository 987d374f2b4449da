// Sources and targets that cannot be, and what is said of them.
#include <fstream>

#include "move/fixture.hpp"

namespace semel::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RefusedTransfer : public TransferTest {
protected:
    void make_file() {
        ASSERT_TRUE(StoreDriver(*open_file()).write(inserting({ready_job(1)})).has_value());
    }
};

TEST_F(RefusedTransfer, ASourceThatIsServed) {
    const auto store = open_file();
    const Error error = refusal(make_database());
    EXPECT_EQ(error.code(), ErrorCode::busy);
    EXPECT_THAT(error.message(), AllOf(HasSubstr("in use by process"), HasSubstr("stop that")));
}

TEST_F(RefusedTransfer, ASourceThatIsNone) {
    const std::string url = make_database();
    EXPECT_EQ(refusal(url).code(), ErrorCode::not_found);
    EXPECT_FALSE(std::filesystem::exists(file)) << "nothing is made";
    EXPECT_FALSE(std::filesystem::exists(file + ".lock"));
    std::ofstream(file) << "not a database, but long enough to look like something at first sight";
    EXPECT_EQ(refusal(url).code(), ErrorCode::corrupt);
    EXPECT_EQ(open_transfer_source(folder.path()).error().code(), ErrorCode::invalid);
    EXPECT_EQ(open_transfer_source("postgres://x/y").error().code(), ErrorCode::invalid);
    EXPECT_EQ(open_transfer_source("redis://x").error().code(), ErrorCode::invalid);
    EXPECT_EQ(ask_postgres(url, "select to_regnamespace('semel')"), "");
}

TEST_F(RefusedTransfer, ATargetThatIsNoDatabase) {
    make_file();
    const Error file_path = refusal("./other.db");
    EXPECT_EQ(file_path.code(), ErrorCode::invalid);
    EXPECT_THAT(file_path.message(), HasSubstr("postgres://user@host/db"));
    const Error absent = refusal("postgres://me:secret@127.0.0.1:1/none");
    EXPECT_EQ(absent.code(), ErrorCode::unavailable);
    EXPECT_THAT(absent.message(), AllOf(HasSubstr("cannot open postgres://me@127.0.0.1:1/none"),
                                        Not(HasSubstr("secret"))));
}

TEST_F(RefusedTransfer, ATargetWithDataOfItsOwn) {
    make_file();
    const std::string url = make_database();
    ASSERT_TRUE(migrate_schema(url).has_value());
    ask_postgres(url,
                 "insert into semel.outbox (verb, tenant, subject, token) "
                 "values (0, 'acme', gen_random_uuid(), 0)");
    const Error error = refusal(url);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), HasSubstr("has data of its own (in semel.outbox)"));
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.moved_from"), "0") << "as it was";
    EXPECT_TRUE(open_store(url).has_value());
}

TEST_F(RefusedTransfer, ATargetThatANodeUses) {
    make_file();
    const std::string url = make_database();
    ASSERT_TRUE(migrate_schema(url).has_value());
    ask_postgres(url, "update semel.meta set time_mark = extract(epoch from now()) * 1000 - 2000");
    const Error error = refusal(url);
    EXPECT_EQ(error.code(), ErrorCode::busy);
    EXPECT_THAT(error.message(), HasSubstr("a node uses "));
    ask_postgres(url, "update semel.meta set time_mark = time_mark - 60000");
    EXPECT_TRUE(transfer_to(url).has_value());
}

TEST_F(RefusedTransfer, ATargetThatIsHalfFilledFromAnotherStore) {
    make_file();
    const std::string url = make_database();
    ASSERT_FALSE(transfer_to(url, stop_at(1)).has_value());
    const std::string first = file + ".first";
    std::filesystem::rename(file, first);
    pass(Millis(1000));
    make_file();
    ask_postgres(url, "update semel.moved_from set path = '" + first + "'");
    const Error error = refusal(url);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), HasSubstr("is half filled from " + first));
    std::filesystem::rename(first, file);
    EXPECT_TRUE(transfer_to(url).has_value()) << "under whatever name: it is the same store";
}

TEST_F(RefusedTransfer, ASourceThatWasServedAgainMeanwhile) {
    make_file();
    const std::string url = make_database();
    ASSERT_FALSE(transfer_to(url, stop_at(2)).has_value());
    pass(Millis(1000));
    ASSERT_TRUE(StoreDriver(*open_file()).write(inserting({ready_job(2)})).has_value());
    const Error error = refusal(url);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), HasSubstr("was changed after this move began"));
}

TEST_F(RefusedTransfer, ATargetThatWasFilledFromAnotherStore) {
    make_file();
    const std::string url = make_database();
    ASSERT_TRUE(transfer_to(url).has_value());
    pass(Millis(1000));
    ASSERT_TRUE(StoreDriver(*open_file()).write(inserting({ready_job(2)})).has_value());
    const Error error = refusal(url);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), HasSubstr("choose an empty database"));
}

TEST_F(RefusedTransfer, LookingChangesNothing) {
    make_file();
    const std::string url = make_database();
    const auto source = open_transfer_source(file).value();
    const auto target = open_transfer_target(url).value();
    const TransferState fresh = target->inspect(source->origin()).value();
    EXPECT_FALSE(fresh.started_at.has_value());
    EXPECT_EQ(ask_postgres(url, "select to_regnamespace('semel')"), "");
    ASSERT_TRUE(target->begin(source->origin()).has_value());
    EXPECT_TRUE(target->inspect(source->origin()).value().started_at.has_value());
}

}  // namespace
}  // namespace semel::test
