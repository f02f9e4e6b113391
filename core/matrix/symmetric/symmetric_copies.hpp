#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/geometry/view_subset.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gantry {

/// Moves images and rays to where the stored views are, and back: products with all views of a scan
/// as products of the stored ones with several vectors at once, its lanes. Lane k holds the image
/// as element g_k sees it, value j of it at [j * lanes + k].
///   forward:   X[j, k] = x[g_k j],      Y = W X,      y[g_k r] = Y[r, k]
///   transpose: Y[r, k] = y[g_k r],      X = W^T Y,    x[j] = sum_k X[g_k^-1 j, k]
/// Each view is an image of one stored view by one element (ScanSymmetry::images), so that views
/// that are their own mirror are counted once. Where the first rows of the stored views are all
/// that is kept, the others are images of these along the axis, by one element more.
class SymmetricCopies {
 public:
  static constexpr int most_lanes = 16;

  /// View `view` of the scan is the image of a stored one in this lane; the other end of its rows
  /// where along the axis.
  struct Target {
    int view, lane;
    bool along_axis = false;
  };
  /// What of the stored views a product needs.
  struct Plan {
    int lanes = 1;              ///< a power of two; those past `elements` are zero
    std::vector<int> elements;  ///< of the symmetry, one a lane
    std::vector<int> stored;    ///< stored views, by their place among the stored ones
    std::vector<std::vector<Target>> targets;  ///< of each of these
  };

  /// `kept_rows`: of each stored view, all or rows_to_keep().
  SymmetricCopies(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                  const VolumeGrid& grid, int kept_rows);
  /// Half of the rows where the scan has the mirror along the axis, and the middle one.
  static int rows_to_keep(const ScanSymmetry& symmetry, const ScanGeometry& geometry);

  Plan plan(ViewSubset subset) const;

  std::size_t voxels() const { return voxels_; }
  /// Kept, of a view.
  std::size_t cells() const { return columns_ * kept_rows_; }
  std::size_t stored_views() const { return stored_views_; }
  /// How many views come of a stored one.
  std::size_t images_of(std::size_t stored) const;
  /// How many rays of such a view come of a kept cell: two, but for its own image along the axis.
  int images_in_view(std::size_t cell) const {
    return halves() && cell / columns_ != rows_ - 1 - cell / columns_ ? 2 : 1;
  }

  /// copies[j, k] = image[g_k j]
  void gather(const float* image, const Plan& plan, float* copies) const;
  /// image[j] = sum over k of sums[g_k^-1 j, k], in the order of the elements
  void fold(const float* sums, const Plan& plan, float* image) const;
  /// Writes the views that come of the i-th of the plan: rays[g_k r] = sums[r, k].
  void spread(const double* sums, const Plan& plan, std::size_t i, float* rays) const;
  /// copies[r, k] = rays[g_k r] for the i-th of the plan, 0 where no view is asked for.
  void collect(const float* rays, const Plan& plan, std::size_t i, float* copies) const;

 private:
  /// Where an element takes voxel (x, y, z): origin + x step_x + y step_y + z step_z.
  struct VoxelMap {
    std::ptrdiff_t origin = 0, step_x = 0, step_y = 0, step_z = 0;
  };
  struct Image {
    int stored, element, along_axis;  ///< the last: that element and the mirror along the axis
    bool columns_reversed, rows_reversed;
  };
  bool halves() const { return kept_rows_ < rows_; }
  VoxelMap map_of(const ScanSymmetry& symmetry, const SymmetryElement& g) const;
  /// Calls visit(cell, kept cell) for what a target has of its view.
  template <class Visit>
  void for_each_cell(const Target& target, const Visit& visit) const;

  VolumeGrid grid_;
  std::size_t voxels_, columns_, rows_, kept_rows_, stored_views_;
  std::vector<VoxelMap> maps_, inverse_maps_;  ///< by element
  std::vector<Image> images_;                  ///< by view
};

}  // namespace gantry
