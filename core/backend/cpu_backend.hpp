#pragma once

#include "core/backend/backend.hpp"
#include "core/base/cpu_threads.hpp"

namespace gantry {

/// Memory of the host, and arithmetic by OpenMP threads.
class CpuBackend : public Backend {
 public:
  BackendKind kind() const override { return BackendKind::cpu; }
  std::string name() const override;
  std::size_t free_bytes() const override;

  float* allocate(std::size_t count) override;
  void release(float* memory) noexcept override;
  void upload(const float* host, float* device, std::size_t count) override;
  void download(const float* device, float* host, std::size_t count) const override;
  void synchronize() const override {}

 private:
  void do_fill(std::size_t n, float* x, float value) override;
  void do_copy(std::size_t n, const float* x, float* y) override;
  void do_axpby(std::size_t n, float a, const float* x, float b, float* y) override;
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
};

}  // namespace gantry
