#pragma once

#include "core/data/volume.hpp"
#include "studies/study.hpp"

#include <span>
#include <string>
#include <utility>

namespace gantry {

/// The values that are drawn black and white, and their unit.
struct GreyWindow {
  double low = 0, high = 1;
  std::string unit = {};
};

/// A plane through the middle of a volume: z, x or y is constant. Sagittal and coronal planes are
/// drawn with z upwards.
enum class Plane { transverse, sagittal, coronal };
const char* name_of(Plane plane);  ///< "transverse plane"

/// Returns the middle slice of a volume or another middle plane, its values times `factor`.
StudyImage slice_image(std::string key, std::string title, std::span<const float> volume,
                       const VolumeGrid& grid, const GreyWindow& window, double factor = 1,
                       Plane plane = Plane::transverse);
/// Returns the middle slice of volume - reference, times `factor`.
StudyImage difference_image(std::string key, std::string title, std::span<const float> volume,
                            std::span<const float> reference, const VolumeGrid& grid,
                            const GreyWindow& window, double factor = 1,
                            Plane plane = Plane::transverse);

/// Returns the contours of an image at the levels low, low + step, ...: 1, white, where a level
/// lies between a pixel and its right or upper neighbour, otherwise 0.
StudyImage contour_image(StudyImage image, double low, double step);
/// Returns the contours of an image at ten levels between the value that a tenth of the pixels of
/// `reference` are below, so that dark surroundings take no levels, and its largest value; the
/// title adds the levels.
StudyImage ten_contours(StudyImage image, const StudyImage& reference);

/// Returns a window from -half_width to half_width.
inline GreyWindow about_zero(double half_width, std::string unit = {}) {
  return {-half_width, half_width, std::move(unit)};
}

}  // namespace gantry
