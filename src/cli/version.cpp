// semel version [--json]
#include "cli/version.hpp"

#include <memory>

#include <CLI/CLI.hpp>

#include "cli/session.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

void add_version(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("version", "Show the version of this program");
    command->allow_extras();
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "Print JSON");
    command->callback([&session, as_json] {
        session.run = [&session, as_json] {
            if (*as_json) {
                JsonWriter json;
                json.begin_object().member("name", "semel").member("version", kVersion);
                session.console.out() << json.end_object().take() << "\n";
            } else {
                session.console.out() << "semel " << kVersion << "\n";
            }
            return kOk;
        };
    });
}

}  // namespace semel::cli
