#pragma once

#include <string>

namespace gantry::cli {

/// Returns the present date in the form 2026-01-31.
std::string today();
/// Returns the local date and time, "2026-11-24 14:03".
std::string date_and_time();

}  // namespace gantry::cli
