#pragma once

namespace gantry {

/// Key and value by which Gantry states in formats that take any text that the lengths are cells of
/// unknown size.
inline constexpr const char *lengths_key = "gantry_lengths", *lengths_in_cells = "cells";

}  // namespace gantry
