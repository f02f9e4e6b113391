#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace gantry {

/// The numbers first .. last - 1.
struct Range {
  int first = 0, last = 0;
  int count() const { return last - first; }
  bool empty() const { return last <= first; }
  bool meets(Range other) const { return first < other.last && other.first < last; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Returns piece `index` of the numbers 0 .. whole - 1, cut into `pieces` pieces of nearly equal
/// size.
Range piece(int whole, int pieces, int index);

/// A volume cut into slabs of slices, or a volume of a single slice cut into slabs of lines iy. A
/// slab is a grid of its own and is contiguous in memory.
class Slabs {
 public:
  Slabs(const VolumeGrid& grid, int count) : whole_(grid), count_(count) {}

  int count() const { return count_; }
  VolumeGrid grid(int slab) const;
  /// Returns the offset of the slab's first voxel in the memory of the whole volume.
  std::size_t offset(int slab) const;
  /// Returns the number of voxels of the largest slab.
  std::size_t largest_voxels() const;

  /// Returns the number of slices, or of lines iy if there is a single slice.
  static int layers(const VolumeGrid& grid) { return grid.nz > 1 ? grid.nz : grid.ny; }
  /// Returns the smallest number of slices (or lines) of a slab: a single slice seen by a single
  /// detector row would be taken for a 2D problem, in which heights do not count (is_planar).
  static int fewest_layers(const ScanGeometry& geometry, const VolumeGrid& grid);
  /// Returns the largest number of slabs.
  static int most(const ScanGeometry& geometry, const VolumeGrid& grid) {
    return std::max(1, layers(grid) / fewest_layers(geometry, grid));
  }

 private:
  std::size_t layer_voxels() const;

  VolumeGrid whole_;
  int count_;
};

/// Returns the smallest number of detector rows of a part of a scan, for the reason given at
/// Slabs::fewest_layers.
int fewest_rows(const ScanGeometry& geometry, const VolumeGrid& grid);

/// Returns the detector rows of a view whose weights in a part of the volume may differ from 0,
/// with a margin beyond which no projector reads: interpolation extends at most a voxel and a row
/// beyond a footprint. Empty if the view does not see the part.
Range rows_that_see(const ScanGeometry& geometry, int view, const VolumeGrid& part);

/// Returns a scan of some views and detector rows alone, with the same rays as in the whole scan.
std::shared_ptr<const ScanGeometry> part_of_scan(const ScanGeometry& geometry,
                                                 std::span<const int> views, Range rows);

}  // namespace gantry
