// The patch between two payloads: its operations, its masks, its caps.
#include "core/json/json_diff.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/core/json/json_tree.hpp"

namespace semel {
namespace {

using test::parsed;

DiffResult diff(const std::string& first, const std::string& second,
                const DiffOptions& options = {}) {
    const json::Document a = parsed(first);
    const json::Document b = parsed(second);
    return json_diff(a.root(), b.root(), options);
}

std::string patch(const std::string& first, const std::string& second,
                  const DiffOptions& options = {}) {
    const DiffResult result = diff(first, second, options);
    EXPECT_FALSE(result.truncated);
    return result.patch_json;
}

TEST(JsonDiff, IsEmptyForTheSameContent) {
    EXPECT_EQ(patch("{}", "{ }"), "[]");
    EXPECT_EQ(patch(R"({"a":1,"b":[1.0,"\u0041"]})", R"({ "b":[1, "A"],"a":1e0 })"), "[]");
    EXPECT_EQ(patch("[9007199254740993]", "[9007199254740993]"), "[]");
}

// Around a number that does not survive the canonical form white space and order count: whoever is
// told that two contents differ is shown that they do, and every other difference by itself.
TEST(JsonDiff, IsNotEmptyWhereOnlyBytesDiffer) {
    EXPECT_EQ(patch("[9007199254740993]", "[ 9007199254740993 ]"),
              R"([{"op":"replace","path":"","value":[9007199254740993]}])");
    EXPECT_EQ(patch(R"({"n":9007199254740993,"a":1})", R"({"a":1,"n":9007199254740993})"),
              R"([{"op":"replace","path":"","value":{"a":1,"n":9007199254740993}}])");
    EXPECT_EQ(patch(R"({"n":9007199254740993,"a":1})", R"({"a":2, "n":9007199254740993})"),
              R"([{"op":"replace","path":"/a","value":2}])");
}

TEST(JsonDiff, DescribesMembers) {
    EXPECT_EQ(patch(R"({"a":1,"b":2,"c":{"d":3}})", R"({"a":1,"b":"2","e":[ 4 ],"c":{"d":5}})"),
              R"([{"op":"replace","path":"/b","value":"2"},)"
              R"({"op":"replace","path":"/c/d","value":5},)"
              R"({"op":"add","path":"/e","value":[4]}])");
    EXPECT_EQ(patch(R"({"a":1,"b":2})", R"({"b":2})"), R"([{"op":"remove","path":"/a"}])");
    EXPECT_EQ(patch(R"({"a":null})", "{}"), R"([{"op":"remove","path":"/a"}])");
}

TEST(JsonDiff, EscapesNamesInPaths) {
    EXPECT_EQ(patch(R"({"a/b~c":{"\"":1}})", R"({"a/b~c":{"\"":2}})"),
              R"([{"op":"replace","path":"/a~1b~0c/\"","value":2}])");
    EXPECT_EQ(patch(R"({"":1})", R"({"":2})"), R"([{"op":"replace","path":"/","value":2}])");
}

TEST(JsonDiff, ReplacesTheWholeWhereKindsDiffer) {
    EXPECT_EQ(patch("{}", "[]"), R"([{"op":"replace","path":"","value":[]}])");
    EXPECT_EQ(patch("1", "2"), R"([{"op":"replace","path":"","value":2}])");
    EXPECT_EQ(patch(R"({"a":[1]})", R"({"a":{"0":1}})"),
              R"([{"op":"replace","path":"/a","value":{"0":1}}])");
    EXPECT_EQ(patch("true", "false"), R"([{"op":"replace","path":"","value":false}])");
}

