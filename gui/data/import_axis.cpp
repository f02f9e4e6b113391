#include "gui/data/import_axis.hpp"

#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr double same_column = 1e-9;  // apart from rounding

/// Returns the axis of a geometry of the imported part as a column of the whole images.
double column_of_images(const ScanSpec& part, const ImportSettings& settings, int padded_columns) {
  const bool is_padded = padded_columns == 0 || part.detector_columns == padded_columns;
  const double column = part.central_column - (is_padded ? settings.padding.columns : 0);
  return settings.part.columns.first + settings.part.bin * (column + 0.5) - 0.5;
}

/// Whether a column of the images is the same one with both settings.
bool have_same_columns(const ImportSettings& a, const ImportSettings& b) {
  return a.images == b.images && a.axes == b.axes && a.turn == b.turn &&
         a.data_sets.projections == b.data_sets.projections;
}

}  // namespace

void keep_found(const Experiment& experiment, const ScanSpec& scan, FoundScan& found) {
  const ImportSettings& settings = experiment.source.import_settings;
  found.scan = scan;
  if (!settings.centre) found.axis = column_of_images(scan, settings, found.columns);
}

std::optional<double> chosen_axis(const Experiment& experiment, const FoundScan& found) {
  const ImportSettings& settings = experiment.source.import_settings;
  // Free poses have no such column.
  if (!experiment.geometry || experiment.geometry->trajectory == Trajectory::poses)
    return settings.centre;
  const std::optional<double> usual = settings.centre ? settings.centre : found.axis;
  const double now = column_of_images(*experiment.geometry, settings, found.columns);
  return usual && std::abs(now - *usual) < same_column ? settings.centre : now;
}

bool change_import(Experiment& experiment, const FoundScan& found,
                   const std::function<void(ImportSettings&)>& change) {
  ImportSettings& settings = experiment.source.import_settings;
  const ImportSettings before = settings;
  settings.centre = chosen_axis(experiment, found);
  change(settings);
  const bool keeps_axis = have_same_columns(before, settings);
  if (settings.centre && !keeps_axis) settings.centre = before.centre;
  experiment.grid.reset();
  auto lost = std::exchange(experiment.geometry, {});
  if (!lost || !found.scan) return lost.has_value();
  if (keeps_axis) lost->central_column = found.scan->central_column;
  return *lost != *found.scan;
}

}  // namespace gantry
