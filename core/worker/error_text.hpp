#pragma once

#include <exception>
#include <string>

namespace gantry {

/// Returns what the user is told of an exception; where memory is lacking, also what to do.
std::string text_of(const std::exception& error);

}  // namespace gantry
