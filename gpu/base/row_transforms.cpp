#include "gpu/base/row_transforms.hpp"

#include <algorithm>
#include <cufft.h>
#include <string>

namespace gantry {

namespace {

void check_fft(cufftResult status, const CudaBackend& backend) {
  if (status == CUFFT_SUCCESS) return;
  if (status == CUFFT_ALLOC_FAILED)
    throw OutOfMemory("a Fourier transform on the GPU", backend.free_bytes());
  throw DeviceError("a Fourier transform on the GPU failed: cuFFT error " + std::to_string(status),
                    {}, "use backend cpu");
}

}  // namespace

RowTransforms::RowTransforms(const CudaBackend& backend, int length, int rows) : cuda_(backend) {
  const DeviceScope scope(cuda_.device());
  std::size_t there_bytes = 0, back_bytes = 0;
  try {
    there_ = make_plan(CUFFT_R2C, length, rows, there_bytes);
    back_ = make_plan(CUFFT_C2R, length, rows, back_bytes);
    work_ = DeviceBuffer<unsigned char>(
        backend, std::max({there_bytes, back_bytes, std::size_t{1}}), "a Fourier transform");
    check_fft(cufftSetWorkArea(there_, work_.data()), cuda_);
    check_fft(cufftSetWorkArea(back_, work_.data()), cuda_);
  } catch (...) {
    if (there_ >= 0) cufftDestroy(there_);
    if (back_ >= 0) cufftDestroy(back_);
    throw;
  }
}

RowTransforms::~RowTransforms() {
  if (cuda_.lost()) return;
  cufftDestroy(there_);
  cufftDestroy(back_);
}

int RowTransforms::make_plan(int type, int length, int rows, std::size_t& work_bytes) {
  cufftHandle plan = -1;
  check_fft(cufftCreate(&plan), cuda_);
  try {
    int real = length + 2, complex = length / 2 + 1;
    const bool there = type == CUFFT_R2C;
    check_fft(cufftSetAutoAllocation(plan, 0), cuda_);
    check_fft(
        cufftMakePlanMany(plan, 1, &length, there ? &real : &complex, 1, there ? real : complex,
                          there ? &complex : &real, 1, there ? complex : real,
                          static_cast<cufftType>(type), rows, &work_bytes),
        cuda_);
    check_fft(cufftSetStream(plan, cuda_.stream()), cuda_);
  } catch (...) {
    cufftDestroy(plan);
    throw;
  }
  return plan;
}

void RowTransforms::forward(float* rows) const {
  const DeviceScope scope(cuda_.device());
  check_fft(cufftExecR2C(there_, rows, reinterpret_cast<cufftComplex*>(rows)), cuda_);
}

void RowTransforms::back(float* rows) const {
  const DeviceScope scope(cuda_.device());
  check_fft(cufftExecC2R(back_, reinterpret_cast<cufftComplex*>(rows), rows), cuda_);
}

}  // namespace gantry
