#pragma once

#include "core/backend/backend.hpp"
#include "gpu/base/check.hpp"
#include "gpu/base/device_scope.hpp"

#include <atomic>
#include <limits>
#include <memory>
#include <string>

namespace gantry {

class StagedCopies;
class VectorOperations;

/// What planning leaves free on a device, beside what a run states that it takes: kernels are
/// loaded when they are first launched, libraries take workspaces of their own (cuFFT, cuSPARSE),
/// pools take memory in pieces of up to 32 MiB, and other programs on the device grow while the run
/// goes on.
constexpr std::size_t device_margin_bytes = std::size_t{256} << 20U;

/// Memory of a device that nobody has taken, and what a pool of this program holds unused, less the
/// margin.
std::size_t plannable_bytes(int device, std::size_t unused_of_pool = 0);

/// Memory and vector arithmetic of one CUDA device. Everything is queued on one stream of its own,
/// in the order of the calls, and so needs no further synchronisation; what returns a number or
/// host memory waits for it. Any thread may call; each public operation makes the device current.
/// After a sticky error it is lost(), and every operation throws DeviceError without calling CUDA.
class CudaBackend final : public Backend {
 public:
  /// Throws DeviceError when the device is absent, too old, taken or not one that this program was
  /// built for.
  explicit CudaBackend(int device = 0);
  ~CudaBackend() override;

  BackendKind kind() const override { return BackendKind::cuda; }
  std::string name() const override { return name_; }
  /// What a run may plan with: of the device less the margin, and unused ones of the pool; no more
  /// than the limit leaves.
  std::size_t free_bytes() const override;
  void limit_memory(std::size_t bytes) override { limit_bytes_ = bytes; }
  std::size_t limit_bytes() const { return limit_bytes_; }
  bool lost() const override { return device_lost(device_); }

  float* allocate(std::size_t count) override;
  void release(float* memory) noexcept override;
  void upload(const float* host, float* device, std::size_t count) override;
  void download(const float* device, float* host, std::size_t count) const override;
  void synchronize() const override;
  void upload_lines(const float* host, std::size_t pitch, float* device, std::size_t count,
                    std::size_t lines) override;
  void download_lines(const float* device, std::size_t count, std::size_t lines, float* host,
                      std::size_t pitch) const override;
  void gather_lines(const float* device, std::size_t stride, std::size_t count, std::size_t lines,
                    float* host) const override;

  /// Memory of any type, ordered with the stream: `purpose` names it where there is too little. The
  /// memory is not initialised, and is aligned to 256 bytes.
  void* allocate_bytes(std::size_t bytes, const char* purpose) const;
  /// Gives memory that the pool holds unused back to the device, for what does not come from it.
  void trim() const;
  void release_bytes(void* memory) const noexcept;
  /// What is in use of this backend, and the most that was since restart_peak().
  std::size_t used_bytes() const;
  std::size_t peak_bytes() const;
  void restart_peak() const;
  /// What the pool holds, used or not.
  std::size_t held_bytes() const;
  void upload_bytes(const void* host, void* device, std::size_t bytes) const;
  void download_bytes(const void* device, void* host, std::size_t bytes) const;

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_; }
  cudaMemPool_t pool() const { return pool_; }
  int multiprocessors() const { return multiprocessors_; }
  /// 90 for compute capability 9.0.
  int compute_capability() const { return compute_capability_; }
  std::size_t l2_bytes() const { return l2_bytes_; }
  std::size_t total_bytes() const { return total_bytes_; }
  /// Shared memory that a block may have when it asks for it (cudaFuncSetAttribute).
  std::size_t shared_bytes_per_block() const { return shared_bytes_per_block_; }

 private:
  void read_properties();
  void make_stream_and_pool();
  void try_out();
  void tear_down() noexcept;

  void do_fill(std::size_t n, float* x, float value) override;
  void do_copy(std::size_t n, const float* x, float* y) override;
  void do_axpby(std::size_t n, float a, const float* x, float b, float* y) override;
  double do_axpby_norm(std::size_t n, float a, const float* x, float b, float* y) override;
  void do_multiply(std::size_t n, const float* x, float* y) override;
  void do_safe_reciprocal(std::size_t n, float* x, float threshold) override;
  void do_clamp(std::size_t n, float* x, float low, float high) override;
  double do_dot(std::size_t n, const float* x, const float* y) const override;
  double do_scaled_update(std::size_t n, float* x, float a, const float* c, const float* g,
                          float low) override;
  double do_residual(std::size_t n, const float* b, float* r, const float* weights) override;
  double do_ratio(std::size_t n, const float* b, float* r, const float* weights) override;
  double do_multiplicative_update(std::size_t n, float* x, const float* g, const float* c,
                                  float threshold) override;

  int device_;
  std::atomic<std::size_t> limit_bytes_ = std::numeric_limits<std::size_t>::max();
  std::string name_;
  int multiprocessors_ = 0, compute_capability_ = 0;
  std::size_t l2_bytes_ = 0, total_bytes_ = 0, shared_bytes_per_block_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  std::unique_ptr<StagedCopies> copies_;
  std::unique_ptr<VectorOperations> vectors_;
};

/// The CUDA backend that an operator was made on; throws ShapeError when it is another one.
const CudaBackend& cuda_backend(const Backend& backend);

}  // namespace gantry
