#include "core/projectors/separable_footprint/sf_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

/// Counts of each cell, with those that are whole beyond their three cells.
class CountedCells {
 public:
  explicit CountedCells(const std::vector<CellCounts>& counts) : at_(counts.data() + sf_padding) {
    for (int c = -sf_padding; c < -3; ++c) beyond_ += at_[c].beyond;
  }
  /// To be called for cells 0, 1, 2 ... in turn.
  std::uint32_t next(int c) {
    beyond_ += at_[c - 3].beyond;
    return at_[c].cell[0] + at_[c - 1].cell[1] + at_[c - 2].cell[2] + beyond_;
  }

 private:
  const CellCounts* at_;
  std::uint32_t beyond_ = 0;
};

}  // namespace

void store_sums(const std::vector<SfSums>& parts, double unit, int cells, float* rays) {
  // A ray that grazes the image may be left below zero by the rounding of differences.
  constexpr std::int32_t trace = 128;
  std::vector<CountedCells> counted;
  for (const SfSums& part : parts) counted.emplace_back(part.counts);
  for (int c = 0; c < cells; ++c) {
    std::uint32_t count = 0;
    float sum = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      count += counted[part].next(c);
      const CellQuad* own = parts[part].quads.data() + c + sf_padding;
      sum += own[0].cell[0] + own[-1].cell[1] + own[-2].cell[2] + own[-3].cell[3];
    }
    const auto units = static_cast<std::int32_t>(count);
    rays[c] = sum + static_cast<float>(unit * (units < 0 && units > -trace ? 0 : units));
  }
}

float largest_line(const float* rows, int count, std::size_t stride) {
  std::vector<float> largest_of(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
  for (int k = 0; k < count; ++k) {
    const float* row = rows + static_cast<std::size_t>(k) * stride;
    float largest = 0, poison = 0;  // NaN, once there is a value that is not finite
#pragma omp simd reduction(max : largest) reduction(+ : poison)
    for (std::size_t i = 0; i < stride; ++i) {
      largest = std::max(largest, std::abs(row[i]));
      poison += row[i] * 0.0F;
    }
    largest_of[static_cast<std::size_t>(k)] = largest + poison;
  }
  return std::accumulate(largest_of.begin(), largest_of.end(), 0.0F);
}

}  // namespace gantry
