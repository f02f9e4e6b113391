#include "core/alignment/line_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

constexpr double least = 1e-3;  // of the mean, for lines that see air alone
constexpr int near_heights = 2, near_distances = 4;

}  // namespace

LineMisfits::LineMisfits(int heights, int distances)
    : heights_(heights),
      distances_(distances),
      sums_(static_cast<std::size_t>(heights) * static_cast<std::size_t>(distances)),
      counts_(sums_.size()) {}

void LineMisfits::add(const LineMisfits& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i] += other.sums_[i];
    counts_[i] += other.counts_[i];
  }
}

std::vector<double> LineMisfits::weights(double power) const {
  const double sum = std::accumulate(sums_.begin(), sums_.end(), 0.0),
               count = std::accumulate(counts_.begin(), counts_.end(), 0.0);
  std::vector<double> all(sums_.size(), 1);
  if (!(count > 0 && sum > 0)) return all;
  for (int height = 0; height < heights_; ++height)
    for (int distance = 0; distance < distances_; ++distance) {
      double near = 0, lines = 0;
      for (int h = std::max(0, height - near_heights);
           h <= std::min(heights_ - 1, height + near_heights); ++h)
        for (int d = std::max(0, distance - near_distances);
             d <= std::min(distances_ - 1, distance + near_distances); ++d) {
          near += sums_[index(h, d)];
          lines += counts_[index(h, d)];
        }
      if (lines > 0)
        all[index(height, distance)] = std::pow(near / lines * count / sum + least, -power);
    }
  return all;
}

LineWeights::LineWeights(const LineMisfits& misfits, double power)
    : heights_(misfits.heights()),
      distances_(misfits.distances()),
      weights_(misfits.weights(power)) {}

double LineWeights::at(int height, int distance) const {
  if (weights_.empty()) return 1;
  const int h = std::min(height, heights_ - 1), d = std::min(distance, distances_ - 1);
  return weights_[static_cast<std::size_t>(h) * static_cast<std::size_t>(distances_) +
                  static_cast<std::size_t>(d)];
}

}  // namespace gantry
