#pragma once

#include "core/backend/array.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/metal/value_classes.hpp"
#include "core/operator/projector.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace gantry {

/// Returns the grid of the images in which metal is searched: as fine as the detector at the axis,
/// but at most so many voxels across. It holds the circle that the longer side of the detector
/// sees.
VolumeGrid metal_grid(const ScanGeometry& geometry, int most_across);

/// An image of a scan on the CPU and its projections. Each has memory of its own; reconstructing
/// replaces the image, projecting replaces the projections.
class MetalImages {
 public:
  /// `interrupt` may be null. Throws UsageError where the grid reaches the source.
  MetalImages(const ScanGeometry& geometry, const VolumeGrid& grid, const Interrupt* interrupt);
  MetalImages(const MetalImages&) = delete;
  MetalImages& operator=(const MetalImages&) = delete;

  std::span<float> rays() { return rays_.host(); }  ///< [view][row][column]
  std::span<float> mu() { return mu_.host(); }      ///< [iz][iy][ix], 1/mm

  /// Sets mu to the filtered backprojection of the rays (Hann window), smoothed by (1 2 1)/4 along
  /// x and y; `extrapolation`: part of their width by which rows are extrapolated. Throws
  /// Interrupted.
  void reconstruct(double extrapolation = 0);
  /// Sets the rays to the line integrals of mu (Joseph's weights). Throws Interrupted.
  void project();
  /// Calls use(first, end) for the voxels of each image row that lie in the field of view, a circle
  /// that touches the sides of the grid. Throws Interrupted.
  void for_visible(const std::function<void(std::size_t, std::size_t)>& use) const;
  /// Returns the histogram of mu in the field of view. `has_air`: with as many values of air added,
  /// for an object that may fill the field of view.
  ValueHistogram values(bool has_air = false) const;

  /// Returns the memory of image, projections and products, bytes.
  static std::size_t bytes(const ScanGeometry& geometry, const VolumeGrid& grid);

 private:
  void smooth();

  CpuBackend backend_;
  const VolumeGrid grid_;
  const Interrupt* interrupt_;
  std::unique_ptr<Projector> projector_;
  Array rays_, mu_;
};

}  // namespace gantry
