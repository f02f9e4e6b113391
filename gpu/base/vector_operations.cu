// Elementwise vector operations and sums; the kernels are in gpu/device/elementwise.cuh. This file
// is compiled without contraction of products and sums (--fmad=false), so that every element equals
// that of CpuBackend bit for bit. The loops are limited by memory bandwidth, so the unfused
// arithmetic costs no time.
#include "gpu/base/vector_operations.hpp"
#include "gpu/device/elementwise.cuh"

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <vector>

namespace gantry {

namespace {

using kernels::elementwise_threads;
using kernels::In;
using kernels::InOut;
using kernels::Out;
using kernels::Split;

constexpr std::size_t most_partials = 1024;
constexpr std::size_t elements_per_partial_thread = 8;

const float* address(In p) { return p.at; }
const float* address(Out p) { return p.at; }
const float* address(InOut p) { return p.at; }

/// Returns the number of elements before the first one that is aligned to 16 bytes (four floats).
std::size_t misaligned(const float* p) {
  return (4 - reinterpret_cast<std::uintptr_t>(p) / sizeof(float) % 4) % 4;
}

/// Splits the elements into quads if all operands have the same alignment; otherwise all elements
/// are visited singly.
template <class First, class... Others>
Split split_elements(std::size_t n, First first, Others... others) {
  const std::size_t head = misaligned(address(first));
  const bool alike = ((misaligned(address(others)) == head) && ...);
  if (!alike || head >= n) return {0, 0, n};
  return {head, (n - head) / 4, n};
}

std::size_t blocks_for(std::size_t n, std::size_t elements_per_thread, std::size_t most) {
  const std::size_t per_block = elementwise_threads * elements_per_thread;
  return std::clamp((n + per_block - 1) / per_block, std::size_t{1}, most);
}

// As std::max and std::min, NaN included.
__device__ float larger(float a, float b) { return a < b ? b : a; }
__device__ float smaller(float a, float b) { return b < a ? b : a; }

__device__ double square_of_change(float updated, float x) {
  const double change = static_cast<double>(updated) - x;
  return change * change;
}

struct Fill {
  float value;
  __device__ void operator()(double&, float& x) const { x = value; }
};
struct Scale {
  float a;
  __device__ void operator()(double&, float x, float& y) const { y = a * x; }
};
struct Axpby {
  float a, b;
  __device__ void operator()(double&, float x, float& y) const { y = a * x + b * y; }
};
struct ScaleNorm {
  float a;
  __device__ void operator()(double& sum, float x, float& y) const {
    y = a * x;
    sum += static_cast<double>(y) * y;
  }
};
struct AxpbyNorm {
  float a, b;
  __device__ void operator()(double& sum, float x, float& y) const {
    y = a * x + b * y;
    sum += static_cast<double>(y) * y;
  }
};
struct Multiply {
  __device__ void operator()(double&, float x, float& y) const { y *= x; }
};
struct SafeReciprocal {
  float threshold;
  __device__ void operator()(double&, float& x) const {
    const float size = fabsf(x), counts = size > threshold ? 1.0F : 0.0F;  // see CpuBackend
    x = counts / copysignf(larger(FLT_MIN, size), x) + 0.0F;
  }
};
struct Clamp {
  float low, high;
  __device__ void operator()(double&, float& x) const { x = smaller(larger(x, low), high); }
};
struct Dot {
  __device__ void operator()(double& sum, float x, float y) const {
    sum += static_cast<double>(x) * y;
  }
};
struct WeightedSquare {
  __device__ void operator()(double& sum, float w, float x) const {
    const double value = x;
    sum += static_cast<double>(w) * value * value;
  }
};
struct ScaledUpdate {
  float a, low;
  __device__ void operator()(double& sum, float& x, float c, float g) const {
    const float updated = larger(x + a * c * g, low);
    sum += square_of_change(updated, x);
    x = updated;
  }
};
struct Residual {
  __device__ void operator()(double& sum, float b, float& r) const {
    r = b - r;
    sum += static_cast<double>(r) * r;
  }
  __device__ void operator()(double& sum, float b, float& r, float weight) const {
    (*this)(sum, b, r);
    r *= weight;
  }
};
struct Ratio {
  float smallest_divisor;
  __device__ void operator()(double& sum, float b, float& r) const {
    const float divisor = r, difference = b - divisor;
    sum += static_cast<double>(difference) * difference;
    r = divisor > smallest_divisor ? larger(b, 0.0F) / divisor : 0.0F;
  }
  __device__ void operator()(double& sum, float b, float& r, float weight) const {
    (*this)(sum, b, r);
    r *= weight;
  }
};
struct MultiplicativeUpdate {
  float threshold;
  __device__ void operator()(double& sum, float& x, float g, float c) const {
    const float updated = c > threshold ? larger(x * (g / c), 0.0F) : x;
    sum += square_of_change(updated, x);
    x = updated;
  }
};

}  // namespace

VectorOperations::VectorOperations(const CudaBackend& backend)
    : stream_(backend.stream()),
      most_blocks_(8 * backend.multiprocessors()),  // as many as run at the same time
      partial_(backend, most_partials, "sums on the GPU"),
      ended_(backend, std::vector<unsigned>{0}),
      result_(1),
      result_address_(result_.device_data()) {}

template <class Op, class... Operands>
void VectorOperations::map(const char* name, std::size_t n, const Op& op, Operands... p) const {
  if (n == 0) return;
  const auto blocks =
      static_cast<unsigned>(blocks_for(n, 4, static_cast<std::size_t>(most_blocks_)));
  kernels::map_elements<<<blocks, elementwise_threads, 0, stream_>>>(op, split_elements(n, p...),
                                                                     p...);
  check_launch(name);
}

template <class Op, class... Operands>
double VectorOperations::sum(const char* name, std::size_t n, const Op& op, Operands... p) {
  if (n == 0) return 0;
  const std::scoped_lock lock(mutex_);
  const std::size_t blocks = blocks_for(n, elements_per_partial_thread, most_partials);
  kernels::sum_elements<<<static_cast<unsigned>(blocks), elementwise_threads, 0, stream_>>>(
      op, split_elements(n, p...), partial_.data(), ended_.data(), result_address_, p...);
  check_launch(name);
  check(cudaStreamSynchronize(stream_), name);
  return *result_.data();
}

void VectorOperations::fill(std::size_t n, float* x, float value) const {
  map("fill", n, Fill{value}, Out{x});
}

void VectorOperations::axpby(std::size_t n, float a, const float* x, float b, float* y) const {
  if (b == 0.0F)  // y may hold anything, even NaN
    map("axpby", n, Scale{a}, In{x}, Out{y});
  else
    map("axpby", n, Axpby{a, b}, In{x}, InOut{y});
}

void VectorOperations::multiply(std::size_t n, const float* x, float* y) const {
  map("multiply", n, Multiply{}, In{x}, InOut{y});
}

void VectorOperations::safe_reciprocal(std::size_t n, float* x, float threshold) const {
  map("safe_reciprocal", n, SafeReciprocal{threshold}, InOut{x});
}

void VectorOperations::clamp(std::size_t n, float* x, float low, float high) const {
  map("clamp", n, Clamp{low, high}, InOut{x});
}

double VectorOperations::dot(std::size_t n, const float* x, const float* y) {
  return sum("dot", n, Dot{}, In{x}, In{y});
}

double VectorOperations::weighted_square(std::size_t n, const float* w, const float* x) {
  return sum("weighted_square", n, WeightedSquare{}, In{w}, In{x});
}

double VectorOperations::axpby_norm(std::size_t n, float a, const float* x, float b, float* y) {
  if (b == 0.0F)  // y may hold anything, even NaN
    return sum("axpby_norm", n, ScaleNorm{a}, In{x}, Out{y});
  return sum("axpby_norm", n, AxpbyNorm{a, b}, In{x}, InOut{y});
}

double VectorOperations::scaled_update(std::size_t n, float* x, float a, const float* c,
                                       const float* g, float low) {
  return sum("scaled_update", n, ScaledUpdate{a, low}, InOut{x}, In{c}, In{g});
}

double VectorOperations::residual(std::size_t n, const float* b, float* r, const float* weights) {
  if (weights == nullptr) return sum("residual", n, Residual{}, In{b}, InOut{r});
  return sum("residual", n, Residual{}, In{b}, InOut{r}, In{weights});
}

double VectorOperations::ratio(std::size_t n, const float* b, float* r, const float* weights,
                               float smallest_divisor) {
  if (weights == nullptr) return sum("ratio", n, Ratio{smallest_divisor}, In{b}, InOut{r});
  return sum("ratio", n, Ratio{smallest_divisor}, In{b}, InOut{r}, In{weights});
}

double VectorOperations::multiplicative_update(std::size_t n, float* x, const float* g,
                                               const float* c, float threshold) {
  return sum("multiplicative_update", n, MultiplicativeUpdate{threshold}, InOut{x}, In{g}, In{c});
}

}  // namespace gantry
