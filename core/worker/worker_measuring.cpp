// Metrics that the worker computes between iterations: those that were skipped to save time, and
// all metrics of a run whose reference or regions have changed.
#include "core/worker/error_text.hpp"
#include "core/worker/job_worker.hpp"
#include "core/worker/worker_slot.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

void JobWorker::set_reference(int run, std::shared_ptr<const Reference> reference) {
  post_light([this, run, reference = std::move(reference)]() mutable {
    Slot* slot = slot_of(run);
    if (slot == nullptr || are_same(slot->job->reference().get(), reference.get())) return;
    slot->job->set_reference(std::move(reference));
    slot->to_measure.clear();
    slot->present_to_measure = slot->job->reference() != nullptr;
    if (!slot->present_to_measure) return;
    for (const KeptIterate& kept : *slot->kept.list()) slot->to_measure.push_back(kept.iteration);
  });
}

void JobWorker::set_regions(int run, MeasurementRegions regions) {
  post_light([this, run, regions = std::move(regions)] {
    Slot* slot = slot_of(run);
    if (slot == nullptr || slot->state == RunState::failed) return;
    try {
      if (auto entry = slot->job->set_regions(regions))
        news_.add(EntryChanged{slot->id, std::move(*entry), nullptr});
    } catch (const std::exception& error) {
      fail(*slot, error);
    }
  });
}

/// Computes the metrics that were skipped in the last iteration of a run that has stopped
/// computing. Returns false if there was nothing to do.
bool JobWorker::compute_skipped_metrics(Slot& slot) {
  if (slot.state == RunState::failed) return false;
  try {
    auto entry = slot.job->measure_last();
    if (!entry) return false;
    news_.add(EntryChanged{slot.id, std::move(*entry), slot.job->reference()});
  } catch (const std::exception& error) {
    fail(slot, error);
  }
  return true;
}

/// Measures the present estimate of a run at rest against its new reference. Returns false if there
/// was nothing to do.
bool JobWorker::measure_present(Slot& slot) {
  if (!slot.present_to_measure) return false;
  const bool is_whole = slot.job->iterations() > 0 && slot.job->steps_into_iteration() == 0;
  if (slot.state == RunState::running || slot.state == RunState::failed || !is_whole) return false;
  slot.present_to_measure = false;
  std::erase(slot.to_measure, slot.job->iterations());
  measure_again(slot, slot.job->iterations(), [&slot] { return slot.job->solution(); });
  return true;
}

/// Measures the latest kept iterate that was not yet measured against the new reference. Returns
/// false if there was nothing to do.
bool JobWorker::measure_kept(Slot& slot) {
  if (slot.to_measure.empty() || slot.state == RunState::failed) return false;
  const int iteration = slot.to_measure.back();
  slot.to_measure.pop_back();
  const IterateList& list = *slot.kept.list();
  const auto kept = std::ranges::find(list, iteration, &KeptIterate::iteration);
  if (kept != list.end()) measure_again(slot, iteration, [&] { return *kept->image(); });
  return true;
}

void JobWorker::measure_again(Slot& slot, int iteration,
                              const std::function<std::vector<float>()>& image) {
  try {
    news_.add(
        IterateMeasured{slot.id, iteration, slot.job->measured(image()), slot.job->reference()});
  } catch (const std::exception& error) {
    fail(slot, error);
  }
}

}  // namespace gantry
