#pragma once

#include "core/data/volume.hpp"
#include "core/projectors/linear_operator.hpp"

#include <memory>
#include <string>

namespace gantry {

/// Line integrals of a voxel volume along the rays of a scan: A_ij is the length (mm) by which
/// voxel j counts in ray i, so that 1/mm in gives a pure number out.
class Projector : public LinearOperator {
 public:
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
