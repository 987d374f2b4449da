#include <CLI/CLI.hpp>

#include "cli/api_client.hpp"

namespace semel::cli {
namespace {

constexpr const char* kDefaultUrl = "http://127.0.0.1:7363";

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options) {
    constexpr const char* kGroup = "Where";
    ConnectionOptions& to = options.connection;
    to.url = kDefaultUrl;
    command.allow_extras();
    command.add_flag("--json", options.as_json, "Print JSON for scripts");
    command.add_option("--url", to.url, "The server's address")
        ->envname("SEMEL_URL")
        ->type_name("URL")
        ->capture_default_str()
        ->group(kGroup);
    command.add_option("--token", to.token, "API token: the secret, env:NAME or file:PATH")
        ->envname("SEMEL_TOKEN")
        ->type_name("SECRET")
        ->group(kGroup);
    command.add_option("--tenant", to.tenant, "Act for this tenant")
        ->envname("SEMEL_TENANT")
        ->type_name("NAME")
        ->group(kGroup);
    command.add_option("--ca", to.ca, "Certificates to trust, in PEM, for https")
        ->envname("SEMEL_CA")
        ->type_name("FILE")
        ->group(kGroup);
    command.add_option("--store", to.store, "Open this store here instead of asking a server")
        ->type_name("PATH")
        ->group(kGroup);
}

}  // namespace semel::cli
