// semel fence verify: checks the signature of a receipt. It sends no request, because it needs only
// the receipt and the public key, which semel fence key has fetched before.
#include <memory>

#include <CLI/CLI.hpp>

#include "api/base64.hpp"
#include "base/ed25519.hpp"
#include "cli/commands/fence.hpp"
#include "config/files.hpp"
#include "core/fences/signed_receipt.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

// A receipt has up to 1 MiB, and more if it was indented.
constexpr std::size_t kReceiptBytesMax = std::size_t{8} << 20;
constexpr std::size_t kKeyFileBytesMax = 4096;
constexpr std::size_t kPublicKeyBytes = 32;

struct VerifyOptions {
    std::string file;
    std::string key;
    bool as_json = false;
};

struct KeyOptions {
    CommonOptions common;
};

std::optional<std::string> parse_key(std::string_view text) {
    auto bytes = from_base64url(text);
    return bytes && bytes->size() == kPublicKeyBytes ? std::move(bytes) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const auto begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Returns the public key: given directly, or in a file, alone or as an answer of the API.
Result<std::string> read_key(const std::string& written) {
    if (auto key = parse_key(written)) {
        return std::move(*key);
    }
    SEMEL_TRY(text, read_file(written, kKeyFileBytesMax));
    auto key = parse_key(trimmed(text));
    if (!key) {
        const auto answer = json::Document::parse(text);
        const auto member = answer ? answer->root().find("publicKey") : std::nullopt;
        key = member && member->is_string() ? parse_key(member->as_string()) : std::nullopt;
    }
    if (!key) {
        return Error(ErrorCode::invalid,
                     written +
                         " has no public key: 43 characters of base64url, or what `semel "
                         "fence key --json` prints");
    }
    return std::move(*key);
}

Result<SignedReceipt> read_receipt(const std::string& file) {
    SEMEL_TRY(text, read_file(file, kReceiptBytesMax));
    const auto document = parse_answer(std::move(text));
    if (!document) {
        return Error(ErrorCode::invalid, file + " is not JSON: " + document.error().message);
    }
    auto read = read_signed_receipt(document->root());
    if (const auto* problem = std::get_if<Problem>(&read)) {
        return Error(ErrorCode::invalid, file + " is no signed receipt: " + problem->detail +
                                             "; `semel fence get KEY --signed --json` prints one");
    }
    return std::get<SignedReceipt>(std::move(read));
}

// Returns the fault of the receipt, or "" if its signature is valid.
std::string fault_of(const SignedReceipt& receipt, const std::string& public_key) {
    const std::string key_id = signing_key_id(public_key);
    if (receipt.key_id != key_id) {
        return "it was signed with the key " + receipt.key_id + ", and this is the key " + key_id;
    }
    const auto signature = from_base64url(receipt.signature);
    if (!signature || !is_signed_by(public_key, receipt.statement.text(), *signature)) {
        return "the signature does not fit: the receipt was changed, or is not from this store";
    }
    return {};
}

void print_json(Console& console, const SignedReceipt& receipt, const std::string& fault) {
    const ReceiptStatement& statement = receipt.statement;
    JsonWriter out;
    out.begin_object().member("good", fault.empty());
    if (!fault.empty()) {
        console.out() << out.member("reason", fault).end_object().take() << "\n";
        return;
    }
    out.member("tenant", statement.tenant).member("key", statement.key);
    out.member("effectId", statement.effect_id);
    out.member_or_null("fingerprint", statement.fingerprint);
    out.member("token", statement.token).member("sealedAt", statement.sealed_at);
    out.member("keyId", receipt.key_id);
    console.out() << out.end_object().take() << "\n";
}

// Prints only the members that the signature covers.
void print(Console& console, const SignedReceipt& receipt) {
    const ReceiptStatement& statement = receipt.statement;
    console.out() << "good  " << printable(statement.key) << "  " << console.dim("effect") << " "
                  << printable(statement.effect_id) << "  " << console.dim("tenant") << " "
                  << printable(statement.tenant) << "  " << console.dim("token") << " "
                  << statement.token << "  " << console.dim("sealed") << " "
                  << printable(statement.sealed_at) << "  " << console.dim("signed with") << " "
                  << printable(receipt.key_id) << "\n";
}

int verify(Session& session, const VerifyOptions& options) {
    if (options.key.empty()) {
        session.console.complain(
            "which public key? Give it with --key; `semel fence key` gets it from the server that "
            "you trust, and nothing here asks one");
        return kUsage;
    }
    const auto key = read_key(options.key);
    if (!key) {
        session.console.complain("--key: " + key.error().message());
        return kUsage;
    }
    const auto receipt = read_receipt(options.file);
    if (!receipt) {
        session.console.complain(receipt.error().message());
        return receipt.error().code() == ErrorCode::not_found ? kNotFound : kUsage;
    }
    const std::string fault = fault_of(*receipt, *key);
    if (options.as_json) {
        print_json(session.console, *receipt, fault);
    } else if (fault.empty()) {
        print(session.console, *receipt);
    }
    if (!fault.empty()) {
        session.console.complain("bad signature: " + fault);
        return kRefused;
    }
    return kOk;
}

int show_key(Session& session, const KeyOptions& options) {
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask({.target = "/v1/receipts/key"});
    if (!answer) {
        return answer.exit_code;
    }
    session.console.out() << (options.common.as_json
                                  ? answer.text()
                                  : printable(text_at(answer.root(), "publicKey")))
                          << "\n";
    return kOk;
}

}  // namespace

void add_fence_verify(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("verify", "Check a signed receipt; needs no server and no store");
    command->allow_extras();  // reported in the words of this command
    command->footer(
        "\nOf the receipt, what the signature covers must be as it was signed, to the letter; how "
        "the\n"
        "JSON is laid out, and what else stands in it, does not count.\n"
        "\nExit codes: 0 the signature is good; 1 it is not; 2 this is no signed receipt, or no\n"
        "key; 4 there is no such FILE.\n"
        "\nExample:\n"
        "  semel fence key > semel.key\n"
        "  semel fence get invoice-17 --signed --json > invoice-17.json\n"
        "  semel fence verify invoice-17.json --key semel.key\n");
    auto options = std::make_shared<VerifyOptions>();
    command->add_option("FILE", options->file, "The signed receipt, as JSON; - is standard input")
        ->required();
    command
        ->add_option(
            "--key", options->key,
            "The public key (43 characters), or a file with what `semel fence key` printed")
        ->type_name("KEY");
    command->add_flag("--json", options->as_json, "Print JSON for scripts");
    command->callback([&session, options] {
        session.run = [&session, options] { return verify(session, *options); };
    });
}

void add_fence_key(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("key", "Print the public key that receipts are signed with");
    command->footer("\nExample:\n  semel fence key > semel.key\n");
    auto options = std::make_shared<KeyOptions>();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return show_key(session, *options); };
    });
}

}  // namespace semel::cli
