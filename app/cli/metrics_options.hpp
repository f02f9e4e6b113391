#pragma once

#include "core/job/experiment.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace gantry::cli {

/// The options that say where is measured, as text until they have been checked.
struct RegionOptions {
  std::string roi, background, edge;

  void add_to(CLI::App& app);
  /// Throws UsageError.
  MeasurementRegions regions() const;
};

}  // namespace gantry::cli
