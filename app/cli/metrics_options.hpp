#pragma once

#include "core/job/experiment.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace gantry::cli {

/// The options for the measurement regions, as text until regions() has checked them.
struct RegionOptions {
  std::string roi, background, edge;

  void add_to(CLI::App& app);
  /// Returns the regions. Throws UsageError for a text that is no region.
  MeasurementRegions regions() const;
};

}  // namespace gantry::cli
