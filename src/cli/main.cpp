#include <exception>
#include <iostream>

#include <unistd.h>

#include "cli/session.hpp"
#include "cli/standard_descriptors.hpp"

int main(int argc, char** argv) {
    semel::cli::open_missing_standard_descriptors();
    semel::cli::Console console(std::cout, std::cerr,
                                semel::cli::Console::wants_colour(STDOUT_FILENO));
    try {
        return semel::cli::run_command_line(argc, argv, console);
    } catch (const std::exception& failure) {
        console.complain(std::string("unexpected: ") + failure.what());
        return semel::cli::kUnavailable;
    }
}
