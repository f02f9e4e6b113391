#pragma once

#include "studies/study.hpp"

#include <string>

namespace gantry {

/// Returns a line chart as SVG: axes with round ticks, grid and legend. The SVG has no external
/// references.
std::string svg_chart(const StudyChart& chart);

}  // namespace gantry
