#pragma once

#include "core/io/imports/checks/frame_checks.hpp"

#include <optional>
#include <span>
#include <string>

namespace gantry {

/// What projections without a flat show where nothing is between source and detector, or why they
/// are line integrals already.
struct AssumedBeam {
  enum class Basis {
    air,           ///< the outermost columns see air in most views
    transmission,  ///< 1: no air is seen there, and the values are as those of transmissions
    brightest,     ///< no air is seen there; what the brightest groups of cells show
    none           ///< the values are line integrals
  };
  float level = 0;  ///< as the values of the projections, with what the dark adds to these
  Basis basis = Basis::brightest;
  int air_columns = 0;   ///< that were looked at for air, at each end
  float seen = 0;        ///< what they show; only with Basis::air
  std::string why = {};  ///< the values are line integrals; only with Basis::none
};

/// Returns the beam that the values of projections themselves tell, [view][row][column]. `dark`:
/// the mean of their dark; nothing where there is none. `lost`: views whose values are 0, rising;
/// `unlit`: further ones that do not count, rising. Groups of neighbouring cells are compared by
/// their medians, which single bright cells and noise hardly move. Outermost groups see air where
/// in more than half of the views they show the same, as bright as the brightest groups and alike
/// at their outer and inner half, and others are darker. Values without a dark that are no whole
/// numbers, in 12 columns or more, have the beam 1 if it is within 1 % of that, or if no air is
/// seen and the brightest groups are between 0.05 and 1.1. They are line integrals by
/// why_line_integrals(), or if no air is seen and the groups are brighter, but no value is 20.
AssumedBeam assumed_beam(std::span<const float> values, const FrameSizes& sizes,
                         std::optional<double> dark, std::span<const int> lost,
                         std::span<const int> unlit);

}  // namespace gantry
