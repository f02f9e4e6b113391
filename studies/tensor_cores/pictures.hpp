#pragma once

#include "studies/study_workshop.hpp"

namespace gantry::tensor_cores {

/// What stands in for the 23 images in print, which are not public: phantoms of the catalogue, then
/// slices that the caller gave, evenly chosen, or else more random ellipses. The brightest pixel of
/// each is 1, none is below 0.
struct Pictures {
  std::vector<std::string> names;
  std::vector<float> values;  ///< [image][pixel] of the grid's slices

  /// "shepp_logan, ..., 12 slices of head"
  std::string describe() const;
};

Pictures make_pictures(const StudyWorkshop& workshop, const VolumeGrid& grid);

/// Means over the images of ||P - P0|| / ||P0||, eq. 4.
double mean_relative_error(const std::vector<float>& found, const std::vector<float>& exact,
                           std::size_t pixels);

}  // namespace gantry::tensor_cores
