#include "support/crash_disk.hpp"

#include <algorithm>
#include <utility>

namespace semel::test {
namespace {

constexpr std::size_t kSector = 512;

}  // namespace

void CrashDisk::open(const std::string& path) {
    synced_.try_emplace(path);
    const auto [found, is_new] = files_.try_emplace(path);
    File& file = found->second;
    if (file.is_removed) {
        file.is_removed = false;
        file.steps = {{true, 0, ""}};
    }
    file.is_new = file.is_new || is_new;
}

void CrashDisk::write(const std::string& path, std::int64_t at, std::string_view bytes) {
    files_[path].steps.push_back({false, static_cast<std::size_t>(at), std::string(bytes)});
}

void CrashDisk::truncate(const std::string& path, std::int64_t size) {
    files_[path].steps.push_back({true, static_cast<std::size_t>(size), ""});
}

void CrashDisk::sync(const std::string& path) {
    File& file = files_[path];
    for (const Step& step : file.steps) apply(step, synced_[path]);
    file.steps.clear();
    if (std::exchange(file.is_new, false)) {
        forget_removed();
    }
}

void CrashDisk::forget_removed() {
    std::erase_if(files_, [&](const auto& entry) {
        const auto& [path, file] = entry;
        return file.is_removed && synced_.erase(path) == 1;
    });
}

void CrashDisk::remove(const std::string& path) {
    files_[path] = {.is_removed = true};
}

CrashDisk::Files CrashDisk::cut(Cut cut, std::mt19937_64& random) {
    Files found = synced_;
    for (const auto& [path, file] : files_) {
        if (file.is_removed && (cut == Cut::keeps || random() % 2 == 0)) {
            found.erase(path);
            continue;
        }
        for (const Step& step : survivors(file.steps, cut, random)) apply(step, found[path]);
    }
    if (cut != Cut::keeps) {
        synced_ = found;
        files_.clear();
        for (const auto& [path, content] : found) files_.try_emplace(path);
    }
    return found;
}

void CrashDisk::apply(const Step& step, std::string& content) {
    if (step.is_truncation) {
        content.resize(std::min(content.size(), step.at));
        return;
    }
    content.resize(std::max(content.size(), step.at + step.bytes.size()));
    content.replace(step.at, step.bytes.size(), step.bytes);
}

std::vector<CrashDisk::Step> CrashDisk::in_sectors(const Step& step) {
    if (step.is_truncation) {
        return {step};
    }
    std::vector<Step> parts;
    for (std::size_t done = 0; done < step.bytes.size();) {
        const std::size_t at = step.at + done;
        const std::size_t size = std::min(kSector - at % kSector, step.bytes.size() - done);
        parts.push_back({false, at, step.bytes.substr(done, size)});
        done += size;
    }
    return parts;
}

std::vector<CrashDisk::Step> CrashDisk::survivors(const std::vector<Step>& steps, Cut cut,
                                                  std::mt19937_64& random) {
    if (cut == Cut::keeps) {
        return steps;
    }
    std::vector<Step> parts;
    for (const Step& step : steps) {
        for (Step& part : in_sectors(step)) parts.push_back(std::move(part));
    }
    if (cut == Cut::forgets) {
        parts.clear();
    } else if (cut == Cut::tears) {
        parts.resize(random() % (parts.size() + 1));
    } else {
        std::shuffle(parts.begin(), parts.end(), random);
        std::erase_if(parts, [&](const Step&) { return random() % 2 == 0; });
    }
    return parts;
}

}  // namespace semel::test
