#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/suitable_scans.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/linear_operator.hpp"

#include <memory>
#include <string>

namespace gantry {

/// What is known of a projector before one is made.
struct ProjectorTraits {
  bool is_exact_pair = true;         ///< adjoint() is the exact transpose of forward()
  bool gives_single_weights = true;  ///< row_source() is there
  SuitableScans scans = {};
  friend bool operator==(const ProjectorTraits&, const ProjectorTraits&) = default;
};

/// Line integrals of a voxel volume along the rays of a scan: A_ij is the length (mm) by which
/// voxel j counts in ray i, so that 1/mm in gives a pure number out.
class Projector : public LinearOperator {
 public:
  using Traits = ProjectorTraits;

  const VolumeGrid& grid() const { return grid_; }
  const VolumeGrid* image_grid() const final { return &grid_; }
  const ScanGeometry& geometry() const { return *geometry_; }
  std::shared_ptr<const ScanGeometry> shared_geometry() const { return geometry_; }

 protected:
  /// Throws UsageError when a source stands inside the volume or behind a part of it.
  Projector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);

 private:
  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
};

/// A single slice seen by one row of a parallel or fan beam that turns about the axis: a problem in
/// two dimensions, where heights have no say.
bool is_planar(const ScanGeometry& geometry, const VolumeGrid& grid);

/// Throws UsageError for free poses; `method` begins the sentence.
void require_turning(const ScanGeometry& geometry, const std::string& method);

/// Throws UsageError unless, seen from every source, each corner of the volume lies ahead.
void require_source_outside(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
