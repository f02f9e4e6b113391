#include "app/cli/series_options.hpp"

#include "app/cli/checks.hpp"

#include <algorithm>

namespace gantry::cli {

void SeriesOptions::add_to(CLI::App& app) {
  app.add_option("--series", series, "number or UID, where a folder holds several")
      ->type_name("SERIES");
  add_uneven_to(app);
}

void SeriesOptions::add_uneven_to(CLI::App& app) {
  app.add_option("--uneven", uneven,
                 "uneven or tilted DICOM slices: refuse, resample or largest-part")
      ->type_name("WAY")
      ->capture_default_str()
      ->check(one_of({uneven_words.begin(), uneven_words.end()}));
}

UnevenSlices SeriesOptions::uneven_slices() const {
  const auto found = std::ranges::find(uneven_words, uneven);
  return static_cast<UnevenSlices>(found - uneven_words.begin());
}

}  // namespace gantry::cli
