#include "core/worker/sweep/middle_slices.hpp"

#include "core/base/error.hpp"

#include <chrono>
#include <functional>
#include <utility>

namespace gantry {

namespace {

constexpr int most_columns = 1024, most_views = 720;  // with which a slice takes about a second

/// Returns the point of a slice, with the time that making it took.
SweepPoint timed_point(const RunSpec& run, std::shared_ptr<const ExperimentData> data,
                       const std::function<std::vector<float>()>& slice) {
  const auto begin = std::chrono::steady_clock::now();
  SweepPoint point;
  point.run = run;
  point.data = std::move(data);
  point.image = slice();
  point.slice = middle_slice_sharpness(point.image, point.data->grid);
  HistoryEntry entry;
  entry.report.iteration = 1;
  entry.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  point.history = {std::move(entry)};
  return point;
}

}  // namespace

bool MiddleSlices::suit(const SweepParam& param, const ExperimentData& data) {
  const bool is_shown_by_slice =
      param.of == SweepParam::Of::correction ||
      ((param.is_central_column() || param.is_tilt()) && data.geometry->rows() > 1);
  return is_shown_by_slice && data.rebinned_from == nullptr && data.reference == nullptr &&
         middle_row_index(*data.geometry);
}

std::unique_ptr<const MiddleSlices> MiddleSlices::of(const SweepParam& param,
                                                     std::shared_ptr<const ExperimentData> data,
                                                     const Interrupt* interrupt) {
  if (!suit(param, *data)) return nullptr;
  auto row = middle_row(*data->geometry, data->line_integrals, most_columns, most_views);
  return std::unique_ptr<const MiddleSlices>(
      new MiddleSlices(*std::move(row), param, std::move(data), interrupt));
}

MiddleSlices::MiddleSlices(RowScan row, SweepParam param,
                           std::shared_ptr<const ExperimentData> whole, const Interrupt* interrupt)
    : param_(std::move(param)),
      whole_(std::move(whole)),
      interrupt_(interrupt),
      slices_(std::move(row), interrupt, SliceWeights::common) {
  auto data = std::make_shared<ExperimentData>();
  data->geometry = std::make_shared<const ScanGeometry>(slices_.row().spec);
  data->line_integrals = slices_.row().line_integrals;
  data->grid = slices_.grid();
  data->mu_water = whole_->mu_water;
  data->radiological = whole_->radiological;
  data->lengths_are_known = whole_->lengths_are_known;
  data_ = std::move(data);
}

SweepPoint MiddleSlices::at(double value, const RunSpec& run) const {
  if (param_.is_tilt())
    return slice_of(*middle_row(*whole_->geometry, whole_->line_integrals, most_columns, most_views,
                                radians(value)),
                    run);
  return timed_point(run, data_, [&] { return slices_.slice(value); });
}

RowRange MiddleSlices::rows() const { return {*middle_row_index(*whole_->geometry), 1}; }

SweepPoint MiddleSlices::of_row(const ScanRows& row, const RunSpec& run) const {
  auto reduced = middle_row(ScanGeometry(row.spec), row.line_integrals, most_columns, most_views);
  if (!reduced || reduced->line_integrals.size() != data_->line_integrals.size())
    throw ShapeError("the corrected row has other cells than the scan");
  return slice_of(*std::move(reduced), run);
}

/// Returns the slice of another row, of the same cells, with the axis that the row states.
SweepPoint MiddleSlices::slice_of(RowScan row, const RunSpec& run) const {
  auto data = std::make_shared<ExperimentData>(*data_);
  data->line_integrals = row.line_integrals;
  const double axis = row.detector_column(row.spec.central_column);
  return timed_point(run, std::move(data),
                     [&] { return RowSlices(std::move(row), interrupt_).slice(axis); });
}

}  // namespace gantry
