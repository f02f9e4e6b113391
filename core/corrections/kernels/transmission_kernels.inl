// The loop declared in transmission_kernels.hpp. This file is included once per instruction set,
// with GANTRY_ISA as the name of the namespace.

namespace gantry::GANTRY_ISA {

namespace {

/// Returns ln x of a positive x that is no denormal: with x = 2^k (1 + f), 1 + f from sqrt(1/2) to
/// sqrt(2), it is k ln 2 + f - f^2 / 2 + f^3 P(f). P is that of S. Moshier's Cephes library, logf.
inline float natural_log(float x) {
  constexpr std::uint32_t root_half = 0x3f3504f3;  // the bits of sqrt(1/2)
  constexpr float high_ln2 = 0.693359375F, low_ln2 = -2.12194440e-4F;  // their sum is ln 2
  std::uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits -= root_half;
  const auto k = static_cast<float>(static_cast<std::int32_t>(bits) >> 23);
  bits = (bits & 0x007fffffU) + root_half;
  float f;
  __builtin_memcpy(&f, &bits, sizeof f);
  f -= 1;
  float p = 7.0376836292e-2F;
  p = p * f - 1.1514610310e-1F;
  p = p * f + 1.1676998740e-1F;
  p = p * f - 1.2420140846e-1F;
  p = p * f + 1.4249322787e-1F;
  p = p * f - 1.6668057665e-1F;
  p = p * f + 2.0000714765e-1F;
  p = p * f - 2.4999993993e-1F;
  p = p * f + 3.3333331174e-1F;
  const float square = f * f;
  return k * high_ln2 + (f + (k * low_ln2 + (square * f * p - 0.5F * square)));
}

std::size_t to_line_integrals(float* transmissions, std::size_t count, float least) {
  constexpr std::size_t block = 4096;  // of which 32 bits count the values
  std::size_t below = 0;
  for (std::size_t first = 0; first < count; first += block) {
    float* const values = transmissions + first;
    const std::size_t end = count - first < block ? count - first : block;
    std::uint32_t below_here = 0;
    for (std::size_t i = 0; i < end; ++i) {
      below_here += values[i] < least ? 1U : 0U;
      values[i] = -natural_log(values[i] < least ? least : values[i]);
    }
    below += below_here;
  }
  return below;
}

}  // namespace

extern const TransmissionKernels transmission_table;
const TransmissionKernels transmission_table = {to_line_integrals};

}  // namespace gantry::GANTRY_ISA
