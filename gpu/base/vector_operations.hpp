#pragma once

#include "gpu/base/device_buffer.hpp"
#include "gpu/base/pinned_buffer.hpp"

#include <cstddef>
#include <mutex>

namespace gantry {

/// The vector arithmetic of Backend on device pointers, on the stream of the backend. Elements
/// equal those of CpuBackend bit for bit. Sums are accumulated in float64 in an order that depends
/// on the length alone, so that they are the same in every call and on every device. The device
/// must be current.
class VectorOperations {
 public:
  explicit VectorOperations(const CudaBackend& backend);

  void fill(std::size_t n, float* x, float value) const;
  void axpby(std::size_t n, float a, const float* x, float b, float* y) const;
  void multiply(std::size_t n, const float* x, float* y) const;
  void safe_reciprocal(std::size_t n, float* x, float threshold) const;
  void clamp(std::size_t n, float* x, float low, float high) const;

  // The following operations return a sum and therefore wait for the stream.
  double dot(std::size_t n, const float* x, const float* y);
  double weighted_square(std::size_t n, const float* w, const float* x);
  double axpby_norm(std::size_t n, float a, const float* x, float b, float* y);
  double scaled_update(std::size_t n, float* x, float a, const float* c, const float* g, float low);
  double residual(std::size_t n, const float* b, float* r, const float* weights);
  double ratio(std::size_t n, const float* b, float* r, const float* weights,
               float smallest_divisor);
  double multiplicative_update(std::size_t n, float* x, const float* g, const float* c,
                               float threshold);

 private:
  template <class Op, class... Operands>
  void map(const char* name, std::size_t n, const Op& op, Operands... p) const;
  template <class Op, class... Operands>
  double sum(const char* name, std::size_t n, const Op& op, Operands... p);

  cudaStream_t stream_;
  int most_blocks_;
  std::mutex mutex_;  // guards the members below: one sum at a time
  DeviceBuffer<double> partial_;
  DeviceBuffer<unsigned> ended_;  // number of blocks that have written their sum
  PinnedBuffer<double> result_;
  double* result_address_;  // device address of result_
};

}  // namespace gantry
