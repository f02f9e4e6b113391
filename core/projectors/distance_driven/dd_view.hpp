#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/view_subset.hpp"
#include "core/projectors/common/slices.hpp"
#include "core/projectors/distance_driven/dd_kernels.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

struct Fan;

/// DdLocate in float64.
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

/// True when slices y = const suit the view: the source direction lies nearer to y. On a tie (45
/// degrees, decided with a margin so that rounding does not) y wins.
bool looks_along_y(double angle_rad);
/// The views of a subset that one kind of slices suits.
std::vector<int> views_of_kind(const ScanGeometry& geometry, ViewSubset subset, bool along_y);

/// Footprint tables of one view for the distance-driven model (De Man and Basu, Phys. Med. Biol. 49
/// (2004) 2463), in the plane of rotation.
///
/// Cell c of the table has edges edge[c] < edge[c+1]. On slice k the edge lies at pixel coordinate
///   U_k(e) = scale_k * edge[e] + shift_k        (pixel i spans i .. i + 1),
/// with scale_k > 0. For a diverging beam an edge is the slope du/dw of its ray (times the sign
/// that makes scale_k positive) and shift_k is constant; for a parallel beam it is the pixel
/// coordinate at w = 0, scale_k is 1 and shift_k moves.
struct DdView {
  Slices slices;
  bool reversed;                     ///< table cell c is detector column columns - 1 - c
  std::vector<float> edge;           ///< columns + 1, ascending
  std::vector<float> inverse_width;  ///< columns: 1 / (edge[c+1] - edge[c])
  std::vector<float>
      length_mm;  ///< columns: path per slice in the plane, w_spacing * sqrt(1 + slope^2)
  std::vector<float> inverse_depth;  ///< columns: 1 / (w distance from source to detector), signed
                                     ///< as scale; 0: no divergence along z

  double scale_first, scale_step;  ///< scale_k = scale_first + k * scale_step
  double shift_first, shift_step;  ///< shift_k = shift_first + k * shift_step
  double source_z_mm;

  float widest;              ///< of all cells, in edge units
  ExactLocate exact_locate;  ///< where an edge value falls among the cells
  DdLocate locate;           ///< and rounded

  /// Throws UsageError when the fan is too wide for slices (a ray nearly parallel to them) or a
  /// part of the volume lies behind the source.
  DdView(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  double smallest_scale() const { return std::min(scale_first, last_scale()); }
  double largest_scale() const { return std::max(scale_first, last_scale()); }
  int cells() const { return static_cast<int>(length_mm.size()); }
  /// Detector column of a table cell.
  std::size_t column(std::size_t cell) const {
    return reversed ? length_mm.size() - 1 - cell : cell;
  }
  DdMap map() const {
    return {edge.data(), cells(), widest, scale_first, scale_step, shift_first, shift_step};
  }

 private:
  double last_scale() const { return scale_first + (slices.count - 1) * scale_step; }
  double place_slices(const Fan& fan, const View& pose);
  void fill_cells(const Fan& fan, double sign, bool diverges_along_z);
  void set_locator(const Fan& fan, double sign);
};

}  // namespace gantry
