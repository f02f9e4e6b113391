#pragma once

namespace gantry {

/// Inner loops of voxel-driven backprojection on plain pointers. The file is compiled once per
/// instruction set; voxel_kernels() picks what the processor can run.

/// How a beam's distances enter: a parallel beam has none, a flat detector divides by the depth
/// along the central ray, an arc by the distance from the source in the plane of rotation.
enum class VoxelBeam { parallel, flat, arc };

/// How the voxels of one image row project in one view. Voxel i lies at across + i across_step
/// along the columns and at depth + i depth_step ahead of the source (mm). With q = across
/// (parallel), across / depth (flat) or atan(across / depth) (arc) it lands at column gain q +
/// bias.
struct VoxelRow {
  float across, across_step, depth, depth_step, gain, bias;
};

/// Where a voxel column lands along the detector's rows: voxel z at row
/// center + (rise + z rise_step) zoom, with zoom the beam's 1 / distance (parallel: 1).
struct VoxelAxis {
  float center, rise, rise_step;
  int slices, rows;
  bool diverges;  ///< else zoom is 1 whatever the distance
};

/// Detector values as the kernels read them: line c + 1 holds detector column c, and inside it
/// place q + 1 holds row q, the first and last row twice. Lines 0 and columns + 1 and the one
/// after are zero. A detector of a single row and a single slice has lines of one value.
struct VoxelValues {
  const float* first;
  long stride;  ///< from line to line
  int columns;
};

struct VoxelKernels {
  /// image[i] += weight_i * value at the column of voxel i, for one row of values; the weight is
  /// (1 / distance)^power.
  void (*spread_row)(VoxelBeam, int power, const VoxelRow&, const VoxelValues&, int count,
                     float* image);
  /// The same for voxel columns: image[i * slices + z]. `scratch` holds 2 count + rows + 2 floats.
  void (*spread_columns)(VoxelBeam, int power, const VoxelRow&, const VoxelAxis&,
                         const VoxelValues&, int count, float* scratch, float* image);
};

const VoxelKernels& voxel_kernels();

}  // namespace gantry
