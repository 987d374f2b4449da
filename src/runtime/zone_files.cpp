#include "runtime/zone_files.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDebianFolder = "/usr/share/zoneinfo";
constexpr std::size_t kZoneNameBytesMax = 64;   // the longest name has 32
constexpr std::size_t kFileBytesMax = 1 << 20;  // more is no zone; TimeZone refuses what is less
constexpr std::size_t kSuggestionsMax = 3;

// Files of the folder that are no zones of IANA: the machine's own zone, copies, and zones with
// leap seconds.
constexpr std::array<std::string_view, 4> kNoZones = {"localtime", "posixrules", "posix", "right"};

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '-';
}

// Returns true for parts of IANA's characters with single slashes between them. Without a dot the
// path stays in the folder.
bool is_zone_name(std::string_view name) {
    if (name.empty() || name.size() > kZoneNameBytesMax) return false;
    char previous = '/';
    for (const char c : name) {
        if (!is_name_character(c) && (c != '/' || previous == '/')) return false;
        previous = c;
    }
    const std::string_view first = name.substr(0, name.find('/'));
    return previous != '/' && std::find(kNoZones.begin(), kNoZones.end(), first) == kNoZones.end();
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

std::string_view city_of(std::string_view name) {
    return name.substr(name.rfind('/') + 1);
}

bool is_tzif(const fs::path& path) {
    std::array<char, 4> magic{};
    std::ifstream file(path, std::ios::binary);
    return file.read(magic.data(), magic.size()) && std::string_view(magic.data(), 4) == "TZif";
}

// Returns the names in order.
std::vector<std::string> zone_names(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(folder, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const std::string name = fs::relative(entry->path(), folder, error).string();
        if (!is_zone_name(name)) {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file(error) && is_tzif(entry->path())) {
            found.push_back(name);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// Returns names that differ only in case, then names with the same city, then the nearest by
// spelling.
std::vector<std::string> suggestions(std::string_view name, const std::vector<std::string>& names) {
    std::vector<std::string> found;
    const auto suggest = [&](const std::string& candidate) {
        const bool is_new = std::find(found.begin(), found.end(), candidate) == found.end();
        if (is_new && found.size() < kSuggestionsMax) found.push_back(candidate);
    };
    if (lower(name) == "utc") suggest("UTC");  // it needs no file
    for (const std::string& candidate : names) {
        if (lower(candidate) == lower(name)) suggest(candidate);
    }
    for (const std::string& candidate : names) {
        if (lower(city_of(candidate)) == lower(city_of(name))) suggest(candidate);
    }
    if (const auto near = nearest(name, names)) suggest(*near);
    return found;
}

}  // namespace

std::string ZoneFiles::default_folder() {
    const char* folder =
        std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe): no code here sets it
    return folder != nullptr && *folder != '\0' ? folder : kDebianFolder;
}

Result<std::shared_ptr<const TimeZone>> ZoneFiles::find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    if (!is_zone_name(name)) return unknown(name);
    if (const auto known = zones_.find(name); known != zones_.end()) return known->second;
    SEMEL_TRY(zone, read(std::string(name)));
    zones_.emplace(name, zone);
    return zone;
}

Result<std::shared_ptr<const TimeZone>> ZoneFiles::read(const std::string& name) {
    if (name == "UTC") return TimeZone::utc();  // it needs no file
    std::error_code error;
    const fs::path path = fs::path(folder_) / name;
    if (!fs::is_directory(folder_, error)) {
        return Error(ErrorCode::not_found, "there are no time zones in " + folder_ +
                                               "; install Debian's package tzdata, or set TZDIR");
    }
    if (!fs::is_regular_file(path, error)) return unknown(name);
    std::ifstream file(path, std::ios::binary);
    std::string bytes(kFileBytesMax, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (file.bad() || bytes.empty()) {
        return Error(ErrorCode::io_error, "cannot read the time zone " + path.string());
    }
    if (!bytes.starts_with("TZif")) return unknown(name);
    return TimeZone::parse(name, bytes);
}

Error ZoneFiles::unknown(std::string_view name) {
    const bool is_sayable = name.size() <= kZoneNameBytesMax && is_valid_utf8(name);
    const std::string_view shown = is_sayable ? name : "…";
    std::string message = fmt::format("there is no time zone `{}`", shown);
    if (names_.empty()) names_ = zone_names(folder_);
    const auto near = suggestions(shown, names_);
    for (std::size_t index = 0; index < near.size(); ++index) {
        message += fmt::format("{}`{}`", index == 0 ? "; did you mean " : " or ", near[index]);
    }
    if (!near.empty()) message += "?";
    if (near.empty()) message += "; write a name of the IANA database, like Europe/Berlin";
    return {ErrorCode::not_found, message};
}

}  // namespace semel
