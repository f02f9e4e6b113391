// What a run measures of its estimate: metrics against the reference and of regions, and the
// residual of the iterate.
#include "core/job/measurement.hpp"
#include "core/job/reconstruction_job.hpp"
#include "core/solvers/iterate_residual.hpp"

#include <chrono>
#include <cmath>
#include <utility>

namespace gantry {

void ReconstructionJob::measure(HistoryEntry& entry) {
  entry.exact_residual = entry.report.exact_residual_norm;
  entry.data_norm = data_norm_;
  // If the method does not know the residual, it is computed here; neither time nor products count.
  if (metrics_.exact_residual && !std::isfinite(entry.exact_residual) &&
      loop_->reason() != StopReason::diverged) {
    try {
      Array r(*backend_, projector_->range_size());
      entry.exact_residual =
          iterate_residual(solver_->traits(), *projector_, b_, solver_->solution(), r);
      if (const auto objective = solver_->objective_with(r, entry.exact_residual))
        entry.report.objective = *objective;
    } catch (const Interrupted&) {
      // A command is waiting: the value of this iteration is skipped rather than the iteration
      // lost.
    }
  }
  const bool has_tasks = reference_ != nullptr || metrics_.regions != MeasurementRegions{};
  if (!has_tasks) return;
  entry.is_measured = measuring_is_due();
  if (!entry.is_measured) return;
  measure_all(entry);
  regions_are_new_ = false;
  measuring_s_ += last_measuring_s_;
}

bool ReconstructionJob::measuring_is_due() const {
  const bool is_free = !budget_ || is_on_cpu();
  if (is_free || finished() || regions_are_new_) return true;
  // Before the first measurement: the least time that the CPU needs.
  constexpr double least_s_per_voxel = 5e-9;
  const double expected_s = last_measuring_s_ > 0
                                ? last_measuring_s_
                                : least_s_per_voxel * static_cast<double>(data_->grid.voxels());
  return measuring_s_ + expected_s <= budget_->seconds + budget_->share * seconds();
}

void ReconstructionJob::measure_all(HistoryEntry& entry) {
  const auto start = std::chrono::steady_clock::now();
  measure_image(entry, reference_.get());
  last_measuring_s_ =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  entry.is_measured = true;
}

/// Whether the estimate is that of the last history entry.
bool ReconstructionJob::estimate_is_last_entry() const {
  return last_.report.iteration > 0 && last_.report.iteration == iterations() &&
         steps_into_iteration() == 0 && !estimate().empty();
}

std::optional<HistoryEntry> ReconstructionJob::measure_last() {
  if (!estimate_is_last_entry() || last_.is_measured) return std::nullopt;
  measure_all(last_);
  return last_;
}

/// Adds the metrics of the present estimate to an entry; without a reference those of regions.
void ReconstructionJob::measure_image(HistoryEntry& entry, const Reference* reference) const {
  if (reference == nullptr && metrics_.regions == MeasurementRegions{}) return;
  // Only an image in the memory of another device has to be copied.
  const Array& x = estimate();
  const bool is_here = is_on_cpu();
  const std::vector<float> brought = is_here ? std::vector<float>{} : x.to_host();
  take(metrics_of(is_here ? x.host() : brought, reference), entry);
}

ImageMetrics ReconstructionJob::measured(std::span<const float> image) const {
  return metrics_of(image, reference_.get());
}

ImageMetrics ReconstructionJob::metrics_of(std::span<const float> image,
                                           const Reference* reference) const {
  ImagePair pair{data_->grid, image, {}};
  pair.regions = &metrics_.regions;
  if (reference != nullptr) {
    pair.reference = reference->mu();
    pair.mask = reference->mask.voxels.voxels();
    pair.range = reference->range;
  }
  ImageMetrics all;
  for (const MeasuredMetric& metric : gantry::measure(catalog_, pair)) {
    all.values[metric.key] = metric.value.value;
    if (!metric.value.problem.empty()) all.problems[metric.key] = metric.value.problem;
  }
  return all;
}

/// Whether the metric uses regions, and these are given.
bool ReconstructionJob::has_its_regions(const Metric& metric) const {
  return metric.needs() != MetricNeeds::reference &&
         metric.applies_to({data_->grid, {}, {}, {}, 0, &metrics_.regions});
}

std::optional<HistoryEntry> ReconstructionJob::set_regions(const MeasurementRegions& regions) {
  metrics_.regions = regions;
  const bool at_last = estimate_is_last_entry();
  regions_are_new_ = !at_last && regions != MeasurementRegions{};
  for (const auto& entry : catalog_.metrics.entries()) {
    const auto metric = entry.make("any", {});
    if (metric->needs() == MetricNeeds::reference) continue;
    last_.metrics.erase(entry.key);
    last_.problems.erase(entry.key);
    if (at_last || !has_its_regions(*metric)) continue;
    last_.metrics[entry.key] = nan_value;
    last_.problems[entry.key] = "is measured at the end of iteration " +
                                std::to_string(last_.report.iteration + 1) + ", which is under way";
  }
  if (at_last) measure_image(last_, nullptr);
  if (last_.report.iteration == 0) return std::nullopt;
  return last_;
}

}  // namespace gantry
