#pragma once

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <new>
#include <string>

namespace gantry::test {

/// Host memory with a limit, which counts the allocated bytes; plain loops, no threads. With
/// another kind than the CPU it stands for a device whose memory the host cannot read:
/// Array::host() throws.
class MeasuredBackend final : public Backend {
 public:
  explicit MeasuredBackend(BackendKind kind = BackendKind::cpu) : kind_(kind) {}

  bool is_lost = false;
  std::size_t limit_bytes = std::numeric_limits<std::size_t>::max();
  /// Memory that free_bytes() reports in addition although it cannot be allocated, as if another
  /// process took it meanwhile.
  std::size_t taken_by_others = 0;
  std::size_t held_bytes() const { return held_; }
  std::size_t peak_bytes() const { return peak_; }
  /// Returns the number of values that were downloaded so far.
  std::size_t downloaded() const { return downloaded_; }
  /// Starts a new measurement of the peak.
  void restart() { peak_ = held_; }

  BackendKind kind() const override { return kind_; }
  bool lost() const override { return is_lost; }
  std::string name() const override { return "measured"; }
  std::size_t free_bytes() const override { return left() + taken_by_others; }

  float* allocate(std::size_t count) override {
    const std::size_t bytes = count * sizeof(float);
    if (bytes > left()) throw OutOfMemory("an array", bytes, left());
    auto* memory = static_cast<float*>(::operator new(bytes, alignment));
    sizes_[memory] = bytes;
    held_ += bytes;
    peak_ = std::max(peak_, held_);
    return memory;
  }
  void release(float* memory) noexcept override {
    held_ -= sizes_[memory];
    sizes_.erase(memory);
    ::operator delete(memory, alignment);
  }
  void upload(const float* host, float* device, std::size_t count) override {
    std::memcpy(device, host, count * sizeof(float));
  }
  void download(const float* device, float* host, std::size_t count) const override {
    downloaded_ += count;
    std::memcpy(host, device, count * sizeof(float));
  }
  void synchronize() const override {}

 private:
  std::size_t left() const { return limit_bytes - std::min(limit_bytes, held_); }
  void do_fill(std::size_t n, float* x, float value) override { std::fill_n(x, n, value); }
  void do_copy(std::size_t n, const float* x, float* y) override { std::copy_n(x, n, y); }
  void do_axpby(std::size_t n, float a, const float* x, float b, float* y) override {
    for (std::size_t i = 0; i < n; ++i) y[i] = a * x[i] + (b == 0 ? 0 : b * y[i]);
  }
  void do_multiply(std::size_t n, const float* x, float* y) override {
    for (std::size_t i = 0; i < n; ++i) y[i] *= x[i];
  }
  void do_safe_reciprocal(std::size_t n, float* x, float threshold) override {
    for (std::size_t i = 0; i < n; ++i) x[i] = std::abs(x[i]) > threshold ? 1 / x[i] : 0;
  }
  void do_clamp(std::size_t n, float* x, float low, float high) override {
    for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(x[i], low, high);
  }
  double do_dot(std::size_t n, const float* x, const float* y) const override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
    return sum;
  }
  double do_weighted_square(std::size_t n, const float* w, const float* x) const override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(w[i]) * x[i] * x[i];
    return sum;
  }
  double do_scaled_update(std::size_t n, float* x, float a, const float* c, const float* g,
                          float low) override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float updated = std::max(x[i] + a * c[i] * g[i], low);
      sum += (static_cast<double>(updated) - x[i]) * (static_cast<double>(updated) - x[i]);
      x[i] = updated;
    }
    return sum;
  }
  double do_residual(std::size_t n, const float* b, float* r, const float* weights) override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double difference = static_cast<double>(b[i]) - r[i];
      sum += difference * difference;
      r[i] = static_cast<float>(difference) * (weights == nullptr ? 1 : weights[i]);
    }
    return sum;
  }
  double do_ratio(std::size_t n, const float* b, float* r, const float* weights) override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double difference = static_cast<double>(b[i]) - r[i];
      sum += difference * difference;
      r[i] = r[i] > 0 && b[i] > 0 ? b[i] / r[i] : 0;
      if (weights != nullptr) r[i] *= weights[i];
    }
    return sum;
  }
  double do_multiplicative_update(std::size_t n, float* x, const float* g, const float* c,
                                  float threshold) override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (c[i] <= threshold) continue;
      const float updated = std::max(x[i] * (g[i] / c[i]), 0.0F);
      sum += (static_cast<double>(updated) - x[i]) * (static_cast<double>(updated) - x[i]);
      x[i] = updated;
    }
    return sum;
  }

  static constexpr std::align_val_t alignment{64};
  BackendKind kind_;
  std::map<float*, std::size_t> sizes_;
  std::size_t held_ = 0, peak_ = 0;
  mutable std::size_t downloaded_ = 0;
};

}  // namespace gantry::test
