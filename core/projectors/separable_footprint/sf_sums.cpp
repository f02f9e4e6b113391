#include "core/projectors/separable_footprint/sf_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

/// Adds up the CellCounts that contribute to each cell: its own, those of the two cells before, and
/// the running sum of `beyond` of all earlier cells.
class CountedCells {
 public:
  explicit CountedCells(const std::vector<CellCounts>& counts) : at_(counts.data() + sf_padding) {
    for (int c = -sf_padding; c < -3; ++c) beyond_ += at_[c].beyond;
  }
  /// Returns the count of cell c; to be called for c = 0, 1, 2 ... in this order.
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
  // For a ray that grazes the image, the rounding of differences may leave a small negative count.
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
    float largest = 0, poison = 0;  // poison becomes NaN at the first value that is not finite
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
