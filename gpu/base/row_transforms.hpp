#pragma once

#include "gpu/base/device_buffer.hpp"

#include <cstddef>

namespace gantry {

/// Fourier transforms of many rows of real numbers, in place: a row takes length + 2 floats, of
/// which the transform makes length / 2 + 1 complex numbers. There and back multiplies by length.
/// The backend outlives it; everything is queued on its stream.
class RowTransforms {
 public:
  /// Throws DeviceError or OutOfMemory.
  RowTransforms(const CudaBackend& backend, int length, int rows);
  ~RowTransforms();
  RowTransforms(const RowTransforms&) = delete;
  RowTransforms& operator=(const RowTransforms&) = delete;

  /// All rows; what those that are not in use hold does not matter.
  void forward(float* rows) const;
  void back(float* rows) const;

  std::size_t workspace_bytes() const { return work_.size(); }

 private:
  int make_plan(int type, int length, int rows, std::size_t& work_bytes);

  const CudaBackend& cuda_;
  int there_ = -1, back_ = -1;  // cuFFT's handles
  DeviceBuffer<unsigned char> work_;
};

}  // namespace gantry
