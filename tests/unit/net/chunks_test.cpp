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

// What a correct server may send and a client has no use for.
const std::string kExtras =
    "5;a=b\r\nhello\r\n00A ;\"q\"\r\n, chunks!!\r\n1\r\n\n\r\n0;last\r\nDigest: x\r\nB:\r\n\r\n";

TEST(LenientChunks, SkipsExtensionsAndTrailersWhereverTheBytesAreCut) {
    for (std::size_t cut = 0; cut < kExtras.size(); ++cut) {
        ChunkDecoder decoder(kBody.size(), ChunkExtras::skip);
        std::string body;
        const auto first = decoder.feed(kExtras.substr(0, cut), body);
        ASSERT_TRUE(std::holds_alternative<ChunkDecoder::NeedMore>(first.state)) << cut;
        const auto step = decoder.feed(kExtras.substr(cut) + kNext, body);
        ASSERT_TRUE(std::holds_alternative<ChunkDecoder::Done>(step.state)) << cut;
        EXPECT_EQ(step.consumed, kExtras.size() - cut);
        EXPECT_EQ(body, kBody);
    }
}

TEST(LenientChunks, AreRefusedInRequests) {
    ChunkDecoder decoder(kBody.size());
    std::string body;
    EXPECT_TRUE(std::holds_alternative<Refusal>(decoder.feed(kExtras, body).state));
}

TEST(LenientChunks, SkipsUpToTheLimit) {
    const auto accepts = [](const std::string& bytes) {
        ChunkDecoder decoder(1000, ChunkExtras::skip);
        std::string body;
        return std::holds_alternative<ChunkDecoder::Done>(decoder.feed(bytes, body).state);
    };
    // Each counts its CR, which ends the extra.
    const std::string longest(kChunkExtraBytesMax - 1, 'x');
    EXPECT_TRUE(accepts("1;" + longest + "\r\na\r\n0;" + longest + "\r\n\r\n"));
    EXPECT_FALSE(accepts("1;" + longest + "x\r\na\r\n0\r\n\r\n"));
    EXPECT_TRUE(accepts("0\r\n" + longest + "\r\n\r\n"));
    EXPECT_FALSE(accepts("0\r\n" + longest + "x\r\n\r\n"));
    EXPECT_FALSE(
        accepts("0\r\na:" + longest.substr(100) + "\r\nb:" + longest.substr(8000) + "\r\n\r\n"));
}

TEST(LenientChunks, StaysStrictAboutEverythingElse) {
    for (const char* bytes :
         {";a\r\n", " 1\r\n", "1\na", "1;a\nb", "1;\x01\r\n", "1\r\nab", "0\r\n\n", "0\r\na\nb",
          "0\r\na: \x7f\r\n", "0\r\na\rb", "g\r\n", "12345678901234567\r\n"}) {
        ChunkDecoder decoder(1000, ChunkExtras::skip);
        std::string body;
        EXPECT_TRUE(std::holds_alternative<Refusal>(decoder.feed(bytes, body).state)) << bytes;
    }
}

}  // namespace
}  // namespace semel::net
