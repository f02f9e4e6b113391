#pragma once

namespace gantry {

/// Inner loops of voxel-driven backprojection on plain pointers. Compiled once per instruction set;
/// voxel_kernels() returns the version for the processor.

/// Which distance of a voxel enters: none in a parallel beam, the depth along the central ray for a
/// flat detector, the distance from the source in the plane of rotation for an arc.
enum class VoxelBeam { parallel, flat, arc };

/// How the voxels of one line along x project in one view. Voxel i lies at across + i across_step
/// along the detector columns and at depth + i depth_step ahead of the source (mm). With q = across
/// (parallel), across / depth (flat) or atan(across / depth) (arc), voxel i projects onto column
/// gain q + bias.
struct VoxelRow {
  float across, across_step, depth, depth_step, gain, bias;
};

/// How a voxel line along z projects onto the detector rows: voxel z lies at row
/// center + (rise + z rise_step) zoom, where zoom is 1 / distance.
struct VoxelAxis {
  float center, rise, rise_step;
  int slices, rows;
  bool diverges;  ///< false: zoom is 1 at any distance
};

/// Detector values in the order in which the kernels read them: line c + 1 holds detector column c,
/// and value q + 1 of a line is row q. The first and the last row are repeated once beyond the end.
/// Lines 0, columns + 1 and columns + 2 are zero. For a single slice seen by one row a line is one
/// value.
struct VoxelValues {
  const float* first;
  long stride;  ///< from line to line
  int columns;
};

struct VoxelKernels {
  /// image[i] += weight_i * value at the column of voxel i, for a detector of a single row; the
  /// weight is (1 / distance)^power.
  void (*spread_row)(VoxelBeam, int power, const VoxelRow&, const VoxelValues&, int count,
                     float* image);
  /// Does the same for `count` voxel lines along z: image[i * slices + z]. `scratch` holds
  /// 2 count + rows + 2 floats.
  void (*spread_columns)(VoxelBeam, int power, const VoxelRow&, const VoxelAxis&,
                         const VoxelValues&, int count, float* scratch, float* image);
  /// Does the same for `count` voxels of a single slice that is seen by several rows: image[i].
  void (*spread_slice)(VoxelBeam, int power, const VoxelRow&, const VoxelAxis&, const VoxelValues&,
                       int count, float* image);
};

const VoxelKernels& voxel_kernels();

}  // namespace gantry
