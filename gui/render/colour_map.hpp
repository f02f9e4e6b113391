#pragma once

#include "gui/render/painting/colour.hpp"

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

/// Colours that tell runs apart (after Okabe and Ito, with grey instead of their black, which is
/// invisible in a dark window). Normal and colour-blind eyes tell all eight apart; the order keeps
/// the first few farthest apart.
constexpr std::array<Rgb, 8> run_palette{rgb(0x0072B2), rgb(0xE69F00), rgb(0x009E73),
                                         rgb(0xCC79A7), rgb(0xD55E00), rgb(0x56B4E9),
                                         rgb(0xF0E442), rgb(0x8C8C8C)};

/// Returns the colour of run `index` (modulo the size of the palette).
constexpr Rgb runColour(std::size_t index) { return run_palette[index % run_palette.size()]; }

/// Returns `colour`, moved towards black or white until its WCAG contrast with `background` is at
/// least `ratio`.
Rgb readableOn(Rgb colour, Rgb background, double ratio = 2.2);

}  // namespace gantry
