#pragma once

#include <string_view>

namespace gantry {

/// Returns the length of a unit by the name that files give it, as "mm", "cm" or "microns", in mm;
/// 0: none that is known.
double length_unit_mm(std::string_view name);

inline constexpr double inch_mm = 25.4;

}  // namespace gantry
