#include "core/worker/sweep/corrected_row.hpp"

#include "core/backend/backend_list.hpp"
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

/// Returns the index of the varied correction among those that are applied.
std::size_t CorrectedRow::first_varied(const Experiment& varied) const {
  const auto begin = varied.corrections.begin();
  return static_cast<std::size_t>(
      std::count_if(begin, begin + static_cast<std::ptrdiff_t>(param_.correction),
                    [](const CorrectionSpec& step) { return !step.off; }));
}

/// Returns how many of the steps need the whole detector, or come before one that does.
std::size_t CorrectedRow::end_of_whole(const std::vector<CorrectionSpec>& steps,
                                       std::size_t first) const {
  std::size_t end = steps.size();
  while (end > first) {
    const CorrectionSpec& step = steps[end - 1];
    const auto correction = trials_.catalog()
                                .corrections.at(step.key, host_key)
                                .make(host_key, *measured_, step.params);
    if (dynamic_cast<const RowCorrection*>(correction.get()) == nullptr) break;
    --end;
  }
  return end;
}

RowScan CorrectedRow::row_after(const Experiment& varied, std::vector<CorrectionSpec> steps) {
  ImportSettings settings = varied.source.import_settings;
  const Padding padding = std::exchange(settings.padding, {});  // comes after the corrections
  const std::string& path = varied.source.path;
  const MeasuredScanReading reading({path, std::move(settings), varied.geometry, std::move(steps)},
                                    {trials_.catalog(), trials_.backends().resolve(host_key),
                                     &shared_scan_cache(), &trials_.interrupt()});
  MeasuredScan scan = reading.read();
  measured_ = measured_geometry(varied.geometry, padding, scan.scan, path);
  lengths_are_known_ = lengths_are_known(scan.scan, *measured_);
  reading.correct(scan, *measured_);
  auto row =
      middle_row(*measured_, scan.scan.line_integrals, measured_->columns(), measured_->views());
  if (!row)
    throw InputError("no row of the detector lies in the plane of the source", path,
                     "repeat the run with each value");
  return *std::move(row);
}

RowScan CorrectedRow::of(const Experiment& varied) {
  const std::vector<CorrectionSpec> steps = applied(varied.corrections);
  const std::size_t first = first_varied(varied);
  const auto from_begin = [&](std::size_t count) {
    return std::vector(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (!before_) before_ = row_after(varied, from_begin(first));
  const std::size_t whole = end_of_whole(steps, first);
  RowScan row = whole > first ? row_after(varied, from_begin(whole)) : *before_;
  const auto measured = std::make_shared<const ScanGeometry>(row.spec);
  std::vector<std::string> notes;
  apply_corrections(std::vector(steps.begin() + static_cast<std::ptrdiff_t>(whole), steps.end()),
                    trials_.catalog(), *measured, row.line_integrals,
                    trials_.backends().resolve(host_key), notes, lengths_are_known_,
                    &trials_.interrupt());
  const Padding& padding = varied.source.import_settings.padding;
  pad(row.line_integrals, measured->columns(), padding);
  row.spec = padded(measured, padding)->spec();
  return row;
}

}  // namespace gantry
