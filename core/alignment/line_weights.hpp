#pragma once

#include <cstddef>
#include <vector>

namespace gantry {

/// The squared differences of both measurements of lines, by their height and their distance from
/// the axis, both in steps.
class LineMisfits {
 public:
  LineMisfits() = default;
  LineMisfits(int heights, int distances);

  void add(int height, int distance, double difference) {
    sums_[index(height, distance)] += difference * difference;
    counts_[index(height, distance)] += 1;
  }
  void add(const LineMisfits& other);
  int heights() const { return heights_; }
  int distances() const { return distances_; }
  /// Returns (the mean squared difference about a line / that of all) ^ -power, [height][distance].
  /// It is averaged over neighbours, because few lines may agree by chance.
  std::vector<double> weights(double power) const;

 private:
  std::size_t index(int height, int distance) const {
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(distances_) +
           static_cast<std::size_t>(distance);
  }

  int heights_ = 0, distances_ = 0;
  std::vector<double> sums_, counts_;  // [height][distance]
};

/// Weights of lines by their misfits; 1 before these are known.
class LineWeights {
 public:
  LineWeights() = default;
  LineWeights(const LineMisfits& misfits, double power);

  /// Beyond the heights and distances of the misfits, the weights at their ends go on.
  double at(int height, int distance) const;

 private:
  int heights_ = 0, distances_ = 0;
  std::vector<double> weights_;
};

}  // namespace gantry
