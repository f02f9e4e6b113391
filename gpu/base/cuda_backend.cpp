#include "gpu/base/cuda_backend.hpp"

#include "gpu/base/allocation.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/staged_copies.hpp"
#include "gpu/base/vector_operations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gantry {

namespace {

/// Returns the size of the pool by `attribute` (memory held, used, or used at most), bytes.
std::size_t pool_bytes(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, attribute, &bytes), "ask for free GPU memory");
  return bytes;
}

}  // namespace

std::size_t plannable_bytes(int device, std::size_t unused_of_pool) {
  const DeviceScope scope(device);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "ask for free GPU memory");
  free += unused_of_pool;
  return free - std::min(free, device_margin_bytes);
}

CudaBackend::CudaBackend(int device) : device_(device) {
  read_properties();
  const DeviceScope scope(device_);
  try {
    make_stream_and_pool();
    copies_ = std::make_unique<StagedCopies>(stream_);
    vectors_ = std::make_unique<VectorOperations>(*this);
    try_out();
  } catch (...) {
    tear_down();
    throw;
  }
}

CudaBackend::~CudaBackend() {
  if (lost()) return;
  try {
    const DeviceScope scope(device_);
    tear_down();
  } catch (...) {
    // The device is lost, and its memory with it.
  }
}

void CudaBackend::read_properties() {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    cudaGetLastError();
    throw DeviceError(describe_absence(status), "backend cuda", "use backend cpu");
  }
  if (device_ < 0 || device_ >= count)
    throw DeviceError("there is no GPU " + std::to_string(device_) + ", only " +
                          std::to_string(count) + ", counted from 0",
                      "backend cuda", "use backend cpu");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device_), "ask what the GPU is");
  name_ = properties.name;
  multiprocessors_ = properties.multiProcessorCount;
  compute_capability_ = 10 * properties.major + properties.minor;
  total_bytes_ = properties.totalGlobalMem;
  shared_bytes_per_block_ = properties.sharedMemPerBlockOptin;
  if (const std::string unfit = describe_unfit(properties); !unfit.empty())
    throw DeviceError(unfit, "backend cuda", "use backend cpu");
}

void CudaBackend::make_stream_and_pool() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "start the GPU");
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device_;
  check(cudaMemPoolCreate(&pool_, &properties), "make a pool of GPU memory");
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep),
        "make a pool of GPU memory");
}

/// Launches a first kernel, which fails if this program was not built for the device.
void CudaBackend::try_out() {
  float* x = allocate(1);
  vectors_->fill(1, x, 0);
  release(x);
  check(cudaStreamSynchronize(stream_), "try the GPU");
}

void CudaBackend::tear_down() noexcept {
  vectors_.reset();
  copies_.reset();
  if (stream_ != nullptr) cudaStreamSynchronize(stream_);
  if (pool_ != nullptr) cudaMemPoolDestroy(pool_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
  cudaGetLastError();
}

std::size_t CudaBackend::free_bytes() const {
  const std::size_t held = held_bytes(), used = used_bytes(), limit = limit_bytes_;
  const std::size_t free = plannable_bytes(device_, held - std::min(held, used));
  return std::min(free, limit - std::min(limit, used));
}

std::size_t CudaBackend::used_bytes() const {
  return pool_bytes(pool_, cudaMemPoolAttrUsedMemCurrent);
}

std::size_t CudaBackend::held_bytes() const {
  return pool_bytes(pool_, cudaMemPoolAttrReservedMemCurrent);
}

std::size_t CudaBackend::peak_bytes() const {
  return pool_bytes(pool_, cudaMemPoolAttrUsedMemHigh);
}

void CudaBackend::restart_peak() const {
  std::uint64_t none = 0;
  check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &none), "watch GPU memory");
}

float* CudaBackend::allocate(std::size_t count) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(float))
    throw OutOfMemory("an array on the GPU", std::numeric_limits<std::size_t>::max(), free_bytes());
  return static_cast<float*>(allocate_bytes(count * sizeof(float), "an array on the GPU"));
}

void CudaBackend::release(float* memory) noexcept { release_bytes(memory); }

void* CudaBackend::allocate_bytes(std::size_t bytes, const char* purpose) const {
  const DeviceScope scope(device_);
  if (bytes > total_bytes_) throw OutOfMemory(purpose, bytes, free_bytes());
  if (const std::size_t limit = limit_bytes_; limit < total_bytes_)
    if (const std::size_t used = used_bytes(); bytes > limit - std::min(limit, used))
      throw OutOfMemory(purpose, bytes, free_bytes());
  void* memory = nullptr;
  const std::size_t some = std::max(bytes, std::size_t{1});
  const cudaError_t status = allocate_or_trim(
      *this, [&] { return cudaMallocFromPoolAsync(&memory, some, pool_, stream_); });
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw OutOfMemory(purpose, bytes, free_bytes());
  }
  check(status, purpose, bytes);
  return memory;
}

void CudaBackend::release_bytes(void* memory) const noexcept {
  if (memory == nullptr || lost()) return;
  try {
    const DeviceScope scope(device_);
    check(cudaFreeAsync(memory, stream_), "release GPU memory");
  } catch (...) {
    // A destructor cannot report this error; a lost device is reported by the next operation.
  }
}

