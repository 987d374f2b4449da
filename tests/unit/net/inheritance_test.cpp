// What a child process sees of our sockets: nothing.
#include <array>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

// "socket:[12345]" for each that this process has open.
std::set<std::string> own_sockets() {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const std::string target = std::filesystem::read_symlink(entry, gone).string();
        if (target.starts_with("socket:")) found.insert(target);
    }
    return found;
}

std::string descriptors_of_a_child() {
    FILE* child = ::popen("ls -l /proc/$$/fd", "r");
    std::string listing;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), child)) > 0;) {
        listing.append(buffer.data(), got);
    }
    EXPECT_EQ(::pclose(child), 0);
    return listing;
}

TEST(Inheritance, NoSocketOfOursReachesAChild) {
    const std::set<std::string> before = own_sockets();
    const auto server = start({}, echo);
    Client client(*Url::parse("http://127.0.0.1:" + std::to_string(server->port())));
    ASSERT_TRUE(client.send("GET", "/", {}, "", kPatience));  // and the connection stays open
    const std::string seen = descriptors_of_a_child();
    EXPECT_NE(seen.find("pipe:"), std::string::npos) << seen;
    std::size_t ours = 0;
    for (const std::string& socket : own_sockets()) {
        if (before.contains(socket)) continue;
        ++ours;
        EXPECT_EQ(seen.find(socket), std::string::npos) << socket << " in\n" << seen;
    }
    EXPECT_EQ(ours, 3u) << "the listener's, and both ends of the connection";
}

}  // namespace
}  // namespace semel::net
