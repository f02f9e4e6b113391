#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/suitable_scans.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/operator/operator_memory.hpp"

#include <memory>
#include <string>

namespace gantry {

/// Returns the memory that the products of a projector take, without making the projector.
/// `multiprocessors`: those of the GPU on which the projector would be made; 0 for the CPU.
using EstimateMemory = ProductMemory (*)(const ScanGeometry& geometry, const VolumeGrid& grid,
                                         int multiprocessors);

/// Properties of a kind of projector, known before one is made.
struct ProjectorTraits {
  bool is_exact_pair = true;       ///< adjoint() is the exact transpose of forward()
  bool has_single_weights = true;  ///< row_source() is not null
  bool has_columns = true;         ///< make_columns() (column_access.hpp) gives its columns
  bool has_rows = true;            ///< make_rows() (row_access.hpp) gives its rows
  SuitableScans scans = {};
  /// Null if the memory depends on what several devices have free, and is known of a projector that
  /// has been made only.
  EstimateMemory memory = nullptr;
  friend bool operator==(const ProjectorTraits&, const ProjectorTraits&) = default;
};

/// Line integrals of a voxel volume along the rays of a scan. A_ij is the weight of voxel j in ray
/// i, a length in mm (Siddon: the path of the ray in the voxel); images are in 1/mm, so that ray
/// sums are pure numbers.
class Projector : public LinearOperator {
 public:
  using Traits = ProjectorTraits;

  const VolumeGrid& grid() const { return grid_; }
  const ScanGeometry& geometry() const { return *geometry_; }
  std::shared_ptr<const ScanGeometry> shared_geometry() const { return geometry_; }

 protected:
  /// Throws UsageError if a source lies inside the volume or beyond a part of it.
  Projector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);

 private:
  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
};

/// Whether a scan is a 2D problem: a single slice and a single detector row, in a parallel or fan
/// beam that rotates about the z axis. Heights are then ignored.
bool is_planar(const ScanGeometry& geometry, const VolumeGrid& grid);

/// Throws UsageError if the scan has free poses; `method` is the subject of the message.
void require_turning(const ScanGeometry& geometry, const std::string& method);

/// Throws UsageError unless every corner of the volume lies ahead of the source in every view.
void require_source_outside(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
