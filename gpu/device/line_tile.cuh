#pragma once

#include <cstddef>

namespace gantry::device {

/// The voxels that a block of a backprojection owns: LinesX x LinesY voxel lines along z, each with
/// Lanes x Voxels voxels. `Lanes` threads work on one line (a "lane" is one of them); each thread
/// holds `Voxels` voxels, `Lanes` apart. Grid: (x, y, z) in tiles of LinesX x LinesY x (Lanes
/// Voxels) voxels.
///
///   threadIdx.x = line * Lanes + lane
///   thread (line, lane) sums up the voxels   x = blockIdx.x LinesX + line % LinesX
///                                            y = blockIdx.y LinesY + line / LinesX
///                                            z = blockIdx.z Lanes Voxels + lane + Lanes j,
///                                            j = 0 .. Voxels - 1
///
/// During the summation neighbouring threads are neighbours along z. The volume [iz][iy][ix] is
/// contiguous along x, so store() transposes the sums of one j at a time through shared memory
/// (value[line][lane]): neighbouring threads then write neighbouring lines.
template <int Lanes, int Voxels, int LinesX, int LinesY>
struct LineTile {
  static constexpr int lines = LinesX * LinesY;
  struct Storage {
    float value[lines][Lanes + 1];
  };

  __device__ static int line() { return threadIdx.x / Lanes; }
  __device__ static int lane() { return threadIdx.x % Lanes; }
  __device__ static int x() { return blockIdx.x * LinesX + line() % LinesX; }
  __device__ static int y() { return blockIdx.y * LinesY + line() / LinesX; }
  __device__ static int first_z() { return blockIdx.z * Lanes * Voxels; }

  /// Writes the sums of the block to the volume [iz][iy][ix], or adds them if `add`. All threads of
  /// the block must call it.
  __device__ static void store(Storage& storage, const float (&sum)[Voxels], int nx, int ny, int nz,
                               float* volume, bool add) {
    const int out_line = threadIdx.x % lines, out_lane = threadIdx.x / lines;
    const int out_x = blockIdx.x * LinesX + out_line % LinesX;
    const int out_y = blockIdx.y * LinesY + out_line / LinesX;
#pragma unroll
    for (int j = 0; j < Voxels; ++j) {
      __syncthreads();
      storage.value[line()][lane()] = sum[j];
      __syncthreads();
      const int z = first_z() + out_lane + Lanes * j;
      if (z >= nz || out_x >= nx || out_y >= ny) continue;
      float& voxel = volume[(static_cast<std::size_t>(z) * ny + out_y) * nx + out_x];
      voxel = add ? voxel + storage.value[out_line][out_lane] : storage.value[out_line][out_lane];
    }
  }
};

}  // namespace gantry::device
