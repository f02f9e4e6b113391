#pragma once

#include "core/base/interrupt.hpp"
#include "core/base/vec3.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <span>

namespace gantry {

/// An object known in closed form, which gives both voxels and exact line integrals. Evaluation
/// does not throw and may run on several threads at once.
class Phantom {
 public:
  virtual ~Phantom() = default;

  /// Returns the attenuation at a point in world coordinates, 1/mm.
  virtual double mu_at(Vec3 point_mm) const = 0;
  /// Returns the exact integral of the attenuation along the whole straight line that contains the
  /// ray (no unit): source and detector are assumed to stand outside the phantom.
  virtual double line_integral(const Ray& ray) const = 0;
  /// Adds, for a line of voxels along x, the mean attenuation (1/mm) along the middle line of voxel
  /// ix to sums[ix]. The centre of the first voxel is first_mm, the voxels are step_mm wide. The
  /// mean is over `subsamples` equally spaced points; derived classes may compute the exact mean
  /// instead.
  virtual void add_row(Vec3 first_mm, double step_mm, int subsamples, std::span<double> sums) const;
  /// Returns half the sides of a box about the origin that holds the phantom, mm; z is 0 for a
  /// section.
  virtual Vec3 half_extent_mm() const = 0;
  /// Returns true for a 2D section, which does not depend on z: in a stack, all slices are equal.
  virtual bool is_section() const = 0;
};

/// Samples `phantom` on `grid`: mu[iz][iy][ix] in 1/mm. Each voxel is the mean over
/// subsamples x subsamples lines along x, equally spaced in y and z (for a section: over subsamples
/// lines, equally spaced in y), as computed by add_row(). Throws ShapeError for a span of another
/// size, UsageError for subsamples outside 1 to 64, InputError for an unusable grid, and
/// Interrupted, with `mu` then incomplete.
void voxelise(const Phantom& phantom, const VolumeGrid& grid, int subsamples, std::span<float> mu,
              const Interrupt* interrupt = nullptr);

/// Computes the exact data of a scan, line_integrals[view][row][column]. Each cell is the mean over
/// subrays x subrays rays, equally spaced across its columns and rows (for a section: over subrays
/// rays, equally spaced across its columns). All rows of a parallel or fan stack see a section
/// alike. Throws ShapeError for a span of another size; UsageError for subrays outside 1 to 64, a
/// source inside the phantom, or a section in a cone beam or free poses with several rows; and
/// Interrupted, with the output then incomplete.
void project_exactly(const Phantom& phantom, const ScanGeometry& geometry, int subrays,
                     std::span<float> line_integrals, const Interrupt* interrupt = nullptr);

}  // namespace gantry
