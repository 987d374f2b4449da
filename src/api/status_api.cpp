// The pages about the server itself.
#include <fmt/format.h>

#include "api/base64.hpp"
#include "api/error_pages.hpp"
#include "api/metrics.hpp"
#include "api/resources.hpp"
#include "base/hash.hpp"
#include "core/json/json_writer.hpp"
#include "openapi_embedded.hpp"
#include "start_page_embedded.hpp"

namespace semel {
namespace {

struct Cause {
    std::string_view name;
    std::string detail;
};

using ToldCauses = std::function<void(std::vector<Cause>)>;

// Probes the separate store for fences, if there is one.
void probe_fences(const std::shared_ptr<Services>& services, std::vector<Cause> causes,
                  const ToldCauses& done) {
    if (services->node.has_one_store()) {
        done(std::move(causes));
        return;
    }
    services->node.fence_store().reads().get_claim(
        "", ClaimId(),
        [services, causes = std::move(causes),
         done](const Result<std::optional<Claim>>& read) mutable {
            if (read) {
                services->metrics.on_read(StoreRole::fences);
            } else {
                causes.push_back({"fence_store_failed", read.error().message()});
            }
            if (auto failed = services->metrics.last_store_error(StoreRole::fences)) {
                causes.push_back({"fence_store_write_failed", std::move(*failed)});
            }
            done(std::move(causes));
        });
}

// Probes the store with the cheapest read: one row of a tenant that cannot exist.
void probe_store(const std::shared_ptr<Services>& services, ToldCauses done) {
    services->node.store().reads().list_decisions(
        "", std::nullopt, 1,
        [services, done = std::move(done)](const Result<std::vector<LoggedDecision>>& read) {
            std::vector<Cause> causes;
            if (!read) {
                causes.push_back({"store_read_failed", read.error().message()});
            }
            if (auto failed = services->metrics.last_store_error(StoreRole::main)) {
                causes.push_back({"store_write_failed", std::move(*failed)});
            }
            if (const StoreInfo info = services->node.store().info();
                services->options.needs_durability && !info.is_durable) {
                causes.push_back({"durability_lost",
                                  "`durability` is strict, and of this store " + info.durability});
            }
            probe_fences(services, std::move(causes), done);
        });
}

void write_store(JsonWriter& out, std::string_view name, const StoreInfo& info) {
    out.begin_object(name);
    out.member("kind", info.kind);
    out.member("location", info.location);
    out.member("durability", info.durability);
    out.member("durable", info.is_durable);
    out.end_object();
}

std::vector<StoreWarning> all_warnings(Node& node) {
    std::vector<StoreWarning> all = node.store().warnings();
    if (!node.has_one_store()) {
        for (StoreWarning& warning : node.fence_store().warnings()) {
            all.push_back(std::move(warning));
        }
    }
    return all;
}

std::string readiness_json(const Services& services, const std::vector<Cause>& causes,
                           bool with_details) {
    JsonWriter out;
    out.begin_object();
    out.member("status", causes.empty() ? "ready" : "unavailable");
    if (with_details) {
        Store& store = services.node.store();
        const StoreInfo info = store.info();
        out.member("version", services.options.version);
        write_store(out, "store", info);
        if (!services.node.has_one_store()) {
            write_store(out, "fences", services.node.fence_store().info());
        }
        out.member("clockOffsetMs", store.clock_offset().count());
        out.begin_array("causes");
        for (const Cause& cause : causes) {
            out.begin_object();
            out.member("name", cause.name);
            out.member("detail", cause.detail);
            out.end_object();
        }
        out.end_array();
        out.begin_array("warnings");
        for (const StoreWarning& warning : all_warnings(services.node)) {
            out.begin_object();
            out.member("name", warning.name);
            out.member("detail", warning.detail);
            out.member("fix", warning.fix);
            out.end_object();
        }
        out.end_array();
    }
    out.end_object();
    return out.take();
}

std::string escape_html(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out.push_back(c);
        }
    }
    return out;
}

// Replaces {{name}} by the escaped value.
void fill(std::string& page, std::string_view name, std::string_view value) {
    const std::string place = fmt::format("{{{{{}}}}}", name);
    const std::string escaped = escape_html(value);
    std::size_t at = page.find(place);
    while (at != std::string::npos) {
        page.replace(at, place.size(), escaped);
        at = page.find(place, at + escaped.size());
    }
}

// Allows only the page's own style: no script, no frame, no other source.
std::string content_security_policy(std::string_view page) {
    constexpr std::string_view kOpen = "<style>";
    const std::size_t begin = page.find(kOpen) + kOpen.size();
    const Hash256 hash = sha256(page.substr(begin, page.find("</style>") - begin));
    const std::string_view bytes(reinterpret_cast<const char*>(hash.bytes.data()),
                                 hash.bytes.size());
    return fmt::format(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
        base64(bytes));
}

}  // namespace

void show_health(Call&& call) {
    call.answer.json(200, R"({"status":"ok"})");
}

void show_readiness(Call&& call) {
    auto services = call.services;
    probe_store(services, [call = std::move(call)](const std::vector<Cause>& causes) {
        net::Response response = json_response(
            200, readiness_json(*call.services, causes, call.caller.may(AccessScope::read)));
        response.status = causes.empty() ? 200 : 503;
        call.answer.send(std::move(response));
    });
}

void show_metrics(Call&& call) {
    // If the store cannot be read, the last count stays, and the other metrics are returned.
    Store& store = call.services->node.store();
    call.services->metrics.set_store_warnings(all_warnings(call.services->node).size());
    store.reads().count_jobs([&store, call](const Result<std::vector<JobCount>>& jobs) {
        if (jobs) call.services->metrics.set_job_counts(*jobs);
        store.reads().count_uncertain_claims(
            [call](const Result<std::vector<SpaceCount>>& uncertain) {
                Metrics& metrics = call.services->metrics;
                if (uncertain) metrics.set_uncertain_counts(*uncertain);
                call.answer.send(
                    text_response("text/plain; version=0.0.4; charset=utf-8", metrics.render()));
            });
    });
}

void show_openapi(Call&& call) {
    call.answer.send(text_response("application/yaml", std::string(embedded::f_openapi_yaml)));
}

void show_error_page(Call&& call) {
    const auto page = error_page(call.value);
    if (!page) {
        call.answer.problem(not_found("there is no problem with this code"));
        return;
    }
    call.answer.send(text_response("text/plain; charset=utf-8", std::string(*page)));
}

void show_start_page(Call&& call) {
    const bool with_details = call.caller.may(AccessScope::read);
    const StoreInfo info = call.services->node.store().info();
    const ApiOptions& options = call.services->options;
    const std::string* host = call.request.header("host");
    static const std::string kPolicy = content_security_policy(embedded::f_start_page_html);
    std::string page(embedded::f_start_page_html);
    fill(page, "version", with_details ? options.version : "");
    fill(page, "store", with_details ? info.kind + ", " + info.location : "shown with a token");
    fill(page, "durability", with_details ? info.durability : "shown with a token");
    fill(page, "authorization",
         call.services->tokens.empty() ? "" : "-H 'Authorization: Bearer YOUR_TOKEN' ");
    fill(page, "url",
         fmt::format("{}://{}", call.request.tls ? "https" : "http",
                     host != nullptr ? *host : options.listen));
    net::Response response = text_response("text/html; charset=utf-8", std::move(page));
    response.headers.push_back({"Content-Security-Policy", kPolicy});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
    call.answer.send(std::move(response));
}

}  // namespace semel
