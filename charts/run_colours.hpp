#pragma once

#include "charts/painting/colour.hpp"

#include <array>
#include <cstddef>

namespace gantry {

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
