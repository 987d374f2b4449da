#include "store/sqlite/sqlite_committer.hpp"

namespace semel::sqlite {
namespace {

// Called on the writer thread. Posts an answer to the engine's executor.
template <typename T>
void reply(const Post& post, const Done<T>& done, Result<T> result) {
    auto shared = std::make_shared<Result<T>>(std::move(result));
    post([done, shared] { done(std::move(*shared)); });
}

}  // namespace

SqliteCommitter::~SqliteCommitter() {
    const bool posted = thread_.post([&writer = writer_] { writer.end_transaction(); });
    SEMEL_ASSERT(posted);
}

void SqliteCommitter::load(LoadSpec spec, Done<Loaded> done) {
    const auto shared = std::make_shared<LoadSpec>(std::move(spec));
    const bool posted =
        thread_.post([&writer = writer_, post = post_, shared, done = std::move(done)] {
            reply<Loaded>(post, done, writer.load(*shared));
        });
    SEMEL_ASSERT(posted);
}

void SqliteCommitter::write(std::shared_ptr<const OwnWrites> writes, Done<Written> done) {
    const bool posted = thread_.post(
        [&writer = writer_, post = post_, writes = std::move(writes), done = std::move(done)] {
            reply<Written>(post, done, writer.write(*writes));
        });
    SEMEL_ASSERT(posted);
}

void SqliteCommitter::commit(std::shared_ptr<const Changes> changes, Done<void> done) {
    const bool posted = thread_.post(
        [&writer = writer_, post = post_, changes = std::move(changes), done = std::move(done)] {
            reply<void>(post, done, writer.commit(*changes));
            writer.checkpoint_if_due();
        });
    SEMEL_ASSERT(posted);
}

void SqliteCommitter::roll_back(Done<void> done) {
    const bool posted = thread_.post([&writer = writer_, post = post_, done = std::move(done)] {
        reply<void>(post, done, writer.roll_back());
    });
    SEMEL_ASSERT(posted);
}

}  // namespace semel::sqlite
