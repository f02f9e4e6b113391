#pragma once

#include "core/catalog/catalog.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

/// The option --correct, as text until the catalogue has checked it.
struct CorrectionOptions {
  std::vector<std::string> texts;  ///< "rings:snr=4,small_window=31", in their order

  void add_to(CLI::App& app);
  /// Returns the steps. Throws UsageError for an unknown correction or parameter.
  std::vector<CorrectionSpec> steps(const Catalog& catalog) const;
};

}  // namespace gantry::cli
