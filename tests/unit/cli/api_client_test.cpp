#include "cli/api_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

net::Response refusal(int dependants) {
    std::string ids;
    for (int i = 0; i < dependants; ++i) {
        ids += (i == 0 ? "\"" : ",\"") + std::string("id-") + std::to_string(i) + "\"";
    }
    net::Response response;
    response.status = 409;
    response.body = R"({"code":"dependants","detail":"others wait","dependants":[)" + ids + "]}";
    return response;
}

TEST(DescribeProblem, TellsWhoDependsOnIt) {
    const std::string few = describe_problem(refusal(20));
    EXPECT_THAT(few, HasSubstr("dependants: others wait\n  dependants:\n    id-0\n    id-1\n"));
    EXPECT_THAT(few, EndsWith("\n    id-19"));
    const std::string many = describe_problem(refusal(23));
    EXPECT_THAT(many, EndsWith("\n    id-19\n    and 3 more"));
    EXPECT_THAT(many, Not(HasSubstr("id-20")));
}

}  // namespace
}  // namespace semel::cli
