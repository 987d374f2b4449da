// Signed receipts: the key that they are signed with.
#include "api/base64.hpp"
#include "api/resources.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "core/fences/signed_receipt.hpp"
#include "core/json/json_writer.hpp"

namespace semel {
namespace {

using KeyFound = Done<std::shared_ptr<const SigningKey>>;

std::string new_secret() {
    const std::string bytes = random_bytes(SigningKey::kSecretBytes);
    return to_hex(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

Result<std::shared_ptr<const SigningKey>> to_key(const Result<Reply<KeepSigningKey>>& reply) {
    if (!reply) {
        return reply.error();
    }
    const auto* secret = std::get_if<std::string>(&*reply);
    std::string bytes(SigningKey::kSecretBytes, '\0');
    if (secret == nullptr ||
        !from_hex(*secret, reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size())) {
        return Error(ErrorCode::corrupt, "the key that receipts are signed with is damaged");
    }
    return std::shared_ptr<const SigningKey>(std::make_shared<SigningKey>(std::move(bytes)));
}

// Runs on the loop. Concurrent calls each offer a key, and the store keeps one.
void ask_for_key(const std::shared_ptr<Services>& services, const KeyFound& done) {
    if (services->signing_key) {
        done(services->signing_key);
        return;
    }
    services->node.submit(KeepSigningKey{.secret = new_secret()},
                          [services, done](const Result<Reply<KeepSigningKey>>& reply) {
                              auto key = to_key(reply);
                              if (key) {
                                  services->signing_key = *key;
                              }
                              done(std::move(key));
                          });
}

std::string key_json(const SigningKey& key) {
    JsonWriter out;
    out.begin_object().member("algorithm", kSignatureAlgorithm);
    out.member("keyId", signing_key_id(key.public_key()));
    out.member("publicKey", base64url(key.public_key()));
    return out.end_object().take();
}

}  // namespace

void with_signing_key(const std::shared_ptr<Services>& services, KeyFound done) {
    services->node.post([services, done = std::move(done)] { ask_for_key(services, done); });
}

void show_receipt_key(Call&& call) {
    with_signing_key(call.services, [answer = std::move(call.answer)](
                                        const Result<std::shared_ptr<const SigningKey>>& key) {
        if (key) {
            answer.json(200, key_json(**key));
        } else {
            answer.error(key.error());
        }
    });
}

}  // namespace semel
