#include "core/io/dicom/series/dicom_upright.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Interpolates between the pixels of one shifted slice.
class ShiftedSlice {
 public:
  ShiftedSlice(const UprightSlices& from, std::span<const float> slices, std::size_t index,
               float outside)
      : columns_(from.columns),
        rows_(from.rows),
        values_(slices.subspan(index * size(), size())),
        shift_(from.shift_px[index]),
        outside_(outside) {}

  /// Returns the value at pixel (ix, iy) of the grid.
  double at(int ix, int iy) const {
    const double x = ix - shift_[0], y = iy - shift_[1];
    constexpr double rim = 1e-6;  // a pixel's centre on the rim belongs to the slice
    if (x < -rim || y < -rim || x > columns_ - 1 + rim || y > rows_ - 1 + rim) return outside_;
    const auto [left, right, along_x] = neighbours(x, columns_);
    const auto [upper, lower, along_y] = neighbours(y, rows_);
    const double above = (1 - along_x) * value(left, upper) + along_x * value(right, upper);
    const double below = (1 - along_x) * value(left, lower) + along_x * value(right, lower);
    return (1 - along_y) * above + along_y * below;
  }

 private:
  struct Neighbours {
    int low, high;
    double share;  ///< weight of the higher one, 0 to 1
  };
  static Neighbours neighbours(double place, int count) {
    const double inside = std::clamp(place, 0.0, count - 1.0);
    const int low = static_cast<int>(inside);
    return {low, std::min(low + 1, count - 1), inside - low};
  }
  std::size_t size() const {
    return static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  }
  double value(int ix, int iy) const {
    return values_[static_cast<std::size_t>(iy) * static_cast<std::size_t>(columns_) +
                   static_cast<std::size_t>(ix)];
  }

  int columns_, rows_;
  std::span<const float> values_;
  std::array<double, 2> shift_;
  float outside_;
};

/// Rounds a weight close to 0 or 1, so that a slice of the grid at the height of a slice of the
/// series takes its values from that slice only.
double snapped(double share) {
  constexpr double close = 1e-6;
  if (share < close) return 0;
  return share > 1 - close ? 1 : share;
}

}  // namespace

std::vector<float> resample_upright(const UprightSlices& from, std::span<const float> slices,
                                    float outside) {
  const VolumeGrid& grid = from.grid;
  std::vector<float> values(grid.voxels());
#pragma omp parallel for schedule(static)
  for (int iz = 0; iz < grid.nz; ++iz) {
    const double height = std::min(iz * grid.spacing_mm.z, from.height_mm.back());
    const auto above = std::upper_bound(from.height_mm.begin(), from.height_mm.end(), height);
    const auto high = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
        above - from.height_mm.begin(), 1, std::ssize(from.height_mm) - 1));
    const double low_mm = from.height_mm[high - 1], high_mm = from.height_mm[high];
    const double share = snapped((height - low_mm) / (high_mm - low_mm));
    const ShiftedSlice lower(from, slices, high - 1, outside), upper(from, slices, high, outside);
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const double below = share < 1 ? (1 - share) * lower.at(ix, iy) : 0;
        const double over = share > 0 ? share * upper.at(ix, iy) : 0;
        values[grid.index(ix, iy, iz)] = static_cast<float>(below + over);
      }
  }
  return values;
}

}  // namespace gantry
