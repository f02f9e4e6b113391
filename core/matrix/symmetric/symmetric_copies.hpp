#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/geometry/view_subset.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gantry {

/// Rearranges images and rays so that products with all views of a scan become products of the
/// stored views with several vectors at once. Vector k belongs to element g_k of the symmetry
/// group; its value j lies at [j * vectors + k], `vectors` being the number of vectors. With W the
/// matrix rows of the stored views:
///   forward:   X[j, k] = x[g_k j],      Y = W X,      y[g_k r] = Y[r, k]
///   transpose: Y[r, k] = y[g_k r],      X = W^T Y,    x[j] = sum_k X[g_k^-1 j, k]
/// Each view is the image of one stored view under one element (ScanSymmetry::images), so that a
/// view that is its own mirror image is counted once. If only the first half of the detector rows
/// is kept, the other half follows by the mirror along the axis, that is, by a second element.
class SymmetricCopies {
 public:
  static constexpr int most_lanes = 16;

  /// A view of the scan that is the image of a stored view.
  struct Target {
    int view, lane;           ///< view of the scan; vector k that holds the image
    bool along_axis = false;  ///< the half of the rows that follows by the mirror along the axis
  };
  /// The stored views and the elements that a product needs.
  struct Plan {
    int vectors = 1;            ///< vectors, a power of two; those past `elements` are zero
    std::vector<int> elements;  ///< [k]: index of g_k in ScanSymmetry::elements()
    std::vector<int> stored;    ///< [i]: index in ScanSymmetry::stored_views()
    std::vector<std::vector<Target>> targets;  ///< [i]: the images of stored[i]
  };

  /// `kept_rows`: number of detector rows of each stored view, all or rows_to_keep().
  SymmetricCopies(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                  const VolumeGrid& grid, int kept_rows);
  /// Returns the number of detector rows to keep: half of them, with the middle one, where the scan
  /// has the mirror along the axis, else all.
  static int rows_to_keep(const ScanSymmetry& symmetry, const ScanGeometry& geometry);

  /// Returns what a product with the views of a subset needs.
  Plan plan(ViewSubset subset) const;

  std::size_t voxels() const { return voxels_; }
  /// Number of kept cells of a view.
  std::size_t cells() const { return columns_ * kept_rows_; }
  std::size_t stored_views() const { return stored_views_; }
  /// Returns how many views are images of a stored view.
  std::size_t images_of(std::size_t stored) const;
  /// Returns how many rays of an image follow from a kept cell: two if half of the rows are kept,
  /// except for the middle row, which is its own mirror image; else one.
  int images_in_view(std::size_t cell) const {
    return halves() && cell / columns_ != rows_ - 1 - cell / columns_ ? 2 : 1;
  }

  /// copies[j, k] = image[g_k j]
  void gather(const float* image, const Plan& plan, float* copies) const;
  /// image[j] = sum over k of sums[g_k^-1 j, k], in the order of the elements
  void fold(const float* sums, const Plan& plan, float* image) const;
  /// Writes the images of stored view plan.stored[i]: rays[g_k r] = sums[r, k].
  void spread(const double* sums, const Plan& plan, std::size_t i, float* rays) const;
  /// copies[r, k] = rays[g_k r] for plan.stored[i]; 0 where the subset has no such view.
  void collect(const float* rays, const Plan& plan, std::size_t i, float* copies) const;

 private:
  /// An element takes voxel (x, y, z) to index origin + x step_x + y step_y + z step_z.
  struct VoxelMap {
    std::ptrdiff_t origin = 0, step_x = 0, step_y = 0, step_z = 0;
  };
  /// A view as the image of a stored view.
  struct Image {
    int stored, element, along_axis;  ///< along_axis: the element, then the mirror along the axis
    bool columns_reversed, rows_reversed;
  };
  bool halves() const { return kept_rows_ < rows_; }
  VoxelMap map_of(const ScanSymmetry& symmetry, const SymmetryElement& g) const;
  /// Calls visit(cell, kept cell) for the cells of the view that belong to the target.
  template <class Visit>
  void for_each_cell(const Target& target, const Visit& visit) const;

  VolumeGrid grid_;
  std::size_t voxels_, columns_, rows_, kept_rows_, stored_views_;
  std::vector<VoxelMap> maps_, inverse_maps_;  ///< by element
  std::vector<Image> images_;                  ///< by view
};

}  // namespace gantry
