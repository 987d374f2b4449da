#include "net/response_writer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "net/head.hpp"

namespace semel::net {

namespace {

bool is_servers_own(std::string_view name) {
    switch (name.size()) {
        case 4: return iequals(name, "date");
        case 10: return iequals(name, "connection");
        case 14: return iequals(name, "content-length");
        case 17: return iequals(name, "transfer-encoding");
        default: return false;
    }
}

}  // namespace

bool is_writable(const Response& response) {
    return response.status >= 200 && response.status <= 599 &&
           std::all_of(response.headers.begin(), response.headers.end(),
                       [](const Header& h) { return is_token(h.name) && is_field_value(h.value); });
}

bool asks_to_close(const Response& response) {
    const std::string* connection = response.header("connection");
    return connection != nullptr && iequals(*connection, "close");
}

bool may_have_body(int status) {
    return status != 204 && status != 304;
}

void write_head(const Response& response, const HeadFraming& framing, std::string_view date,
                std::string& out) {
    out.assign("HTTP/1.1 ");
    const fmt::format_int status(response.status);
    out.append(status.data(), status.size()).append(" ");
    out.append(reason_phrase(response.status)).append("\r\nDate: ").append(date).append("\r\n");
    for (const Header& header : response.headers) {
        if (is_servers_own(header.name)) continue;
        out.append(header.name).append(": ").append(header.value).append("\r\n");
    }
    if (may_have_body(response.status) && framing.is_chunked) {
        out.append("Transfer-Encoding: chunked\r\n");
    } else if (may_have_body(response.status) && framing.length) {
        const fmt::format_int length(*framing.length);
        out.append("Content-Length: ").append(length.data(), length.size()).append("\r\n");
    }
    out.append(framing.keeps_alive ? "\r\n" : "Connection: close\r\n\r\n");
}

std::string format_http_date(std::time_t time) {
    static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                         "Thu", "Fri", "Sat"};
    static constexpr std::array<const char*, 12> kMonths = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm utc{};
    gmtime_r(&time, &utc);
    return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                       kDays[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                       kMonths[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900,
                       utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace semel::net
