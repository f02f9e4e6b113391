#include "core/catalog/format_sizes.hpp"

#include "core/base/error.hpp"
#include "core/matrix/stacked_matrix.hpp"

namespace gantry {

std::vector<FormatSize> format_sizes(const Catalog& catalog, const std::string& backend_key,
                                     const Projector& weights, const NonzeroEstimate& estimate,
                                     const std::string& chosen, const Params& params) {
  std::vector<FormatSize> sizes;
  const auto slice = shared_slice(weights);
  const NonzeroEstimate of_slice = slice ? estimate_nonzeros(*slice) : estimate;
  for (const AlgorithmInfo& info : catalog.matrix_formats.entries()) {
    FormatSize& size = sizes.emplace_back(FormatSize{info.key, info.label, 0, {}});
    try {
      const auto format = catalog.matrix_formats.make(info.key, backend_key,
                                                      info.key == chosen ? params : Params{});
      const bool by_slice = slice && format->stacks(weights.backend());
      const Projector& stored = by_slice ? *slice : weights;
      format->require(stored);
      size.bytes = format->estimate_bytes(by_slice ? of_slice : estimate, stored) +
                   (by_slice ? format->stack_bytes(of_slice, *slice, slice_stack(weights)) : 0);
    } catch (const Error& error) {
      size.problem = error.what();
    }
  }
  return sizes;
}

}  // namespace gantry
