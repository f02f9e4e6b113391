#include "core/backend/cpu_backend.hpp"

#include "core/backend/host_memory.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t alignment = 64;
/// Sums are formed per chunk and then added in order, so that the result does not depend on the
/// number of threads.
constexpr std::size_t chunk = 1 << 14;

std::size_t chunks(std::size_t n) { return (n + chunk - 1) / chunk; }

/// Runs body(first, last) over chunks of [0, n).
template <class Body>
void for_chunks(std::size_t n, const Body& body) {
  const auto count = static_cast<std::ptrdiff_t>(chunks(n));
#pragma omp parallel for schedule(static) if (count > 1)
  for (std::ptrdiff_t c = 0; c < count; ++c) {
    const std::size_t first = static_cast<std::size_t>(c) * chunk;
    body(first, std::min(n, first + chunk));
  }
}

/// Returns the sum of body(first, last) over chunks of [0, n), added in the order of the chunks.
template <class Body>
double sum_chunks(std::size_t n, const Body& body) {
  std::vector<double> partial(chunks(n));
  for_chunks(
      n, [&](std::size_t first, std::size_t last) { partial[first / chunk] = body(first, last); });
  double sum = 0;
  for (const double part : partial) sum += part;
  return sum;
}

}  // namespace

std::string CpuBackend::name() const {
  const int threads = cpu_threads();
  return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::size_t CpuBackend::free_bytes() const { return free_host_bytes(); }

float* CpuBackend::allocate(std::size_t count) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(float) - alignment)
    throw OutOfMemory("an array", std::numeric_limits<std::size_t>::max(), free_bytes());
  const std::size_t bytes = (count * sizeof(float) + alignment - 1) / alignment * alignment;
  // The system grants more memory than it has and later kills the process (overcommit), so a large
  // request is compared with the free memory.
  constexpr std::size_t large = std::size_t{1} << 28;
  if (bytes >= large && bytes > free_bytes()) throw OutOfMemory("an array", bytes, free_bytes());
  void* memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw OutOfMemory("an array", bytes, free_bytes());
  return static_cast<float*>(memory);
}

void CpuBackend::release(float* memory) noexcept { std::free(memory); }

void CpuBackend::upload(const float* host, float* device, std::size_t count) {
  std::memcpy(device, host, count * sizeof(float));
}

void CpuBackend::download(const float* device, float* host, std::size_t count) const {
  std::memcpy(host, device, count * sizeof(float));
}

void CpuBackend::do_fill(std::size_t n, float* x, float value) {
  for_chunks(n, [=](std::size_t i, std::size_t end) { std::fill(x + i, x + end, value); });
}

void CpuBackend::do_copy(std::size_t n, const float* x, float* y) {
  for_chunks(n, [=](std::size_t i, std::size_t end) { std::copy(x + i, x + end, y + i); });
}

void CpuBackend::do_axpby(std::size_t n, float a, const float* x, float b, float* y) {
  for_chunks(n, [=](std::size_t i, std::size_t end) {
    if (b == 0.0F)  // y may be uninitialised, even NaN
      for (; i < end; ++i) y[i] = a * x[i];
    else
      for (; i < end; ++i) y[i] = a * x[i] + b * y[i];
  });
}

void CpuBackend::do_multiply(std::size_t n, const float* x, float* y) {
  for_chunks(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; ++i) y[i] *= x[i];
  });
}

void CpuBackend::do_safe_reciprocal(std::size_t n, float* x, float threshold) {
  constexpr float smallest_normal = std::numeric_limits<float>::min();
  for_chunks(n, [=](std::size_t i, std::size_t end) {
  // The loop is vectorised only if no division depends on a condition.
#pragma omp simd
    for (std::size_t k = i; k < end; ++k) {
      const float size = std::abs(x[k]), counts = size > threshold ? 1.0F : 0.0F;
      // NaN counts as 0 (NaN > threshold is false). Adding 0 makes -0 a 0.
      x[k] = counts / std::copysign(std::max(smallest_normal, size), x[k]) + 0.0F;
    }
  });
}

void CpuBackend::do_clamp(std::size_t n, float* x, float low, float high) {
  for_chunks(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; ++i) x[i] = std::min(std::max(x[i], low), high);
  });
}

double CpuBackend::do_dot(std::size_t n, const float* x, const float* y) const {
  return sum_chunks(n, [=](std::size_t i, std::size_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = i; k < end; ++k) sum += static_cast<double>(x[k]) * y[k];
    return sum;
  });
}

double CpuBackend::do_weighted_square(std::size_t n, const float* w, const float* x) const {
  return sum_chunks(n, [=](std::size_t i, std::size_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = i; k < end; ++k) {
      const double value = x[k];
      sum += static_cast<double>(w[k]) * value * value;
    }
    return sum;
  });
}

double CpuBackend::do_scaled_update(std::size_t n, float* x, float a, const float* c,
                                    const float* g, float low) {
  return sum_chunks(n, [=](std::size_t i, std::size_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = i; k < end; ++k) {
      const float updated = std::max(x[k] + a * c[k] * g[k], low);
      const double change = static_cast<double>(updated) - x[k];
      sum += change * change;
      x[k] = updated;
    }
    return sum;
  });
}

double CpuBackend::do_residual(std::size_t n, const float* b, float* r, const float* weights) {
  return sum_chunks(n, [=](std::size_t i, std::size_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = i; k < end; ++k) {
      const float difference = b[k] - r[k];
      sum += static_cast<double>(difference) * difference;
      r[k] = difference;
    }
    if (weights != nullptr)
      for (std::size_t k = i; k < end; ++k) r[k] *= weights[k];
    return sum;
  });
}

double CpuBackend::do_ratio(std::size_t n, const float* b, float* r, const float* weights) {
  return sum_chunks(n, [=](std::size_t i, std::size_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = i; k < end; ++k) {
      const float divisor = r[k], difference = b[k] - divisor;
      sum += static_cast<double>(difference) * difference;
      const float quotient = std::max(b[k], 0.0F) / std::max(divisor, smallest_divisor);
      r[k] = divisor > smallest_divisor ? quotient : 0.0F;
    }
    if (weights != nullptr)
      for (std::size_t k = i; k < end; ++k) r[k] *= weights[k];
    return sum;
  });
}

double CpuBackend::do_multiplicative_update(std::size_t n, float* x, const float* g, const float* c,
                                            float threshold) {
  return sum_chunks(n, [=](std::size_t i, std::size_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = i; k < end; ++k) {
      const bool counts = c[k] > threshold;
      const float scaled = std::max(x[k] * (g[k] / (counts ? c[k] : 1.0F)), 0.0F);
      const float updated = counts ? scaled : x[k];
      const double change = static_cast<double>(updated) - x[k];
      sum += change * change;
      x[k] = updated;
    }
    return sum;
  });
}

}  // namespace gantry