void CudaBackend::trim() const {
  const DeviceScope scope(device_);
  check(cudaStreamSynchronize(stream_), "wait for the GPU");
  check(cudaMemPoolTrimTo(pool_, 0), "return GPU memory");
}

void CudaBackend::upload(const float* host, float* device, std::size_t count) {
  upload_bytes(host, device, count * sizeof(float));
}

void CudaBackend::download(const float* device, float* host, std::size_t count) const {
  download_bytes(device, host, count * sizeof(float));
}

void CudaBackend::upload_bytes(const void* host, void* device, std::size_t bytes) const {
  const DeviceScope scope(device_);
  copies_->upload(host, device, bytes);
}

void CudaBackend::download_bytes(const void* device, void* host, std::size_t bytes) const {
  const DeviceScope scope(device_);
  copies_->download(device, host, bytes);
}

void CudaBackend::upload_lines(const float* host, std::size_t pitch, float* device,
                               std::size_t count, std::size_t lines) {
  const DeviceScope scope(device_);
  if (pitch == count || !copies_->upload_lines(host, pitch, device, count, lines))
    Backend::upload_lines(host, pitch, device, count, lines);
}

void CudaBackend::download_lines(const float* device, std::size_t count, std::size_t lines,
                                 float* host, std::size_t pitch) const {
  const DeviceScope scope(device_);
  if (pitch == count || !copies_->download_lines(device, count, lines, host, pitch))
    Backend::download_lines(device, count, lines, host, pitch);
}

/// Gathers the lines on the device before the download: across the bus every line would be a
/// transaction of its own.
void CudaBackend::gather_lines(const float* device, std::size_t stride, std::size_t count,
                               std::size_t lines, float* host) const {
  if (lines <= 1 || stride == count) return download(device, host, count * lines);
  if (count == 0) return;
  const DeviceScope scope(device_);
  DeviceBuffer<float> gathered(*this, count * lines, "a slice");
  check(cudaMemcpy2DAsync(gathered.data(), count * sizeof(float), device, stride * sizeof(float),
                          count * sizeof(float), lines, cudaMemcpyDeviceToDevice, stream_),
        "gather a slice");
  download(gathered.data(), host, count * lines);
}

void CudaBackend::synchronize() const {
  const DeviceScope scope(device_);
  check(cudaStreamSynchronize(stream_), "wait for the GPU");
}

void CudaBackend::do_fill(std::size_t n, float* x, float value) {
  const DeviceScope scope(device_);
  vectors_->fill(n, x, value);
}

void CudaBackend::do_copy(std::size_t n, const float* x, float* y) {
  const DeviceScope scope(device_);
  if (n == 0) return;
  check(cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice, stream_), "copy");
}

void CudaBackend::do_axpby(std::size_t n, float a, const float* x, float b, float* y) {
  const DeviceScope scope(device_);
  vectors_->axpby(n, a, x, b, y);
}

double CudaBackend::do_axpby_norm(std::size_t n, float a, const float* x, float b, float* y) {
  const DeviceScope scope(device_);
  return vectors_->axpby_norm(n, a, x, b, y);
}

void CudaBackend::do_multiply(std::size_t n, const float* x, float* y) {
  const DeviceScope scope(device_);
  vectors_->multiply(n, x, y);
}

void CudaBackend::do_safe_reciprocal(std::size_t n, float* x, float threshold) {
  const DeviceScope scope(device_);
  vectors_->safe_reciprocal(n, x, threshold);
}

void CudaBackend::do_clamp(std::size_t n, float* x, float low, float high) {
  const DeviceScope scope(device_);
  vectors_->clamp(n, x, low, high);
}

double CudaBackend::do_dot(std::size_t n, const float* x, const float* y) const {
  const DeviceScope scope(device_);
  return vectors_->dot(n, x, y);
}

double CudaBackend::do_weighted_square(std::size_t n, const float* w, const float* x) const {
  const DeviceScope scope(device_);
  return vectors_->weighted_square(n, w, x);
}

double CudaBackend::do_scaled_update(std::size_t n, float* x, float a, const float* c,
                                     const float* g, float low) {
  const DeviceScope scope(device_);
  return vectors_->scaled_update(n, x, a, c, g, low);
}

double CudaBackend::do_residual(std::size_t n, const float* b, float* r, const float* weights) {
  const DeviceScope scope(device_);
  return vectors_->residual(n, b, r, weights);
}

double CudaBackend::do_ratio(std::size_t n, const float* b, float* r, const float* weights) {
  const DeviceScope scope(device_);
  return vectors_->ratio(n, b, r, weights, smallest_divisor);
}

double CudaBackend::do_multiplicative_update(std::size_t n, float* x, const float* g,
                                             const float* c, float threshold) {
  const DeviceScope scope(device_);
  return vectors_->multiplicative_update(n, x, g, c, threshold);
}

const CudaBackend& cuda_backend(const Backend& backend) {
  const auto* cuda = dynamic_cast<const CudaBackend*>(&backend);
  if (cuda == nullptr) throw ShapeError("this operator needs a CUDA backend");
  return *cuda;
}

}  // namespace gantry
