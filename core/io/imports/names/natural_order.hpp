#pragma once

#include <string>

namespace gantry {

/// Compares names so that numbers in them count by their value: "a2" before "a10".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace gantry
