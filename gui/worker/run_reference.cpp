// What the metrics of runs compare with: the truth or a pinned run, with the mask that the
// experiment asks for, and regions.
#include "core/base/error.hpp"
#include "gui/worker/run_controller.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

void RunController::pinReference(int id) {
  if (id < 0) return setReference(data_ != nullptr ? ownReference(*data_) : nullptr);
  const auto data = status(id).data;
  if (data == nullptr) return;
  const std::string label = model_.run(id) != nullptr ? this->label(id) : "pinned run";
  requestVolume(id,
                [this, id, data, label](const std::shared_ptr<const std::vector<float>>& mu, int) {
                  setReference(masked(make_reference(data->grid, *mu, label), *data), id);
                });
}

void RunController::restoreReference(std::vector<float> mu, const std::string& label, int run) {
  if (data_ == nullptr || mu.size() != data_->grid.voxels()) return;
  setReference(masked(make_reference(data_->grid, std::move(mu), label), *data_), run);
}

bool RunController::referenceIsPinned() const {
  return reference_ != nullptr && (data_ == nullptr || data_->reference == nullptr ||
                                   reference_->image != data_->reference->image);
}

/// Returns the reference of a run on `data`, which may not be the present data: the pinned
/// reference, if it has the size of the data's grid, else the truth of the data.
std::shared_ptr<const Reference> RunController::referenceOn(const ExperimentData& data) {
  const bool is_pinned_for = referenceIsPinned() && reference_->mu().size() == data.grid.voxels();
  return is_pinned_for || &data == data_.get() ? reference_ : ownReference(data);
}

ReferenceKey RunController::referenceKeyOf(int id) const {
  const std::shared_ptr<const ExperimentData>& data = status(id).data;
  if (data == nullptr) return {};
  const bool is_pinned_for = referenceIsPinned() && reference_->mu().size() == data->grid.voxels();
  if (is_pinned_for || data == data_)
    return reference_ != nullptr ? ReferenceKey(*reference_) : ReferenceKey();
  if (data->reference == nullptr) return {};
  ReferenceKey key(*data->reference);
  key.mask = mask_spec(model_.experiment().metrics);
  return key;
}

/// Returns the truth of data, with the mask that the experiment asks for; null: they have none.
std::shared_ptr<const Reference> RunController::ownReference(const ExperimentData& data) {
  return data.reference != nullptr ? masked(data.reference, data) : nullptr;
}

/// Returns a reference with the mask that the experiment asks for. A reference that has this mask
/// is returned as it is, and also if there is no such mask, which maskProblem() reports.
std::shared_ptr<const Reference> RunController::masked(std::shared_ptr<const Reference> reference,
                                                       const ExperimentData& data) {
  const MaskSpec wanted = mask_spec(model_.experiment().metrics);
  QString problem;
  try {
    if (wanted != reference->mask.spec)
      reference = with_mask(*reference, metric_mask(wanted, data.measured_geometry(), data.grid));
  } catch (const UsageError& error) {
    problem = QString::fromUtf8(error.what());
  }
  if (problem != maskProblem_) emit maskProblem(maskProblem_ = problem);
  return reference;
}

void RunController::setReference(std::shared_ptr<const Reference> reference, int pinned_run) {
  reference_ = std::move(reference);
  pinnedRun_ = pinned_run;
  for (const auto& [id, run] : runs_)
    if (run.wasStarted()) worker_->set_reference(id, referenceOn(*run.data));
  emit referenceChanged();
}

/// Measures all runs with another mask, where the experiment asks for one.
void RunController::followMask() {
  if (reference_ == nullptr || data_ == nullptr) return;
  auto reference = masked(reference_, *data_);
  if (reference != reference_) setReference(std::move(reference), pinnedRun_);
}

/// Sends changed regions to all runs; runs that have ended are measured again as well.
void RunController::sendRegions() {
  const MeasurementRegions& regions = model_.experiment().metrics.regions;
  if (regions == regions_) return;
  regions_ = regions;
  for (const auto& [id, run] : runs_)
    if (run.wasStarted()) worker_->set_regions(id, regions_);
}

QString RunController::otherMask(const std::shared_ptr<const Reference>& reference) const {
  if (reference == nullptr || reference_ == nullptr) return {};
  const bool is_other = reference->mask.spec != reference_->mask.spec;
  return is_other ? QString::fromStdString(reference->mask.label) : QString();
}

std::vector<HistoryEntry> RunController::historyOf(int id) const {
  const RunStatus& run = status(id);
  const ReferenceKey reference = referenceKeyOf(id);
  std::vector<HistoryEntry> history = run.history;
  for (HistoryEntry& entry : history) {
    if (run.isAgainst(reference, entry)) continue;
    entry.is_measured = false;
    for (const auto& metric : catalog_.metrics.entries()) {
      if (metric.make("any", {})->needs() != MetricNeeds::reference) continue;
      entry.metrics.erase(metric.key);
      entry.problems.erase(metric.key);
    }
  }
  return history;
}

void RunController::handle(const EntryChanged& event) {
  RunStatus* run = current(event.id);
  if (run == nullptr || run->history.empty() ||
      run->history.back().report.iteration != event.entry.report.iteration)
    return;
  run->history.back() = event.entry;
  if (event.reference != nullptr) run->setReference(event.entry.report.iteration, event.reference);
  emit historyChanged(event.id.run);
}

void RunController::handle(const IterateMeasured& event) {
  RunStatus* run = current(event.id);
  if (run == nullptr) return;
  const auto entry = std::ranges::find(
      run->history, event.iteration, [](const HistoryEntry& one) { return one.report.iteration; });
  if (entry == run->history.end()) return;
  take(event.metrics, *entry);
  entry->is_measured = true;
  run->setReference(event.iteration, event.reference);
  measuredAgain_.insert(event.id.run);
}

}  // namespace gantry
