#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/view_subset.hpp"
#include "core/projectors/common/layers.hpp"
#include "core/projectors/distance_driven/dd_kernels.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

struct Fan;

/// The coefficients of DdLocate in float64.
struct ExactLocate {
  double a, b, c, d, gain, bias;
  bool arc;

  DdLocate rounded() const {
    return {static_cast<float>(a),
            static_cast<float>(b),
            static_cast<float>(c),
            static_cast<float>(d),
            static_cast<float>(gain),
            static_cast<float>(bias),
            arc};
  }
};

/// Returns whether a view steps through layers y = const: its central ray is closer to y than to x.
/// At 45 degrees the layers are y = const; a margin keeps rounding from changing this.
bool looks_along_y(double angle_rad);
/// Returns the views of a subset that step through layers y = const (along_y) or x = const.
std::vector<int> views_of_kind(const ScanGeometry& geometry, ViewSubset subset, bool along_y);

/// Footprint table of one view for the distance-driven model (De Man and Basu, Phys. Med. Biol. 49
/// (2004) 2463), in the plane of rotation.
///
/// Cell c of the table has the edges edge[c] < edge[c+1]. On layer k, edge e lies at the pixel
/// coordinate
///   U_k(e) = scale_k * edge[e] + shift_k        (pixel i spans i .. i + 1),
/// with scale_k > 0. In a fan or cone beam, the value of an edge is the slope du/dw of the ray to
/// that edge (times the sign that makes scale_k positive), and shift_k is constant. In a parallel
/// beam, the value is the pixel coordinate at w = 0, scale_k is 1 and shift_k changes with k.
struct DdView {
  Layers slices;
  bool reversed;                     ///< table cell c is detector column columns - 1 - c
  std::vector<float> edge;           ///< columns + 1, ascending
  std::vector<float> inverse_width;  ///< columns: 1 / (edge[c+1] - edge[c])
  std::vector<float>
      length_mm;  ///< columns: path per layer in the plane, w_spacing * sqrt(1 + slope^2)
  std::vector<float> inverse_depth;  ///< columns: 1 / (distance along w from source to detector),
                                     ///< positive; 0: no divergence along z

  double scale_first, scale_step;  ///< scale_k = scale_first + k * scale_step
  double shift_first, shift_step;  ///< shift_k = shift_first + k * shift_step
  double source_z_mm;

  float widest;              ///< largest edge[c+1] - edge[c]
  ExactLocate exact_locate;  ///< map from an edge value to a cell coordinate
  DdLocate locate;           ///< exact_locate, rounded to float32

  /// Throws UsageError if the fan is too wide for the layers (a ray nearly parallel to them) or a
  /// part of the volume lies behind the source.
  DdView(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  double smallest_scale() const { return std::min(scale_first, last_scale()); }
  double largest_scale() const { return std::max(scale_first, last_scale()); }
  int cells() const { return static_cast<int>(length_mm.size()); }
  /// Returns the detector column of a table cell.
  std::size_t column(std::size_t cell) const {
    return reversed ? length_mm.size() - 1 - cell : cell;
  }
  DdMap map() const {
    return {edge.data(), cells(), widest, scale_first, scale_step, shift_first, shift_step};
  }

 private:
  double last_scale() const { return scale_first + (slices.count - 1) * scale_step; }
  double set_layers(const Fan& fan, const View& pose);
  void fill_cells(const Fan& fan, double sign, bool diverges_along_z);
  void set_locator(const Fan& fan, double sign);
};

}  // namespace gantry
