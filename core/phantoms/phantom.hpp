#pragma once

#include "core/base/interrupt.hpp"
#include "core/base/vec3.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <span>

namespace gantry {

/// An object known in closed form: it gives voxels and exact line integrals of the same thing.
/// Evaluation does not throw and may run on several threads at once.
class Phantom {
 public:
  virtual ~Phantom() = default;

  /// Attenuation at a point of the world, 1/mm.
  virtual double mu_at(Vec3 point_mm) const = 0;
  /// Exact integral of the attenuation along the whole line that carries the ray (no unit): source
  /// and detector are taken to stand outside the phantom.
  virtual double line_integral(const Ray& ray) const = 0;
  /// Adds to each sum the mean attenuation of a cell's middle line along x; the first cell's centre
  /// lies at first_mm, the next ones a step further each. The mean is over `subsamples` equally
  /// spaced points, or exact where the phantom knows better.
  virtual void add_row(Vec3 first_mm, double step_mm, int subsamples, std::span<double> sums) const;
  /// Half the sides of a box about the origin that holds the phantom, mm; z is 0 for a section.
  virtual Vec3 half_extent_mm() const = 0;
  /// True for a 2D section: z plays no part. It fills one slice, or every slice of a stack alike.
  virtual bool is_section() const = 0;
};

/// Samples `phantom` on `grid`: mu[iz][iy][ix] in 1/mm, each voxel the mean of `subsamples` lines
/// along x in y and (unless it is a section) in z, each line as add_row() has it. Throws ShapeError
/// for a span of another size, UsageError for subsamples below 1, Interrupted when asked to give
/// way; `mu` is then unfinished.
void voxelise(const Phantom& phantom, const VolumeGrid& grid, int subsamples, std::span<float> mu,
              const Interrupt* interrupt = nullptr);

/// Exact data of a scan, line_integrals[view][row][column]: each cell is the mean over `subrays`
/// equally spaced rays across its columns and, unless the phantom is a section, as many across its
/// rows. Rows of a parallel or fan stack see a section alike. Throws ShapeError for a span of
/// another size; UsageError for subrays below 1, a source inside the phantom, or a section in a
/// cone beam of several rows; Interrupted when asked to give way, with the output unfinished.
void project_exactly(const Phantom& phantom, const ScanGeometry& geometry, int subrays,
                     std::span<float> line_integrals, const Interrupt* interrupt = nullptr);

}  // namespace gantry
