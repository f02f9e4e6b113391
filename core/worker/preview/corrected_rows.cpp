#include "core/worker/preview/corrected_rows.hpp"

#include "core/base/error.hpp"
#include "core/catalog/apply_corrections.hpp"
#include "core/corrections/padding/padding.hpp"
#include "core/corrections/row_correction.hpp"
#include "core/job/scans/measured_scan.hpp"
#include "core/job/scans/scan_cache.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gantry {

namespace {

std::vector<CorrectionSpec> part_of(const std::vector<CorrectionSpec>& steps, std::size_t first,
                                    std::size_t end) {
  return {steps.begin() + static_cast<std::ptrdiff_t>(first),
          steps.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

std::size_t first_changed_correction(const Experiment& a, const Experiment& b) {
  const auto of_a = applied(a.corrections), of_b = applied(b.corrections);
  return static_cast<std::size_t>(std::ranges::mismatch(of_a, of_b).in1 - of_a.begin());
}

/// Returns the number of steps up to the last that needs the whole detector; `first` if none from
/// there on does.
std::size_t CorrectedRows::end_of_whole(const Steps& steps, std::size_t first,
                                        const ScanGeometry& measured) const {
  std::size_t end = steps.size();
  while (end > first) {
    const CorrectionSpec& step = steps[end - 1];
    const auto correction =
        catalog_.corrections.at(step.key, host_key).make(host_key, measured, step.params);
    if (dynamic_cast<const RowCorrection*>(correction.get()) == nullptr) break;
    --end;
  }
  return end;
}

/// Applies steps that treat each row by itself.
void CorrectedRows::correct(Before& rows, const Steps& steps, const Interrupt& interrupt) const {
  std::vector<std::string> notes;  // which those on the whole scan replace
  apply_corrections(steps, catalog_, ScanGeometry(rows.rows.spec), rows.rows.line_integrals,
                    backends_.resolve(host_key), notes, rows.lengths_are_known, &interrupt);
}

CorrectedRows::Before CorrectedRows::made(const Experiment& experiment, const Steps& steps,
                                          RowRange rows, WholeScan whole,
                                          const Interrupt& interrupt) const {
  Before made{experiment, rows, {}, nullptr};
  made.experiment.corrections = steps;
  made.experiment.runs.clear();
  ImportSettings settings = experiment.source.import_settings;
  const Padding padding = std::exchange(settings.padding, {});  // comes after the corrections
  const std::string& path = experiment.source.path;
  const MeasuredScanReading reading(
      {path, std::move(settings), experiment.geometry, steps},
      {catalog_, backends_.resolve(host_key), &shared_scan_cache(), &interrupt});
  const auto take = [&](const MeasuredScan& scan, const std::vector<float>& line_integrals) {
    made.measured = measured_geometry(experiment.geometry, padding, scan.scan, path);
    made.lengths_are_known = lengths_are_known(scan.scan, *made.measured);
    made.rows = rows_of(made.measured->spec(), line_integrals, rows);
  };
  if (const KeptScan kept = reading.kept(); kept.scan != nullptr) {
    take(*kept.scan, *kept.line_integrals);
    const std::size_t done = kept.scan->steps;
    if (end_of_whole(steps, done, *made.measured) == done) {
      correct(made, part_of(steps, done, steps.size()), interrupt);
      return made;
    }
  }
  if (whole == WholeScan::stays_as_kept)
    throw UsageError("the change needs all of this large scan", {}, "let go and apply it");
  MeasuredScan scan = reading.read();
  take(scan, scan.scan.line_integrals);  // for the geometry
  reading.correct(scan, *made.measured);
  take(scan, scan.scan.line_integrals);
  return made;
}

ScanRows CorrectedRows::of(const Experiment& experiment, std::size_t varied, RowRange rows,
                           WholeScan whole, const Interrupt& interrupt) {
  const std::scoped_lock lock(mutex_);
  const Steps steps = applied(experiment.corrections);
  Experiment wanted = experiment;
  wanted.corrections = part_of(steps, 0, varied);
  if (!before_ || before_->range != rows || !same_data(before_->experiment, wanted))
    before_ = made(experiment, wanted.corrections, rows, whole, interrupt);
  const std::size_t end = end_of_whole(steps, varied, *before_->measured);
  Before part =
      end > varied ? made(experiment, part_of(steps, 0, end), rows, whole, interrupt) : *before_;
  correct(part, part_of(steps, end, steps.size()), interrupt);
  const auto measured = std::make_shared<const ScanGeometry>(part.rows.spec);
  const Padding& padding = experiment.source.import_settings.padding;
  pad(part.rows.line_integrals, measured->columns(), padding);
  part.rows.spec = padded(measured, padding)->spec();
  return std::move(part.rows);
}

}  // namespace gantry
