#pragma once

#include <cstdint>
#include <span>

namespace gantry {

/// Replaces the values of a detector row where `trace` is not 0 by linear interpolation between the
/// values beside each gap; at an end of the row by the value of the one side. A row without any
/// other value becomes the row of the prior, without a prior 0. (Kalender, Hebel and Ebersberger,
/// "Reduction of CT artifacts caused by metallic implants", Radiology 164 (1987) 576.)
/// With a prior, which may be empty, values are divided by the prior before the interpolation and
/// multiplied by it afterwards, so that the object's structure in the gap, as the prior shows it,
/// is kept (Meyer et al. 2010); values of the prior below `least` are raised to it. All spans have
/// the same length. Returns the number of replaced values.
std::size_t bridge_trace(std::span<float> row, std::span<const std::uint8_t> trace,
                         std::span<const float> prior, float least);

/// Also marks the `margin` values on both sides of each marked value of a row.
void widen_trace(std::span<std::uint8_t> trace, int margin);

}  // namespace gantry
