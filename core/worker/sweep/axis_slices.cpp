#include "core/worker/sweep/axis_slices.hpp"

#include <chrono>
#include <utility>

namespace gantry {

namespace {

constexpr int most_columns = 1024, most_views = 720;  // with which a slice takes about a second

}  // namespace

bool AxisSlices::suit(const SweepParam& param, const ExperimentData& data) {
  return param.is_central_column() && data.geometry->rows() > 1 && data.rebinned_from == nullptr &&
         data.reference == nullptr && has_middle_row(*data.geometry);
}

std::unique_ptr<const AxisSlices> AxisSlices::of(const SweepParam& param,
                                                 const ExperimentData& data,
                                                 const Interrupt* interrupt) {
  if (!suit(param, data)) return nullptr;
  auto row = middle_row(*data.geometry, data.line_integrals, most_columns, most_views);
  if (!row) return nullptr;
  return std::unique_ptr<const AxisSlices>(new AxisSlices(*std::move(row), data, interrupt));
}

AxisSlices::AxisSlices(RowScan row, const ExperimentData& whole, const Interrupt* interrupt)
    : slices_(std::move(row), interrupt, SliceWeights::common) {
  auto data = std::make_shared<ExperimentData>();
  data->geometry = std::make_shared<const ScanGeometry>(slices_.row().spec);
  data->line_integrals = slices_.row().line_integrals;
  data->grid = slices_.grid();
  data->mu_water = whole.mu_water;
  data->radiological = whole.radiological;
  data->lengths_are_known = whole.lengths_are_known;
  data_ = std::move(data);
}

SweepPoint AxisSlices::at(double column, const RunSpec& run) const {
  const auto begin = std::chrono::steady_clock::now();
  SweepPoint point;
  point.run = run;
  point.data = data_;
  point.image = slices_.slice(column);
  point.slice = middle_slice_sharpness(point.image, data_->grid);
  HistoryEntry entry;
  entry.report.iteration = 1;
  entry.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  point.history = {std::move(entry)};
  return point;
}

}  // namespace gantry
