#pragma once

// Weighting of detector rows before their Fourier transform, and multiplication by the filter's
// response after the transform. Blocks of one dimension:
//
//                    blockIdx.x           blockIdx.y blockDim.x + threadIdx.x
//   weight_rows      row (of all views)   index in the padded row
//   multiply_rows    row (of all views)   frequency
//
// Each thread writes one element; shared memory is not used.
#include <cstddef>

namespace gantry::device {

/// Rows of views and their weights, see FilteringPlan: rays[measured view][row][column],
/// cell_weight[row][column], column_weight[view][column], measured_view[view], where the last two
/// begin at the first view of the group. `lead` is the index of detector column 0 in a row of
/// `padded` values.
struct RowWeighting {
  const float *rays, *cell_weight, *column_weight;
  const int* measured_view;
  int columns, rows, lead, padded;
};

/// Computes out[row of all views][index], padded + 2 floats per row: the weighted columns,
/// surrounded by zeros. Grid (rows of all views, blocks of indices).
__global__ void weight_rows(RowWeighting given, float* __restrict__ out) {
  const int place = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  if (place >= given.padded + 2) return;
  const std::size_t nth = blockIdx.x / static_cast<unsigned>(given.rows);
  const int row = static_cast<int>(blockIdx.x % static_cast<unsigned>(given.rows)),
            column = place - given.lead;
  float value = 0;
  if (column >= 0 && column < given.columns)
    value = given.rays[(static_cast<std::size_t>(given.measured_view[nth]) * given.rows + row) *
                           given.columns +
                       column] *
            given.cell_weight[static_cast<std::size_t>(row) * given.columns + column] *
            given.column_weight[nth * given.columns + column];
  out[blockIdx.x * static_cast<std::size_t>(given.padded + 2) + place] = value;
}

/// Computes spectrum[row][frequency] *= response[frequency] for `count` frequencies per row. Grid
/// (rows of all views, blocks of frequencies).
__global__ void multiply_rows(const float* __restrict__ response, int count,
                              float2* __restrict__ spectrum) {
  const int f = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  if (f >= count) return;
  float2& value = spectrum[blockIdx.x * static_cast<std::size_t>(count) + f];
  const float by = response[f];
  value = {value.x * by, value.y * by};
}

}  // namespace gantry::device
