#include "core/matrix/format_sizes.hpp"

#include "core/base/error.hpp"

namespace gantry {

std::vector<FormatSize> format_sizes(const Catalog& catalog, const std::string& backend_key,
                                     const Projector& weights, const NonzeroEstimate& estimate,
                                     const std::string& chosen, const Params& params) {
  std::vector<FormatSize> sizes;
  for (const auto* entry : catalog.matrix_formats.distinct()) {
    FormatSize& size = sizes.emplace_back(FormatSize{entry->key, entry->label, 0, {}});
    try {
      const auto format = catalog.matrix_formats.make(entry->key, backend_key,
                                                      entry->key == chosen ? params : Params{});
      format->require(weights);
      size.bytes = format->estimate_bytes(estimate, weights);
    } catch (const Error& error) {
      size.problem = error.what();
    }
  }
  return sizes;
}

}  // namespace gantry
