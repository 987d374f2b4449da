#include "net/chunks.hpp"

#include <string>

#include <gtest/gtest.h>

namespace semel::net {
namespace {

const std::string kBytes = "5\r\nhello\r\n00A\r\n, chunks!!\r\n1\r\n\n\r\n0\r\n\r\n";
const std::string kBody = "hello, chunks!!\n";
const std::string kNext = "GET / HTTP/1.1\r\n";

TEST(ChunkDecoder, JoinsChunksAndStopsAtTheEnd) {
    ChunkDecoder decoder(1000);
    std::string body;
    const auto step = decoder.feed(kBytes + kNext, body);
    EXPECT_TRUE(std::holds_alternative<ChunkDecoder::Done>(step.state));
    EXPECT_EQ(step.consumed, kBytes.size());
    EXPECT_EQ(body, kBody);
}

TEST(ChunkDecoder, DecodesTheSameWhereverTheBytesAreCutTwice) {
    const std::string_view bytes = kBytes;
    for (std::size_t first = 0; first < bytes.size(); ++first) {
        for (std::size_t second = first; second < bytes.size(); ++second) {
            ChunkDecoder decoder(kBody.size());
            std::string body;
            for (const auto part : {bytes.substr(0, first), bytes.substr(first, second - first)}) {
                const auto step = decoder.feed(part, body);
                ASSERT_TRUE(std::holds_alternative<ChunkDecoder::NeedMore>(step.state));
                ASSERT_EQ(step.consumed, part.size());
            }
            const auto step = decoder.feed(bytes.substr(second), body);
            ASSERT_TRUE(std::holds_alternative<ChunkDecoder::Done>(step.state));
            ASSERT_EQ(body, kBody);
        }
    }
}

TEST(ChunkDecoder, AnEmptyBodyIsOneLastChunk) {
    ChunkDecoder decoder(0);
    std::string body;
    EXPECT_TRUE(
        std::holds_alternative<ChunkDecoder::Done>(decoder.feed("000\r\n\r\n", body).state));
    EXPECT_EQ(body, "");
}

TEST(ChunkDecoder, TakesABodyOfTheLimitAndRefusesOneByteMore) {
    const auto outcome = [](const std::string& bytes) {
        ChunkDecoder decoder(10);
        std::string body;
        const auto step = decoder.feed(bytes, body);
        const auto* refusal = std::get_if<Refusal>(&step.state);
        EXPECT_LE(body.size(), 10u);
        return refusal == nullptr ? 200 : refusal->status;
    };
    EXPECT_EQ(outcome("a\r\n0123456789\r\n0\r\n\r\n"), 200);
    EXPECT_EQ(outcome("b\r\n0123456789a\r\n0\r\n\r\n"), 413);
    EXPECT_EQ(outcome("5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n"), 200);
    EXPECT_EQ(outcome("5\r\n01234\r\n6\r\n56789a\r\n0\r\n\r\n"), 413);
    // Refused by its size line, before any byte of it.
    EXPECT_EQ(outcome("ffffffffffffffff\r\n"), 413);
}

}  // namespace
}  // namespace semel::net
