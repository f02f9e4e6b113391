// The largest rounding() that a projector or a matrix format may declare. Other tests take their
// tolerances from rounding(), so that a declared value that is too large would hide errors.
#pragma once

#include "core/base/params.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace gantry::test {

/// The cap of everything else: weights and sums in float32 or better.
constexpr double usual_rounding_cap = 1e-6;
/// Half precision changes a weight by 2^-11 of it at most; the factor 2 allows for single values of
/// a product that exceed the root mean square.
constexpr double half_rounding_cap = 0x1p-10;

struct RoundingCap {
  std::string_view key, backend;
  double cap;
};

/// Returns the cap of the projector `key` on a backend of the contract tests.
inline double rounding_cap_of_projector(const std::string& key, const std::string& backend) {
  static constexpr std::array caps{
      // Differences of prefix sums in float32: the fewest digits are left where a cell is narrower
      // than a pixel.
      RoundingCap{"distance_driven", "cuda", 1e-5},
      // Positions in tables of sums are float32.
      RoundingCap{"dd_gpu_db", "cuda", 1e-5},
      RoundingCap{"dd_gpu_bs", "cuda", 1e-5},
      // The texture hardware interpolates with fractions of 8 bits; Liu et al. 2017 report 2e-3.
      RoundingCap{"dd_gpu_bl", "cuda", 4e-3},
      RoundingCap{"dd_gpu_bz", "cuda", 4e-3},
  };
  // A streamed product is the float32 sum of up to 1024 parts; each addition rounds by 6e-8 at
  // most, and the errors have random signs: 6e-8 sqrt(1024).
  const double streamed = backend == "stream" ? 2e-6 : 0;
  const auto* found = std::ranges::find_if(
      caps, [&](const RoundingCap& one) { return one.key == key && one.backend == backend; });
  return (found == caps.end() ? usual_rounding_cap : found->cap) + streamed;
}

/// Returns the cap of the matrix format `key` with all its parameters.
inline double rounding_cap_of_format(const std::string& key, const Params& params) {
  // Weights in half precision: always in formats that Tensor Cores read, else by a parameter.
  constexpr std::array<std::string_view, 3> of_tensor_cores{"bsr_half", "bsr_half_symmetric",
                                                            "cusparse_bell"};
  const auto is = [&](const char* parameter, std::string_view end) {
    return params.contains(parameter) && params.text(parameter).ends_with(end);
  };
  // Sums in half precision too, besides the weights.
  if (key == "csr_half2" || is("product", "half2")) return 2 * half_rounding_cap;
  const bool has_half = std::ranges::find(of_tensor_cores, key) != of_tensor_cores.end() ||
                        is("weights", "half") || is("weights", "compact") || is("product", "half");
  return has_half ? half_rounding_cap : usual_rounding_cap;
}

}  // namespace gantry::test
