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

/// Device memory that planning leaves free in addition to the stated need of a run. The margin
/// covers kernels, which are loaded when first launched; workspaces of libraries (cuFFT, cuSPARSE);
/// pools, which take memory in pieces of up to 32 MiB; and the growth of other programs on the
/// device during the run.
constexpr std::size_t device_margin_bytes = std::size_t{256} << 20U;

/// Returns how many bytes of the device a run may plan with: the free memory plus `unused_of_pool`
/// (memory that a pool of this program holds but does not use), less the margin.
std::size_t plannable_bytes(int device, std::size_t unused_of_pool = 0);

/// Memory and vector arithmetic of one CUDA device. All work is queued on one stream that belongs
/// to the backend, in the order of the calls, so further synchronisation is not needed; calls that
/// return a number or fill host memory wait for the stream. The class is thread-safe, and each
/// public operation makes the device current. After a sticky error lost() returns true and every
/// operation throws DeviceError without calling CUDA.
class CudaBackend final : public Backend {
 public:
  /// Throws DeviceError when the device is absent, too old, taken by another program, or not among
  /// the architectures that this program was built for.
  explicit CudaBackend(int device = 0);
  ~CudaBackend() override;

  BackendKind kind() const override { return BackendKind::cuda; }
  std::string name() const override { return name_; }
  /// Returns the bytes that a run may plan with: the free memory of the device less the margin,
  /// plus the unused memory of the pool; at most what the limit leaves.
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

  /// Allocates memory for any type, in the order of the stream, not initialised and aligned to 256
  /// bytes. Throws OutOfMemory, whose message begins with `purpose`.
  void* allocate_bytes(std::size_t bytes, const char* purpose) const;
  /// Waits for the stream and returns the unused memory of the pool to the device, for allocations
  /// that do not come from the pool (textures, other backends).
  void trim() const;
  void release_bytes(void* memory) const noexcept;
  /// Bytes of this backend that are in use, and their maximum since restart_peak().
  std::size_t used_bytes() const;
  std::size_t peak_bytes() const;
  void restart_peak() const;
  /// Bytes that the pool holds, whether in use or not.
  std::size_t held_bytes() const;
  void upload_bytes(const void* host, void* device, std::size_t bytes) const;
  void download_bytes(const void* device, void* host, std::size_t bytes) const;

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_; }
  cudaMemPool_t pool() const { return pool_; }
  int multiprocessors() const { return multiprocessors_; }
  /// Compute capability times 10: 90 for 9.0.
  int compute_capability() const { return compute_capability_; }
  std::size_t total_bytes() const { return total_bytes_; }
  /// Largest shared memory of a thread block after opting in (cudaFuncSetAttribute), bytes.
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
  double do_weighted_square(std::size_t n, const float* w, const float* x) const override;
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
  std::size_t total_bytes_ = 0, shared_bytes_per_block_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  std::unique_ptr<StagedCopies> copies_;
  std::unique_ptr<VectorOperations> vectors_;
};

/// Returns the backend as a CudaBackend; throws ShapeError when the backend is of another kind.
const CudaBackend& cuda_backend(const Backend& backend);

}  // namespace gantry
