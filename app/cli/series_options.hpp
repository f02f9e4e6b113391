#pragma once

#include "core/io/dicom/series/uneven_slices.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace gantry::cli {

/// Which series of a DICOM folder is read, and how.
struct SeriesOptions {
  std::string series, uneven = uneven_words[0];

  /// --series and --uneven
  void add_to(CLI::App& app);
  void add_uneven_to(CLI::App& app);
  UnevenSlices uneven_slices() const;
  bool given() const { return !series.empty() || uneven != uneven_words[0]; }
};

}  // namespace gantry::cli
