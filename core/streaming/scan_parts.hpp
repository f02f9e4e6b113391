#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace gantry {

/// Whole numbers first .. last - 1.
struct Range {
  int first = 0, last = 0;
  int count() const { return last - first; }
  bool empty() const { return last <= first; }
  bool meets(Range other) const { return first < other.last && other.first < last; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Piece `index` of `pieces` nearly equal ones of 0 .. whole - 1.
Range piece(int whole, int pieces, int index);

/// A volume cut into slabs: along z, or along y where it is a single slice. A slab is a grid of its
/// own and lies in one run of memory.
class Slabs {
 public:
  Slabs(const VolumeGrid& grid, int count) : whole_(grid), count_(count) {}

  int count() const { return count_; }
  VolumeGrid grid(int slab) const;
  /// Of its first voxel in the whole volume's memory.
  std::size_t offset(int slab) const;
  std::size_t largest_voxels() const;

  /// Slices, or rows of the single slice.
  static int layers(const VolumeGrid& grid) { return grid.nz > 1 ? grid.nz : grid.ny; }
  /// No slab may be thinner: one slice before one row of cells would be taken for a problem in the
  /// plane, where heights have no say (is_planar).
  static int fewest_layers(const ScanGeometry& geometry, const VolumeGrid& grid);
  static int most(const ScanGeometry& geometry, const VolumeGrid& grid) {
    return std::max(1, layers(grid) / fewest_layers(geometry, grid));
  }

 private:
  std::size_t layer_voxels() const;

  VolumeGrid whole_;
  int count_;
};

/// No part of a scan may have fewer rows, for the same reason.
int fewest_rows(const ScanGeometry& geometry, const VolumeGrid& grid);

/// The rows of a view whose weights in this part of a volume may differ from 0, and a margin beyond
/// which no projector reads: footprints end, and interpolation reaches a voxel and a row further at
/// most. Empty: the view does not see it.
Range rows_that_see(const ScanGeometry& geometry, int view, const VolumeGrid& part);

/// The scan of these views and rows alone: its rays are those of the whole.
std::shared_ptr<const ScanGeometry> part_of_scan(const ScanGeometry& geometry,
                                                 std::span<const int> views, Range rows);

}  // namespace gantry
