#pragma once

#include "core/io/dicom/series/uneven_slices.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace gantry::cli {

/// The options that choose a series of a DICOM folder, and say how uneven slices are read.
struct SeriesOptions {
  std::string series, uneven = uneven_words[0];

  /// Adds --series and --uneven.
  void add_to(CLI::App& app);
  void add_uneven_to(CLI::App& app);
  UnevenSlices uneven_slices() const;
  bool given() const { return !series.empty() || uneven != uneven_words[0]; }
};

}  // namespace gantry::cli
