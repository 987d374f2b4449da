#include "cli/commands/pages.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/whole_number.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {
namespace {

constexpr int kPageMax = 500;         // the largest page of the API
constexpr int kLimitMax = 1'000'000;  // for a table; --all has no limit

// Calls `take` for each item. Returns the exit code, and sets `cursor` to the rest of the list.
int walk(ApiClient& client, const PageOptions& pages, const ListShape& shape, std::string& cursor,
         const std::function<void(json::Value)>& take) {
    int left = pages.limit;
    do {
        const int page = pages.all ? kPageMax : std::min(left, kPageMax);
        ApiCall call;
        call.target = shape.path + "?limit=" + std::to_string(page) + shape.query;
        if (!cursor.empty()) {
            call.target += "&cursor=" + percent_encode(cursor);
        }
        const Answer answer = client.ask(call);
        if (!answer) {
            return answer.exit_code;
        }
        const auto items = answer.root().find("items");
        if (items && items->is_array()) {
            for (const json::Value item : items->elements()) {
                take(item);
            }
        }
        cursor = text_at(answer.root(), "nextCursor");
        left -= page;
    } while (!cursor.empty() && (pages.all || left > 0));
    return kOk;
}

int print_json(Session& session, ApiClient& client, const PageOptions& pages,
               const ListShape& shape) {
    std::string cursor;
    JsonWriter out;
    out.begin_object().begin_array("items");
    const int code =
        walk(client, pages, shape, cursor, [&](json::Value item) { out.raw(item.raw()); });
    if (code != kOk) {
        return code;
    }
    out.end_array().key("nextCursor");
    cursor.empty() ? out.null() : out.string(cursor);
    session.console.out() << out.end_object().take() << "\n";
    return kOk;
}

}  // namespace

void PageOptions::add_to(CLI::App& command) {
    auto* most = command.add_option("--limit", limit, "How many at most")
                     ->type_name("N")
                     ->check(whole_number(1, kLimitMax))
                     ->capture_default_str();
    command.add_flag("--all", all, "All that match")->excludes(most);
}

int print_list(Session& session, const CommonOptions& common, const PageOptions& pages,
               const ListShape& shape) {
    ApiClient client(session.console, common);
    if (common.as_json) {
        return print_json(session, client, pages, shape);
    }
    std::string cursor;
    Table table(shape.header);
    const int code =
        walk(client, pages, shape, cursor, [&](json::Value item) { table.add(shape.row(item)); });
    if (code != kOk) {
        return code;
    }
    if (table.empty()) {
        session.console.out() << shape.empty << "\n";
        return kOk;
    }
    table.print(session.console);
    if (!cursor.empty()) {
        session.console.out() << session.console.dim("there are more: --limit N or --all") << "\n";
    }
    return kOk;
}

}  // namespace semel::cli
