#pragma once

#include "core/projectors/distance_driven/dd_view.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

/// The edges of a view's cells on one layer, in pixels, and the pixels under the cells. for_cells()
/// and cell_at() must be called for ascending pixels, since each call continues the search at the
/// cell of the previous call.
class LayerEdges {
 public:
  /// Computes the edges on a layer and restarts the search at cell 0.
  void set(const DdView& table, int slice) {
    const double scale = table.scale_first + slice * table.scale_step,
                 shift = table.shift_first + slice * table.shift_step;
    at_.resize(table.edge.size());
    for (std::size_t e = 0; e < at_.size(); ++e) at_[e] = scale * table.edge[e] + shift;
    width_ = table.slices.width;
    cell_ = 0;
    inverse_scale_ = static_cast<float>(1 / scale);
  }

  /// The pixels under the cells are first_pixel() .. last_pixel() - 1.
  int first_pixel() const { return static_cast<int>(std::clamp<double>(at_.front(), 0, width_)); }
  int last_pixel() const {
    return static_cast<int>(std::ceil(std::clamp<double>(at_.back(), 0, width_)));
  }
  float inverse_scale() const { return inverse_scale_; }
  int cells() const { return static_cast<int>(at_.size()) - 1; }
  double operator[](int edge) const { return at_[static_cast<std::size_t>(edge)]; }

  /// Calls use(c, overlap in pixels) for the cells whose footprints overlap pixel i.
  template <class Use>
  void for_cells(int i, const Use& use) {
    const double low = i, high = i + 1.0;
    for (int c = cell_at(i); c < cells() && (*this)[c] < high; ++c) {
      const double overlap = std::min((*this)[c + 1], high) - std::max((*this)[c], low);
      if (overlap > 0) use(c, static_cast<float>(overlap));
    }
  }
  /// Returns the cell that contains the pixel coordinate i, or the nearest cell if none does.
  int cell_at(int i) {
    while (cell_ + 1 < cells() && (*this)[cell_ + 1] <= i) ++cell_;
    return cell_;
  }
  /// Returns the position of the pixel coordinate i within cell c, clamped to 0 .. 1.
  float fraction_of_cell(int c, int i) const {
    const double low = (*this)[c], high = (*this)[c + 1];
    return static_cast<float>(std::clamp((i - low) / (high - low), 0.0, 1.0));
  }
  /// Returns the position of edge e within pixel i, clamped to 0 .. 1.
  float fraction_of_pixel(int e, int i) const {
    return static_cast<float>(std::clamp((*this)[e] - i, 0.0, 1.0));
  }

 private:
  std::vector<double> at_;
  int width_ = 0, cell_ = 0;
  float inverse_scale_ = 1;
};

}  // namespace gantry
