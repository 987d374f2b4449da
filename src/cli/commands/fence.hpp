// What the commands under `semel fence` share.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

// "/v1/fences/KEY" and more.
[[nodiscard]] std::string fence_path(const std::string& key, const std::string& more = {});

// A fence in one line: its key, and what is known of it.
void print_fence_line(Console& console, json::Value fence);

// The same for an answer, or the answer as it came. The exit code.
[[nodiscard]] int print_fence_answer(Session& session, const CommonOptions& common,
                                     const Answer& answer);

void add_fence_claim(CLI::App& parent, Session& session);
void add_fence_resolve(CLI::App& parent, Session& session);
void add_fence_verify(CLI::App& parent, Session& session);
void add_fence_key(CLI::App& parent, Session& session);

}  // namespace semel::cli
