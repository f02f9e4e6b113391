#pragma once

#include <cstdint>
#include <span>

namespace gantry {

/// Replaces the values of a detector row where `trace` is not 0 by what lies on the straight line
/// between the values beside each gap; at an end of the row by the value of the one side; a row
/// without any other value becomes that of the prior, without a prior 0. (Kalender, Hebel and
/// Ebersberger, "Reduction of CT artifacts caused by metallic implants", Radiology 164 (1987) 576.)
/// With a prior, which may be empty, values are divided by it before and multiplied by it
/// afterwards, so that what the prior knows of the object in the gap stays (Meyer et al. 2010); it
/// counts as `least` where it is less. Spans of one length. Returns the number of replaced values.
std::size_t bridge_trace(std::span<float> row, std::span<const std::uint8_t> trace,
                         std::span<const float> prior, float least);

/// Marks the `margin` values on both sides of those of a row that are marked.
void widen_trace(std::span<std::uint8_t> trace, int margin);

}  // namespace gantry
