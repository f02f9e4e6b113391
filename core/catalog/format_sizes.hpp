#pragma once

#include "core/catalog/catalog.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// What a matrix would take in one format, before any of it is built.
struct FormatSize {
  std::string key, label;
  std::size_t bytes = 0;  ///< estimated
  std::string problem;    ///< one line: why it cannot be, the condition named; empty: it can
};

/// All formats of the catalogue, for these weights on this backend; with the parameters they come
/// with, but for `chosen` those given.
std::vector<FormatSize> format_sizes(const Catalog& catalog, const std::string& backend_key,
                                     const Projector& weights, const NonzeroEstimate& estimate,
                                     const std::string& chosen = {}, const Params& params = {});

}  // namespace gantry
