#pragma once

#include "core/job/reconstruction_job.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// The result of a run that was computed beside the runs of the experiment.
struct TrialResult {
  RunSpec run;  ///< as it was computed, without a history of stages
  std::shared_ptr<const ExperimentData> data;
  std::vector<HistoryEntry> history;
  std::shared_ptr<const Reference> reference;  ///< of the metrics; null: there is none
  std::vector<float> image;  ///< the last iterate, 1/mm, [iz][iy][ix]; empty if the run failed
  /// What the run needs to be continued; null if it is too large to be kept.
  std::shared_ptr<const RunProgress> progress;
  std::size_t needed_bytes = 0;  ///< memory of the run where it computed
  std::string problem;           ///< why the run failed; empty: it did not fail

  /// Returns whether the run was computed, or has failed.
  bool hasRun() const { return !history.empty() || !problem.empty(); }
  /// Returns the entry of the last iteration; an empty one before the first.
  HistoryEntry last() const { return history.empty() ? HistoryEntry{} : history.back(); }
};

/// Computes runs one after the other: several values of a parameter, or several methods.
class Trials {
 public:
  /// References must outlive the object.
  Trials(MetricsSpec metrics, const Catalog& catalog, const BackendList& backends,
         const Interrupt& interrupt)
      : metrics_(metrics), catalog_(catalog), backends_(backends), interrupt_(interrupt) {}

  /// Computes a run from its beginning until it ends, or until `is_over` returns true for an
  /// iteration. The result of a run that fails states the reason. Throws Interrupted.
  TrialResult compute(RunSpec run, std::shared_ptr<const ExperimentData> data,
                      const std::function<bool(const HistoryEntry&)>& is_over = {});

  const Catalog& catalog() const { return catalog_; }
  const BackendList& backends() const { return backends_; }
  const Interrupt& interrupt() const { return interrupt_; }

 private:
  MetricsSpec metrics_;
  const Catalog& catalog_;
  const BackendList& backends_;
  const Interrupt& interrupt_;
  std::size_t kept_bytes_ = 0;  // of progress, of all results
};

}  // namespace gantry
