#pragma once

#include "gpu/base/device_buffer.hpp"

#include <cstddef>

namespace gantry {

/// Fourier transforms of `rows` rows of `length` real numbers, in place. A row has length + 2
/// floats: length real numbers before forward(), length / 2 + 1 complex numbers after. forward()
/// followed by back() multiplies by length. Work is queued on the stream of the backend, which must
/// outlive the object.
class RowTransforms {
 public:
  /// Throws DeviceError or OutOfMemory.
  RowTransforms(const CudaBackend& backend, int length, int rows);
  ~RowTransforms();
  RowTransforms(const RowTransforms&) = delete;
  RowTransforms& operator=(const RowTransforms&) = delete;

  /// Transforms all rows; rows that are not in use may have any contents.
  void forward(float* rows) const;
  void back(float* rows) const;

  std::size_t workspace_bytes() const { return work_.size(); }

 private:
  int make_plan(int type, int length, int rows, std::size_t& work_bytes);

  const CudaBackend& cuda_;
  int there_ = -1, back_ = -1;  // handles of cuFFT plans
  DeviceBuffer<unsigned char> work_;
};

}  // namespace gantry
