// CrashDisk: what files hold after a power cut. What was synced is there; of what was only written
// a disk may have as much as it likes, in sectors of 512 bytes.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace semel::test {

// What becomes of that which was written and not synced.
enum class Cut {
    forgets,  // all of it is gone
    tears,    // it arrived in order, up to somewhere within a write
    mixes,    // each sector of it arrived or did not, in any order
    keeps,    // no power cut, but the death of a process: it can still be read, and forgotten later
};

class CrashDisk {
public:
    using Files = std::map<std::string, std::string>;  // contents by path

    void open(const std::string& path);  // creates it, if it is not there
    void write(const std::string& path, std::int64_t at, std::string_view bytes);
    void truncate(const std::string& path, std::int64_t size);
    void sync(const std::string& path);
    void remove(const std::string& path);

    // The files that are found afterwards. Unless it keeps them, they are all there is from then
    // on.
    [[nodiscard]] Files cut(Cut cut, std::mt19937_64& random);

private:
    struct Step {
        bool is_truncation;
        std::size_t at;  // or the size
        std::string bytes;
    };
    struct File {
        std::vector<Step> steps = {};  // since the last sync
        bool is_removed = false;       // it may come back
        bool is_new = false;           // its first sync is one of its folder, too
    };

    // As a sync of the folder does.
    void forget_removed();

    static void apply(const Step& step, std::string& content);
    static std::vector<Step> in_sectors(const Step& step);
    static std::vector<Step> survivors(const std::vector<Step>& steps, Cut cut,
                                       std::mt19937_64& random);

    Files synced_;
    std::map<std::string, File> files_;
};

}  // namespace semel::test
