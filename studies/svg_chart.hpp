#pragma once

#include "studies/study.hpp"

#include <string>

namespace gantry {

/// A line chart as a page of SVG: axes with round ticks, grid, legend. Needs nothing else to be
/// drawn.
std::string svg_chart(const StudyChart& chart);

}  // namespace gantry
