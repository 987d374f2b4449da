// The one header of the library.
#pragma once

#include <semel/engine.hpp>
#include <semel/handler.hpp>
#include <semel/schedules.hpp>
