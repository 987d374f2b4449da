#include "store/postgres/committer.hpp"

namespace semel::postgres {
namespace {

constexpr std::size_t kTasksMax = 4;  // one step is under way at a time

}  // namespace

PostgresCommitter::PostgresCommitter(std::unique_ptr<Writer> writer, Post post)
    : post_(std::move(post)), writer_(std::move(writer)), thread_(kTasksMax) {}

template <typename T, typename Step>
void PostgresCommitter::run(Done<T> done, Step step) {
    const bool posted = thread_.post([this, done = std::move(done), step = std::move(step)] {
        const auto result = std::make_shared<Result<T>>(step(*writer_));
        post_([done, result] { done(std::move(*result)); });
    });
    SEMEL_ASSERT(posted);
}

void PostgresCommitter::load(LoadSpec spec, Done<Loaded> done) {
    const auto shared = std::make_shared<LoadSpec>(std::move(spec));
    run<Loaded>(std::move(done), [shared](Writer& writer) { return writer.load(*shared); });
}

void PostgresCommitter::save(std::shared_ptr<const Changes> changes, Done<void> done) {
    run<void>(std::move(done),
              [changes = std::move(changes)](Writer& writer) { return writer.save(*changes); });
}

void PostgresCommitter::commit(Done<void> done) {
    run<void>(std::move(done), [](Writer& writer) { return writer.commit(); });
}

void PostgresCommitter::roll_back(Done<void> done) {
    run<void>(std::move(done), [](Writer& writer) { return writer.roll_back(); });
}

}  // namespace semel::postgres
