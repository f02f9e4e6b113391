#pragma once

#include "charts/painting/colour.hpp"

#include <array>
#include <cstddef>

namespace gantry {

enum class ColourMap {
  grey,       ///< attenuation
  diverging,  ///< differences: blue below zero, white at zero, red above
  viridis,    ///< magnitudes; equal steps look equal, also in grey and to colour-blind eyes
};

/// Returns the colour at `t` in 0 .. 1 (clamped). The diverging map is white at exactly 0.5.
Rgb colourAt(ColourMap map, double t);

/// Number of entries of a colour table. The number is odd, so that the middle of a diverging map is
/// one of the entries.
constexpr std::size_t colour_table_size = 257;
std::array<Rgb, colour_table_size> colourTable(ColourMap map);

}  // namespace gantry
