#pragma once

#include <cstddef>

namespace gantry::device {

/// The voxels of a block that owns LinesX times LinesY lines along z. Lanes threads share a line,
/// each with Voxels of it, Lanes apart: lines are contiguous along z there, and along x in the
/// volume. Grid: (x, y, z) in tiles.
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

  /// volume = the block's sums, or += them with `add`. All threads take part.
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