TEST(JsonDiff, TrimsWhatArraysHaveInCommon) {
    EXPECT_EQ(patch("[1,2,3]", "[1,2,3,4,5]"),
              R"([{"op":"add","path":"/3","value":4},{"op":"add","path":"/4","value":5}])");
    EXPECT_EQ(patch("[1,2,3]", "[0,1,2,3]"), R"([{"op":"add","path":"/0","value":0}])");
    EXPECT_EQ(patch("[1,2,3,4]", "[1,4]"),
              R"([{"op":"remove","path":"/2"},{"op":"remove","path":"/1"}])");
    EXPECT_EQ(patch("[1,2,3]", "[1,9,3]"), R"([{"op":"replace","path":"/1","value":9}])");
    EXPECT_EQ(patch("[1,1]", "[1]"), R"([{"op":"remove","path":"/1"}])");
    EXPECT_EQ(patch(R"([{"a":1}])", R"([{"b":1}])"),
              R"([{"op":"remove","path":"/0/a"},{"op":"add","path":"/0/b","value":1}])");
    EXPECT_EQ(patch("[]", "[1]"), R"([{"op":"add","path":"/0","value":1}])");
    EXPECT_EQ(patch(R"([{"id":1,"n":1},{"id":2,"n":1}])", R"([{"id":1,"n":1},{"id":2,"n":7}])"),
              R"([{"op":"replace","path":"/1/n","value":7}])");
}

TEST(JsonDiff, KeepsNumbersAndStringsAsTheyCame) {
    EXPECT_EQ(patch("[1]", R"([{ "a" : 1.50, "b" : "\u0041" }])"),
              R"([{"op":"replace","path":"/0","value":{"a":1.50,"b":"\u0041"}}])");
    EXPECT_EQ(patch("9007199254740992", "9007199254740993"),
              R"([{"op":"replace","path":"","value":9007199254740993}])");
}

TEST(JsonDiff, MasksSecretsByName) {
    for (const std::string name : {"password", "secret", "token", "authorization", "card", "cvv",
                                   "PASSWORD", "Token", "cArD"}) {
        const std::string path = R"("path":"/x/)" + name + "\"";
        EXPECT_EQ(patch(R"({"x":{")" + name + R"(":"one"}})", R"({"x":{")" + name + R"(":"two"}})"),
                  R"([{"op":"replace",)" + path + R"(,"value":"***"}])");
        EXPECT_EQ(patch(R"({"x":{}})", R"({"x":{")" + name + R"(":{"deep":["two"]}}})"),
                  R"([{"op":"add",)" + path + R"(,"value":"***"}])");
    }
    EXPECT_EQ(patch("{}", R"({"passwords":1})"), R"([{"op":"add","path":"/passwords","value":1}])");
    EXPECT_EQ(patch("{}", R"({"car":1})"), R"([{"op":"add","path":"/car","value":1}])");
}

TEST(JsonDiff, MasksSecretsInsideValuesAndNeverLooksBelowThem) {
    EXPECT_EQ(patch("{}", R"({"user":{"name":"n","auth":[{"Secret":"s3"},{"cvv":123}]}})"),
              R"([{"op":"add","path":"/user","value":)"
              R"({"name":"n","auth":[{"Secret":"***"},{"cvv":"***"}]}}])");
    EXPECT_EQ(
        patch(R"({"card":{"number":"41","exp":"1"}})", R"({"card":{"number":"42","exp":"1"}})"),
        R"([{"op":"replace","path":"/card","value":"***"}])");
    EXPECT_EQ(patch(R"({"token":["s1"]})", R"({"token":["s1","s2"]})"),
              R"([{"op":"replace","path":"/token","value":"***"}])");
    EXPECT_EQ(patch(R"({"t\u006fken":"s1"})", R"({"t\u006Fken":"s2"})"),
              R"([{"op":"replace","path":"/token","value":"***"}])");
    EXPECT_EQ(patch(R"({"token":"s1"})", R"({ "token" : "\u00731" })"), "[]");
    EXPECT_EQ(patch(R"([{"a":1}])", R"([[{"password":"s"}]])"),
              R"([{"op":"replace","path":"/0","value":[{"password":"***"}]}])");
}

