// Includes the whole library. docs/guides/library.md is its guide.
#pragma once

#include <semel/chains.hpp>
#include <semel/engine.hpp>
#include <semel/handler.hpp>
#include <semel/job_type.hpp>
#include <semel/once.hpp>
#include <semel/schedules.hpp>
#include <semel/stages.hpp>
#include <semel/tx.hpp>
