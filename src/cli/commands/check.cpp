// semel check FILE: checks whether a policy or a configuration can be used, and whether its times
// are long enough: windows for a provider's repeats, leases for a timeout.
#include <algorithm>
#include <iterator>
#include <memory>

#include <CLI/CLI.hpp>

#include "base/text.hpp"
#include "cli/session.hpp"
#include "config/config.hpp"
#include "config/files.hpp"
#include "config/policy_file.hpp"
#include "core/fences/policy_check.hpp"
#include "core/fences/providers.hpp"
#include "core/json/json_writer.hpp"
#include "runtime/open_store.hpp"

namespace semel::cli {

namespace {

constexpr std::size_t kFileBytesMax = 1024 * 1024;

struct CheckOptions {
    std::string file;
    std::vector<std::string> providers;
    bool as_json = false;
};

// Refuses an unknown provider, because a misspelt one would pass the check.
Result<Provider> provider_named(const std::string& name) {
    if (const Provider* provider = find_provider(name)) {
        return *provider;
    }
    std::vector<std::string> known;
    for (const Provider& provider : known_providers()) known.emplace_back(provider.name);
    const auto near = nearest(name, known);
    return Error(ErrorCode::invalid, "--provider: `" + printable(name) + "` is not known" +
                                         (near ? "; did you mean `" + *near + "`?" : ""));
}

struct Checked {
    CheckedSetup setup;
    std::vector<std::string> untaken;  // keys that the server of this version refuses
};

Result<Checked> read_setup(const CheckOptions& options) {
    const std::string& file = options.file;
    SEMEL_TRY(text, read_file(file, kFileBytesMax));
    Checked checked;
    CheckedSetup& setup = checked.setup;
    if (looks_like_policy(text)) {
        SEMEL_TRY(policy, parse_policy(file, text));
        if (const auto usable = check_fence_store(policy, &check_fence_store_url); !usable) {
            return usable.error().prefixed(file);
        }
        setup.policy = std::move(policy);
    } else {
        SEMEL_TRY(config, load_config({.file = file,
                                       .flags = {},
                                       .environment = {},
                                       .refuses_findings = false,
                                       .check_fence_store_url = &check_fence_store_url}));
        setup = setup_of(config);
        checked.untaken = config.untaken.paths;
    }
    for (const std::string& name : options.providers) {
        SEMEL_TRY(provider, provider_named(name));
        setup.providers.push_back(provider);
    }
    return checked;
}

std::string joined(const std::vector<std::string>& paths) {
    std::string list;
    for (const std::string& path : paths) {
        list.append(list.empty() ? "" : ", ").append(path);
    }
    return list;
}

// Returns one warning for all keys that this version of the server does not support.
Finding not_taken(const std::vector<std::string>& paths) {
    std::vector<std::string> unread;
    std::ranges::copy_if(paths, std::back_inserter(unread), [&](const std::string& path) {
        return path != "sources" && !path.starts_with("gateway.routes.");
    });
    return {Severity::warning, joined(paths),
            "`semel serve` of this version does not take this yet, and does not start with a file "
            "that has it" +
                (unread.empty() ? "" : "; not checked: " + joined(unread)),
            "leave it out of the file that this version is started with"};
}

std::string_view word_of(Severity severity) {
    return severity == Severity::error ? "error" : "warning";
}

void print_json(Console& console, const std::vector<Finding>& findings) {
    JsonWriter out;
    out.begin_object().begin_array("findings");
    for (const Finding& finding : findings) {
        out.begin_object().member("severity", word_of(finding.severity));
        out.member("where", finding.where).member("detail", finding.detail);
        out.member("fix", finding.fix).end_object();
    }
    console.out() << out.end_array().end_object().take() << "\n";
}

void print(Console& console, const std::string& file, const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        console.out() << word_of(finding.severity) << "  " << printable(finding.where) << ": "
                      << printable(finding.detail) << "\n         " << printable(finding.fix)
                      << "\n";
    }
    if (findings.empty()) {
        console.out() << printable(file) << ": nothing found\n";
    }
}

int check_file(Session& session, const CheckOptions& options) {
    const auto checked = read_setup(options);
    if (!checked) {
        session.console.complain(checked.error().message());
        return kUsage;
    }
    std::vector<Finding> findings = check(checked->setup);
    if (!checked->untaken.empty()) {
        findings.push_back(not_taken(checked->untaken));
    }
    if (options.as_json) {
        print_json(session.console, findings);
    } else {
        print(session.console, options.file, findings);
    }
    return first_error(findings) != nullptr ? kRefused : kOk;
}

}  // namespace

void add_check(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand(
        "check", "Check a policy or configuration file: can it be used, and does it protect?");
    command->allow_extras();  // reported in the words of this command
    command->footer(
        "\nAn error is in the file itself: `semel serve` does not start with it. A warning is "
        "about\n"
        "what the file lets happen, like keys that are forgotten while a provider may still send\n"
        "an event again: `semel serve` starts all the same. One warning is another: that this\n"
        "version of `semel serve` does not take a section yet, like `sources` and `gateway`. They\n"
        "are checked, and it does not start with them.\n"
        "\nExit codes: 0 nothing found, or warnings alone; 1 errors; 2 it cannot be read as such "
        "a\n"
        "file, there is none, or a provider is not known.\n"
        "\nExamples:\n"
        "  semel check idempotency.yml --provider stripe --provider shopify\n"
        "  semel check semel.yaml --json\n");
    auto options = std::make_shared<CheckOptions>();
    command->add_option("FILE", options->file, "The policy (YAML), or the server's configuration")
        ->required();
    command
        ->add_option("--provider", options->providers,
                     "Whose webhooks are to be outlasted: stripe, adyen, shopify, svix, github, "
                     "slack, standard-webhooks (repeatable)")
        ->type_name("NAME");
    command->add_flag("--json", options->as_json, "Print the findings as JSON");
    command->callback([&session, options] {
        session.run = [&session, options] { return check_file(session, *options); };
    });
}

}  // namespace semel::cli
