#pragma once

// Slices of images and rays as columns, [index][slice], and back.
#include "gpu/kernels/row_selection.hpp"
#include "gpu/kernels/tile_model.hpp"

namespace gantry::device {

/// 32 indices x 32 slices through shared memory. Block (32, 8), grid (indices / 32, slices / 32).
/// Rays of other views are not read and become 0; going back they stay as they are.
template <bool Rays, bool Back>
__global__ void turn_slices(SliceLayout layout, std::int64_t count, ViewRange views,
                            std::conditional_t<Back, float, const float>* natural,
                            std::conditional_t<Back, const float, float>* columns) {
  __shared__ float tile[32][33];
  const std::int64_t first = blockIdx.x * std::int64_t{32};
  const int first_slice = static_cast<int>(blockIdx.y) * 32, x = static_cast<int>(threadIdx.x);
  const auto each = [&](const auto& along_indices, const auto& along_slices) {
    for (int row = static_cast<int>(threadIdx.y); row < 32; row += 8) {
      if (along_indices && first + x < count && first_slice + row < layout.slices) {
        const int index = static_cast<int>(first + x);
        const bool wanted = !Rays || views.has(index);
        const std::int64_t at =
            Rays ? layout.ray(index, first_slice + row) : layout.pixel(index, first_slice + row);
        if constexpr (Back) {
          if (wanted) natural[at] = tile[x][row];
        } else {
          tile[x][row] = wanted ? natural[at] : 0;
        }
      }
      if (along_slices && first + row < count && first_slice + x < layout.slices) {
        const std::int64_t at = (first + row) * layout.slices + first_slice + x;
        if constexpr (Back)
          tile[row][x] = columns[at];
        else
          columns[at] = tile[row][x];
      }
    }
    __syncthreads();
  };
  each(!Back, Back);
  each(Back, !Back);
}

}  // namespace gantry::device
