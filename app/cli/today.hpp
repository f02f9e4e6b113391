#pragma once

#include <string>

namespace gantry::cli {

/// The date in the form 2026-01-31.
std::string today();

}  // namespace gantry::cli
