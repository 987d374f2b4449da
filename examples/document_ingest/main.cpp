// Document ingest: a document in one version of its content is cut into snippets once; whoever asks
// gets the ids of those snippets.
//
//   cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build
//   build/document_ingest [STORE]
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include <semel/semel.hpp>

namespace {

struct Document {
    std::string name;
    std::string text;
};

// FNV-1a, to need no library here. Take SHA-256: two contents of one hash would be one document.
std::string hash_of(const std::string& text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    std::ostringstream hex;
    hex << std::hex << hash;
    return hex.str();
}

// Where snippets are kept: a sentence each.
class Snippets {
public:
    // Their ids, as JSON.
    std::string add(const std::string& text) {
        std::string ids;
        std::istringstream sentences(text);
        for (std::string sentence; std::getline(sentences, sentence, '.');) {
            const std::string id = "s" + std::to_string(by_id_.size() + 1);
            by_id_[id] = sentence;
            ids += (ids.empty() ? "\"" : ",\"") + id + "\"";
        }
        return "[" + ids + "]";
    }
    [[nodiscard]] std::size_t size() const { return by_id_.size(); }

private:
    std::map<std::string, std::string> by_id_;
};

// The ids of its snippets. They may be many: batch has the longer lease.
semel::Result<semel::OnceAnswer> ingest(semel::Engine& engine, Snippets& snippets,
                                        const Document& document) {
    const std::string hash = hash_of(document.text);
    return engine.once(
        {.key = "doc:" + document.name + ":" + hash, .fence_class = semel::FenceClass::batch},
        [&](const semel::OnceWork&) {
            return semel::OnceEffect{.effect_id = "ingest:" + hash,
                                     .receipt = snippets.add(document.text)};
        });
}

}  // namespace

int main(int argc, char** argv) {
    const auto engine = semel::Engine::open({.store = argc > 1 ? argv[1] : "document_ingest.db"});
    if (!engine) {
        std::cerr << "document_ingest: " << engine.error().message() << "\n";
        return 1;
    }
    (*engine)->start();
    Snippets snippets;
    const Document manual{"manual", "Plug it in.Turn it on"};
    const Document newer{"manual", "Plug it in.Turn it on.Wait"};
    for (const Document& document : {manual, manual, newer, manual}) {
        const auto answer = ingest(**engine, snippets, document);
        if (!answer || answer->sealed() == nullptr) {
            std::cerr << "document_ingest: the document was not taken in\n";
            return 1;
        }
        std::cout << document.name << (answer->ran_here() ? " cut into " : " is ")
                  << answer->sealed()->receipt << "\n";
    }
    (*engine)->stop();
    std::cout << "snippets: " << snippets.size() << "\n";
}
