#include "gpu/base/row_transforms.hpp"

#include "gpu/base/shared_library.hpp"

#include <algorithm>
#include <cufft.h>
#include <string>

namespace gantry {

namespace {

/// The functions of cuFFT that are used here; members are named after them.
struct CuFft {
  SharedLibrary library{"libcufft.so." + std::to_string(CUFFT_VER_MAJOR), "cuFFT"};
  decltype(cufftCreate)* create = library.find("cufftCreate");
  decltype(cufftDestroy)* destroy = library.find("cufftDestroy");
  decltype(cufftSetAutoAllocation)* set_auto_allocation = library.find("cufftSetAutoAllocation");
  decltype(cufftMakePlanMany)* make_plan_many = library.find("cufftMakePlanMany");
  decltype(cufftSetStream)* set_stream = library.find("cufftSetStream");
  decltype(cufftSetWorkArea)* set_work_area = library.find("cufftSetWorkArea");
  decltype(cufftExecR2C)* exec_r2c = library.find("cufftExecR2C");
  decltype(cufftExecC2R)* exec_c2r = library.find("cufftExecC2R");
};

/// Returns the functions of cuFFT. Throws DeviceError where cuFFT is not installed.
const CuFft& fft() {
  static const CuFft functions;
  return functions;
}

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
    check_fft(fft().set_work_area(there_, work_.data()), cuda_);
    check_fft(fft().set_work_area(back_, work_.data()), cuda_);
  } catch (...) {
    if (there_ >= 0) fft().destroy(there_);
    if (back_ >= 0) fft().destroy(back_);
    throw;
  }
}

RowTransforms::~RowTransforms() {
  if (cuda_.lost()) return;
  fft().destroy(there_);
  fft().destroy(back_);
}

int RowTransforms::make_plan(int type, int length, int rows, std::size_t& work_bytes) {
  cufftHandle plan = -1;
  check_fft(fft().create(&plan), cuda_);
  try {
    int real = length + 2, complex = length / 2 + 1;
    const bool there = type == CUFFT_R2C;
    check_fft(fft().set_auto_allocation(plan, 0), cuda_);
    check_fft(
        fft().make_plan_many(plan, 1, &length, there ? &real : &complex, 1, there ? real : complex,
                             there ? &complex : &real, 1, there ? complex : real,
                             static_cast<cufftType>(type), rows, &work_bytes),
        cuda_);
    check_fft(fft().set_stream(plan, cuda_.stream()), cuda_);
  } catch (...) {
    fft().destroy(plan);
    throw;
  }
  return plan;
}

void RowTransforms::forward(float* rows) const {
  const DeviceScope scope(cuda_.device());
  check_fft(fft().exec_r2c(there_, rows, reinterpret_cast<cufftComplex*>(rows)), cuda_);
}

void RowTransforms::back(float* rows) const {
  const DeviceScope scope(cuda_.device());
  check_fft(fft().exec_c2r(back_, reinterpret_cast<cufftComplex*>(rows), rows), cuda_);
}

}  // namespace gantry
