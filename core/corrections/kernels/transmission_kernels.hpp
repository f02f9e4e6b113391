#pragma once

#include <cstddef>

namespace gantry {

// The inner loop between transmissions and line integrals. The loop (transmission_kernels.inl) is
// compiled once per instruction set; transmission_kernels() returns the one that suits the
// processor.

struct TransmissionKernels {
  /// Replaces each of `count` transmissions t, which are finite, by -ln(max(t, least)) with a
  /// relative error of at most 1.2e-7; `least` is positive and no denormal. Returns how many were
  /// below `least`.
  std::size_t (*to_line_integrals)(float* transmissions, std::size_t count, float least);
};

/// Returns the loop for the instruction set of the processor.
const TransmissionKernels& transmission_kernels();

}  // namespace gantry
