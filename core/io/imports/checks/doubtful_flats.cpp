#include "core/io/imports/checks/doubtful_flats.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

bool are_darks(double mean_of_flat, int projections,
               const std::function<double(int)>& mean_of_projection) {
  constexpr double most_of_projections = 0.25;
  constexpr int most_read = 9;
  const int read = std::min(most_read, projections), last = projections - 1;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < read; ++i)
    least = std::min(least, mean_of_projection(read > 1 ? last * i / (read - 1) : 0));
  return mean_of_flat < most_of_projections * least;
}

}  // namespace gantry
