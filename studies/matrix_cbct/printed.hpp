#pragma once

#include "studies/printed_number.hpp"

// The printed numbers of Chen, Zhang, Yan et al., "Matrix approach for processing of iterative
// reconstruction on cone beam CT", measured on a Xeon 5520E and a Tesla C1060.
#include <array>

namespace gantry::matrix_cbct::printed {

struct Size {
  int side;
  double dense_gb;  ///< Table 1; GB are read as 2^30 bytes, with which they are exact
  /// Table 1, the dense matrix over the compressed one: of A and of its transpose.
  PrintedNumber a_ratio, at_ratio;
  /// Table 2, seconds of 1000 iterations: the original matrix on the CPU (dense; at 256^2 in
  /// memory, at 512^2 on disk), the stored formats on the CPU and on the GPU, and the GPU's
  /// speed-ups.
  double original_s, cpu_s, gpu_s;
  PrintedNumber over_original, over_cpu;
  /// Table 3, rows 1 and 2: methods A and B (CPU) and C (GPU).
  double cpu_rmse, gpu_rmse;
};
constexpr std::array<Size, 2> sizes = {{{256,
                                         11.25,
                                         {158.1, 159.2, "11.25 GB / 72.37 MB"},
                                         128.0,
                                         1653,
                                         159,
                                         52,
                                         31.8,
                                         {3.6, 3.06, "159 s / 52 s"},
                                         7.666e-4,
                                         9.362e-4},
                                        {512,
                                         180,
                                         336.4,
                                         {274.6, 281.3, "180 GB / 655.36 MB"},
                                         13668,
                                         960,
                                         170,
                                         80.4,
                                         5.64,
                                         5.566e-4,
                                         6.614e-4}}};

constexpr int iterations = 1000;
constexpr int threads_a_row = 16, block = 256;
constexpr int entries_together = 4;  ///< int4 and float4

}  // namespace gantry::matrix_cbct::printed
