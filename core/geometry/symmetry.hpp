#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A symmetry of the square, and of the axis: first the mirrors (x to -x, z to -z), then quarter
/// turns about z, counter-clockwise.
struct SymmetryElement {
  int quarter_turns = 0;
  bool mirror = false, mirror_z = false;

  friend bool operator==(const SymmetryElement&, const SymmetryElement&) = default;
};

/// `first`, then `second`: (k2,s2)(k1,s1) = (k2 + (-1)^s2 k1 mod 4, s1 xor s2).
SymmetryElement compose(const SymmetryElement& second, const SymmetryElement& first);
SymmetryElement inverse(const SymmetryElement& g);
/// "turn by 90°", "mirror up-down (y to −y)"
std::string describe(const SymmetryElement& g);

struct VoxelIndex {
  int x = 0, y = 0, z = 0;
  friend bool operator==(const VoxelIndex&, const VoxelIndex&) = default;
};
struct RayIndex {
  int view = 0, column = 0, row = 0;
  friend bool operator==(const RayIndex&, const RayIndex&) = default;
};

/// Which turns and mirrors map a scan and its grid onto themselves. For those that do, any
/// projector that treats mirrored rays alike has
///   A[ray(g, r), voxel(g, j)] = A[r, j],
/// so that the rows of the stored views give all others. cuART's eight stored views, with the maps
/// as in the dihedral group of the square; indices are mapped in whole numbers. A helix and free
/// poses have the identity alone (a helix also maps onto itself by a half turn about a horizontal
/// axis, which is not looked for).
class ScanSymmetry {
 public:
  struct Failure {
    SymmetryElement element;
    std::string reason;  ///< one sentence, without a full stop
  };
  /// A view as the image of a stored one.
  struct Image {
    int stored_view = 0;
    SymmetryElement element;
  };

  ScanSymmetry(const ScanGeometry& geometry, const VolumeGrid& grid);

  /// How many elements a scan like this can have: 8 in a plane, 16 with the axis.
  int candidates() const { return spatial_ ? 16 : 8; }
  /// Those that hold, the identity first; they form a group.
  const std::vector<SymmetryElement>& elements() const { return elements_; }
  const std::vector<Failure>& failures() const { return failures_; }
  bool holds(const SymmetryElement& g) const;

  VoxelIndex voxel(const SymmetryElement& g, VoxelIndex at) const;
  /// Throws ShapeError for an element that does not hold.
  RayIndex ray(const SymmetryElement& g, RayIndex at) const;
  int view(const SymmetryElement& g, int v) const { return ray(g, {v, 0, 0}).view; }

  /// One view of each orbit, ascending.
  const std::vector<int>& stored_views() const { return stored_views_; }
  /// For every view, the stored one that it is an image of, by one element:
  /// each view is written once, also where an element maps a stored view onto itself.
  const std::vector<Image>& images() const { return images_; }
  /// Rays of which none is the image of another. A stored view that is its own mirror needs half
  /// of its rays.
  std::size_t stored_rays() const;

 private:
  /// Views as places on a circle of `period` equal steps; -1 where they are none.
  struct Circle {
    int period = 0;
    double first_rad = 0, step_rad = 0;
    std::vector<int> place_of_view, view_of_place;
  };
  Circle place_views(const ScanGeometry& geometry, double turn_rad) const;
  std::optional<int> steps_of(int quarter_turns, bool mirror) const;
  std::string failure(const SymmetryElement& g, const ScanGeometry& geometry,
                      const VolumeGrid& grid) const;
  std::string grid_failure(const SymmetryElement& g, const VolumeGrid& grid) const;
  std::string view_failure(const SymmetryElement& g) const;
  std::string detector_failure(const SymmetryElement& g, const ScanSpec& spec) const;
  void find_orbits();

  int views_, columns_, rows_, nx_, ny_, nz_;
  bool spatial_;
  Circle circle_;
  std::array<std::optional<int>, 8> steps_;  ///< of view places, by 4 * mirror + quarter turns
  std::vector<SymmetryElement> elements_;
  std::vector<Failure> failures_;
  std::vector<int> stored_views_;
  std::vector<Image> images_;
};

inline ScanSymmetry analyse_symmetry(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return {geometry, grid};
}

/// "8 of 8 elements hold; 90 of 720 views need storing"
std::string describe(const ScanSymmetry& symmetry);

}  // namespace gantry
