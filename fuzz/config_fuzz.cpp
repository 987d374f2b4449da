// Whatever a configuration file holds: it is understood or refused with its place, and so is every
// value in it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.hpp"
#include "config/reader.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace semel;
    const std::string text(reinterpret_cast<const char*>(data), size);
    UntakenKeys untaken;
    const auto checked = read_config("semel.yaml", text, &untaken);
    SEMEL_ASSERT(checked || checked.error().message().starts_with("semel.yaml"));
    const auto read = read_config("semel.yaml", text);
    if (!read) {
        SEMEL_ASSERT(read.error().message().starts_with("semel.yaml"));
        return 0;
    }
    Config config;
    for (const auto& [path, setting] : read->settings) {
        const ConfigKey* key = find_config_key(path);
        SEMEL_ASSERT(key != nullptr && key->shape != Shape::later);
        SEMEL_ASSERT(setting.source.starts_with("semel.yaml:"));
        const auto applied = key->apply(config, setting);
        SEMEL_ASSERT(applied || !applied.error().message().empty());
    }
    return 0;
}
