#include "gpu/matrix/cuda_format.hpp"

#include "core/matrix/stacked_matrix.hpp"
#include "core/operator/projector.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/rows/stored_columns.hpp"

namespace gantry {

namespace {

class CudaStack final : public StackedMatrix {
 public:
  CudaStack(const CudaBackend& cuda, std::unique_ptr<const Matrix> slice, const SliceStack& stack)
      : StackedMatrix(std::move(slice), stack), cuda_(cuda) {}

 private:
  void copy_lines(const float* from, std::size_t from_pitch, float* to, std::size_t to_pitch,
                  std::size_t count, std::size_t lines) const override {
    const DeviceScope scope(cuda_.device());
    const std::size_t bytes = count * sizeof(float);
    check(lines == 1
              ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda_.stream())
              : cudaMemcpy2DAsync(to, to_pitch * sizeof(float), from, from_pitch * sizeof(float),
                                  bytes, lines, cudaMemcpyDeviceToDevice, cuda_.stream()),
          "a slice of a stack");
  }

  const CudaBackend& cuda_;
};

}  // namespace

std::unique_ptr<const Matrix> CudaFormat::stacked(std::unique_ptr<const Matrix> slice,
                                                  const Projector& weights,
                                                  const SliceStack& stack) const {
  return std::make_unique<CudaStack>(cuda_backend(weights.backend()), std::move(slice), stack);
}

std::unique_ptr<ColumnAccess> CudaFormat::make_columns(const Projector& weights,
                                                       ColumnWorker worker) const {
  return cuda_stored_columns(cuda_backend(weights.backend()), weights, worker);
}

}  // namespace gantry
