#pragma once

#include "studies/study_context.hpp"

namespace gantry::tensor_cores {

/// Substitutes for the paper's 23 images, which are not public: phantoms of the catalogue, then
/// evenly chosen pictures of the options, then random ellipses until there are enough. The largest
/// pixel of each image is 1, none is below 0.
struct Pictures {
  std::vector<std::string> names;
  std::vector<float> values;  ///< [image][pixel] of the grid's slices

  /// Returns e.g. "shepp_logan, ..., 12 of slice of head".
  std::string describe() const;
};

Pictures make_pictures(const StudyContext& context, const VolumeGrid& grid);

/// Returns the mean over the images of ||P - P0|| / ||P0|| (eq. 4).
double mean_relative_error(const std::vector<float>& found, const std::vector<float>& exact,
                           std::size_t pixels);

}  // namespace gantry::tensor_cores
