#pragma once

#include "core/catalog/catalog.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// The estimated size of a matrix in one format, before it is built.
struct FormatSize {
  std::string key, label;
  std::size_t bytes = 0;  ///< estimated
  std::string problem;    ///< one line: why this format cannot be used; empty: it can
};

/// Returns the sizes in all formats of the catalogue, for these weights on this backend. `chosen`
/// is the format that `params` belongs to; the other formats have their default parameters.
std::vector<FormatSize> format_sizes(const Catalog& catalog, const std::string& backend_key,
                                     const Projector& weights, const NonzeroEstimate& estimate,
                                     const std::string& chosen = {}, const Params& params = {});

}  // namespace gantry
