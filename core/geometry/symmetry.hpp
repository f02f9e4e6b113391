#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A symmetry of the square and of the axis. The mirrors are applied first (x to -x, z to -z), then
/// the rotation about z by quarter_turns times 90 degrees, counter-clockwise.
struct SymmetryElement {
  int quarter_turns = 0;
  bool mirror = false, mirror_z = false;

  friend bool operator==(const SymmetryElement&, const SymmetryElement&) = default;
};

/// Returns the element that applies `first`, then `second`: (k2,s2)(k1,s1) = (k2 + (-1)^s2 k1 mod
/// 4, s1 xor s2).
SymmetryElement compose(const SymmetryElement& second, const SymmetryElement& first);
SymmetryElement inverse(const SymmetryElement& g);
/// Returns a text such as "rotation by 90°" or "mirror up-down (y to −y)".
std::string describe(const SymmetryElement& g);

struct VoxelIndex {
  int x = 0, y = 0, z = 0;
  friend bool operator==(const VoxelIndex&, const VoxelIndex&) = default;
};
struct RayIndex {
  int view = 0, column = 0, row = 0;
  friend bool operator==(const RayIndex&, const RayIndex&) = default;
};

/// Finds the rotations and mirrors that map a scan and its grid onto themselves. For each such
/// element g, the weights of any projector that treats mirrored rays alike satisfy
///   A[ray(g, r), voxel(g, j)] = A[r, j],
/// so that the matrix rows of the stored views determine all others. cuART stores an eighth of the
/// views in this way; the maps here follow the dihedral group of the square, in integer arithmetic.
/// A helix and free poses have the identity alone. (A helix is also mapped onto itself by a
/// rotation by 180 degrees about a horizontal axis; this symmetry is not considered.)
class ScanSymmetry {
 public:
  struct Failure {
    SymmetryElement element;
    std::string reason;  ///< one sentence, without a full stop
  };
  /// A view as the image of a stored view under an element.
  struct Image {
    int stored_view = 0;
    SymmetryElement element;
  };

  ScanSymmetry(const ScanGeometry& geometry, const VolumeGrid& grid);

  /// Returns the number of elements that are tested: 8 for a slice with one detector row, otherwise
  /// 16 (with z to -z).
  int candidates() const { return spatial_ ? 16 : 8; }
  /// Returns the elements that hold, the identity first; they form a group.
  const std::vector<SymmetryElement>& elements() const { return elements_; }
  /// Returns the elements that do not hold, each with the reason.
  const std::vector<Failure>& failures() const { return failures_; }
  bool holds(const SymmetryElement& g) const;

  /// Returns the voxel onto which an element maps a voxel.
  VoxelIndex voxel(const SymmetryElement& g, VoxelIndex at) const;
  /// Returns the ray onto which an element maps a ray. Throws ShapeError for an element that does
  /// not map views to views.
  RayIndex ray(const SymmetryElement& g, RayIndex at) const;
  int view(const SymmetryElement& g, int v) const { return ray(g, {v, 0, 0}).view; }

  /// Returns the first view of each orbit, ascending.
  const std::vector<int>& stored_views() const { return stored_views_; }
  /// Returns, for every view, the stored view and one element that maps the stored view onto this
  /// view. Each view occurs once, also where a further element maps a stored view onto itself.
  const std::vector<Image>& images() const { return images_; }
  /// Returns the number of rays of which none is the image of another. A stored view that is
  /// mirrored onto itself contributes half of its rays, with z to -z as well a quarter.
  std::size_t stored_rays() const;

 private:
  /// The views as slots of a circle of `period` equal steps. If the views do not fit, period is 0
  /// and the lists are empty.
  struct Circle {
    int period = 0;
    double first_rad = 0, step_rad = 0;
    std::vector<int> slot_of_view, view_of_slot;
  };
  Circle assign_slots(const ScanGeometry& geometry, double turn_rad) const;
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
  std::array<std::optional<int>, 8> steps_;  ///< shift in slots, [4 * mirror + quarter_turns]
  std::vector<SymmetryElement> elements_;
  std::vector<Failure> failures_;
  std::vector<int> stored_views_;
  std::vector<Image> images_;
};

/// Returns the symmetries of a scan and a grid.
inline ScanSymmetry analyse_symmetry(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return {geometry, grid};
}

/// Returns a text such as "8 of 8 elements hold; 90 of 720 views need storing".
std::string describe(const ScanSymmetry& symmetry);

}  // namespace gantry
