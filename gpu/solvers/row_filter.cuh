#pragma once

// Weights of filtered backprojection, before and after the Fourier transform of detector rows.
#include <cstddef>

namespace gantry::device {

/// Rows of views as the ramp filter takes them; see FilteringPlan. `rays` begins at the first view,
/// as does column_weight.
struct RowWeighting {
  const float *rays, *cell_weight, *column_weight;
  int columns, rows, lead, padded;
};

/// out[row of all views][place], padded + 2 floats a row, zeros around the weighted columns. Grid
/// (rows of all views, blocks of places).
__global__ void weight_rows(RowWeighting given, float* __restrict__ out) {
  const int place = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  if (place >= given.padded + 2) return;
  const std::size_t nth = blockIdx.x / static_cast<unsigned>(given.rows);
  const int row = static_cast<int>(blockIdx.x % static_cast<unsigned>(given.rows)),
            column = place - given.lead;
  float value = 0;
  if (column >= 0 && column < given.columns)
    value = given.rays[blockIdx.x * static_cast<std::size_t>(given.columns) + column] *
            given.cell_weight[static_cast<std::size_t>(row) * given.columns + column] *
            given.column_weight[nth * given.columns + column];
  out[blockIdx.x * static_cast<std::size_t>(given.padded + 2) + place] = value;
}

/// spectrum[row][frequency] *= response[frequency], `count` frequencies a row. Grid (rows, blocks
/// of frequencies).
__global__ void multiply_rows(const float* __restrict__ response, int count,
                              float2* __restrict__ spectrum) {
  const int f = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  if (f >= count) return;
  float2& value = spectrum[blockIdx.x * static_cast<std::size_t>(count) + f];
  const float by = response[f];
  value = {value.x * by, value.y * by};
}

}  // namespace gantry::device
