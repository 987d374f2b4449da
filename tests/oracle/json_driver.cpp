// Answers what Semel makes of JSON texts, for an oracle to compare.
//
//     json_driver [--unsorted]
//
// A line on stdin is `canonical TAB text`, which is answered by the RFC 8785 form or by `none`
// where a number does not survive it; or `diff TAB first TAB second`, which is answered by the JSON
// Patch that leads from the first to the second, with every cap and mask off. A text has no raw tab
// and no newline. What cannot be read is answered by `error TAB why`.
// --unsorted is the control: the text as it came stands for its canonical form, and a diff goes the
// wrong way.
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/canonical_json.hpp"
#include "core/json/json_diff.hpp"

namespace {

using namespace semel;

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::size_t begin = 0;
    for (std::size_t end = line.find('\t'); end != std::string::npos;
         end = line.find('\t', begin)) {
        fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    fields.push_back(line.substr(begin));
    return fields;
}

std::string canonical(const std::string& text, bool unsorted) {
    const auto document = json::Document::parse(text);
    if (!document) {
        return "error\t" + document.error().message;
    }
    return unsorted ? text : canonicalize(document->root()).value_or("none");
}

std::string diff(const std::string& from, const std::string& to) {
    const auto first = json::Document::parse(from);
    const auto second = json::Document::parse(to);
    if (!first || !second) {
        return "error\t" + (first ? second : first).error().message;
    }
    DiffOptions options;
    options.bytes_max = std::numeric_limits<std::size_t>::max();
    options.operations_max = std::numeric_limits<std::size_t>::max();
    options.mask_default_names = false;
    const DiffResult result = json_diff(first->root(), second->root(), options);
    return result.truncated ? "error\tthe diff is truncated" : result.patch_json;
}

std::string answer(const std::string& line, bool is_control) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() == 2 && fields[0] == "canonical") {
        return canonical(fields[1], is_control);
    }
    if (fields.size() == 3 && fields[0] == "diff") {
        return is_control ? diff(fields[2], fields[1]) : diff(fields[1], fields[2]);
    }
    return "error\tnot a question: " + line;
}

}  // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const bool is_control = argc > 1 && std::string_view(argv[1]) == "--unsorted";
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << answer(line, is_control) << '\n';
    }
    return 0;
}
