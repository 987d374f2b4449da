#include "config/yaml_document.hpp"

#include <sstream>
#include <vector>

#include <yaml-cpp/eventhandler.h>

namespace semel {

namespace {

// Records where documents begin.
class DocumentStarts final : public YAML::EventHandler {
public:
    std::vector<YAML::Mark> marks;

    void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
};

// Returns the starts of the first two documents. For yaml-cpp a text like ` ,a` has documents
// without end.
std::vector<YAML::Mark> document_starts(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentStarts starts;
    while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) {
    }
    return starts.marks;
}

}  // namespace

std::variant<YAML::Node, YamlFault> load_document(const std::string& text) {
    try {
        // The mark of a document's end is an error inside quotes. Without it, a quote that is not
        // closed would silently contain the rest of the file.
        const std::string ended = text + (text.ends_with('\n') ? "...\n" : "\n...\n");
        const auto starts = document_starts(ended);
        if (starts.size() > 1) {
            return YamlFault{starts[1], "a second document; the file may have only one"};
        }
        return YAML::Load(ended);
    } catch (const YAML::Exception& failure) {
        const bool is_open = failure.msg == YAML::ErrorMsg::DOC_IN_SCALAR;
        return YamlFault{failure.mark, "not valid YAML: " +
                                           (is_open ? "a quote is opened and not closed before here"
                                                    : failure.msg)};
    }
}

}  // namespace semel
