// Helpers and the larger subcommands of `semel fence`. Main thread only.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

// Returns "/v1/fences/KEY" with the key percent-encoded, followed by `more`.
[[nodiscard]] std::string fence_path(const std::string& key, const std::string& more = {});

// Prints a fence on one line: its key, and the other members of the answer.
void print_fence_line(Console& console, json::Value fence);

// Prints an answer with print_fence_line(), or unchanged with --json. Returns the exit code.
[[nodiscard]] int print_fence_answer(Session& session, const CommonOptions& common,
                                     const Answer& answer);

// Add one subcommand each to the tree; see session.hpp.
void add_fence_claim(CLI::App& parent, Session& session);
void add_fence_resolve(CLI::App& parent, Session& session);
void add_fence_verify(CLI::App& parent, Session& session);
void add_fence_key(CLI::App& parent, Session& session);

}  // namespace semel::cli