TEST(JsonDiff, MasksPointers) {
    DiffOptions options;
    options.mask = {"/ssn", "/list/1", "/deep/a~1b"};
    EXPECT_EQ(patch(R"({"ssn":1,"list":[1,2],"deep":{"a/b":1}})",
                    R"({"ssn":2,"list":[1,3],"deep":{"a/b":{"x":2}}})", options),
              R"([{"op":"replace","path":"/deep/a~1b","value":"***"},)"
              R"({"op":"replace","path":"/list/1","value":"***"},)"
              R"({"op":"replace","path":"/ssn","value":"***"}])");
    EXPECT_EQ(patch("{}", R"({"ssn":{"x":1},"list":[5,6],"deep":{"ssn":1}})", options),
              R"([{"op":"add","path":"/deep","value":{"ssn":1}},)"
              R"({"op":"add","path":"/list","value":[5,"***"]},)"
              R"({"op":"add","path":"/ssn","value":"***"}])");
    options.mask = {""};
    EXPECT_EQ(patch(R"({"a":1})", R"({"a":2})", options),
              R"([{"op":"replace","path":"","value":"***"}])");
}

TEST(JsonDiff, MasksNoNameWhenToldNotTo) {
    DiffOptions options;
    options.mask_default_names = false;
    EXPECT_EQ(patch("{}", R"({"token":"t"})", options),
              R"([{"op":"add","path":"/token","value":"t"}])");
}

TEST(JsonDiff, StopsAtTheCapOfOperations) {
    std::string first = "[";
    std::string second = "[";
    for (int i = 0; i < 150; ++i) {
        first += std::to_string(i) + ",";
        second += std::to_string(i + 1000) + ",";
    }
    const DiffResult capped = diff(first + "0]", second + "0]");
    EXPECT_TRUE(capped.truncated);
    EXPECT_EQ(parsed(capped.patch_json).root().size(), 100U);
    const DiffResult whole = diff(first + "0]", second + "0]", {.operations_max = 150});
    EXPECT_FALSE(whole.truncated);
    EXPECT_EQ(parsed(whole.patch_json).root().size(), 150U);
    EXPECT_TRUE(diff(first + "0]", second + "0]", {.operations_max = 149}).truncated);
}

TEST(JsonDiff, NamesThePlaceOfAValueThatExceedsTheCapOfBytes) {
    const std::string second = R"({"a":1,"b":")" + std::string(20'000, 'x') + R"(","c":2})";
    const DiffResult result = diff("{}", second);
    EXPECT_TRUE(result.truncated);
    EXPECT_EQ(result.patch_json,
              R"([{"op":"add","path":"/a","value":1},{"op":"add","path":"/b","value":"…"},)"
              R"({"op":"add","path":"/c","value":2}])");
    const std::string exact = R"([{"op":"add","path":"/a","value":1}])";
    EXPECT_EQ(diff("{}", R"({"a":1})", {.bytes_max = exact.size()}).patch_json, exact);
    const DiffResult nothing = diff("{}", R"({"a":1})", {.bytes_max = exact.size() - 1});
    EXPECT_EQ(nothing.patch_json, "[]");
    EXPECT_TRUE(nothing.truncated);
}

TEST(JsonDiff, StaysBelowTheCapWhateverTheValues) {
    std::string huge = "[";
    for (int i = 0; i < 50'000; ++i) huge += R"({"name":"value","list":[1,2,3]},)";
    huge += "0]";
    const DiffResult result = diff(R"({"x":0,"y":0})", R"({"x":)" + huge + R"(,"y":1})");
    EXPECT_TRUE(result.truncated);
    EXPECT_EQ(result.patch_json, R"([{"op":"replace","path":"/x","value":"…"},)"
                                 R"({"op":"replace","path":"/y","value":1}])");
}

}  // namespace
}  // namespace semel
