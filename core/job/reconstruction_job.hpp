#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/made_penalty.hpp"
#include "core/data/slice.hpp"
#include "core/job/experiment_data.hpp"
#include "core/job/history.hpp"
#include "core/job/run_description.hpp"
#include "core/job/run_plan.hpp"
#include "core/job/run_progress.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

class CoarseStart;

/// Returns the notes of the data, with a warning of the inverse crime if one of the runs
/// reconstructs on the voxels and with the projector of the simulation.
std::vector<std::string> notes_for(const ExperimentData& data, const std::vector<RunSpec>& runs,
                                   const Catalog& catalog);

/// Limit of the time for metrics: so many seconds plus this fraction of a run's computing time.
struct MeasuringBudget {
  double seconds = 0, share = 0;
};

/// One run of an experiment: makes operator and solver, makes steps and computes metrics, stage by
/// stage if there are several (RunSpec::stages). Belongs to one thread. Functions that are called
/// while advance() executes commands describe the last completed step.
class ReconstructionJob {
 public:
  /// Checks what can be checked without computing. Throws UsageError for settings that cannot work,
  /// and OutOfMemory. References must outlive the job; `interrupt` may be null.
  ReconstructionJob(RunSpec run, std::shared_ptr<const ExperimentData> data, MetricsSpec metrics,
                    const Catalog& catalog, const BackendList& backends,
                    const Interrupt* interrupt);
  ~ReconstructionJob();

  /// Continues from the estimate, iterations, time and products of another run of the same data.
  /// The stages of that run are put before this run's settings, so that spec() describes how to
  /// compute all of it again. To be called before advance().
  void continue_from(const ReconstructionJob& earlier);

  /// Returns what the run needs to be continued later. Must not be called during advance().
  RunProgress progress() const;
  /// Continues a run with the same settings from saved progress, as if it had not been interrupted.
  /// A run that had ended has ended, unless more iterations are wanted now. To be called before
  /// advance(). `last` is the entry of the last iteration, which new regions are measured for
  /// (iteration 0: not known). Throws InputError if the progress is of other data or another grid.
  /// The first advance() checks the solver's state and throws InputError if it does not fit.
  void resume_from(RunProgress progress, HistoryEntry last = {});

  /// Makes one step of the solver; the first call also sets it up. Returns an entry if the step
  /// completed an iteration. Throws Error if the run fails, and Interrupted, after which advance()
  /// can be called again. If the first step of a run on "auto" runs out of memory, the run is set
  /// up on another backend, as memory() and notes() then say.
  std::optional<HistoryEntry> advance();

  bool finished() const { return reason() != StopReason::none && !stage_is_over(); }
  StopReason reason() const { return loop_ ? loop_->reason() : previous_reason_; }
  /// Returns why the run has ended, and what to do if it diverged.
  std::string ending() const;
  /// Does nothing for a method of which another step would change nothing, as a direct one.
  void extend(int more_iterations);

  /// Returns what the user should know about the treatment of the data, and the weights that a
  /// method chose, one line each. To be called after the first advance().
  std::vector<std::string> notes() const;

  const RunSpec& spec() const { return run_; }
  std::size_t stage() const { return stage_; }
  /// The planned memory, where the run computes, and why there.
  const MemoryEstimate& memory() const { return memory_; }
  const std::string& device() const { return memory_.device; }
  const std::string& because() const { return memory_.because; }
  const std::shared_ptr<const ExperimentData>& shared_data() const { return data_; }
  /// Iterations whose steps are done. For the last one, the residual for a stopping rule may still
  /// be missing.
  int iterations() const {
    return before_.iteration + (loop_ ? loop_->iterations() : 0) + (part().is_complete ? 1 : 0);
  }
  int steps_per_iteration() const;
  /// Returns the iterations made on the coarser grid that is at work, while the image to start from
  /// is computed; else 0.
  int start_iterations() const;
  int steps_into_iteration() const { return part().is_complete ? 0 : part().steps; }
  double seconds() const { return before_.seconds + (loop_ ? loop_->seconds() : 0); }
  bool is_on_cpu() const { return backend_->kind() == BackendKind::cpu; }
  /// Waits for what a device still computes of the steps made.
  void synchronize() const { backend_->synchronize(); }
  /// Products of A or its transpose.
  double applications() const { return before_.applications + (loop_ ? loop_->applications() : 0); }

  /// The relaxation and its bound, if the method has one; none before the first step.
  std::optional<RelaxationRange> admissible() const {
    return loop_ ? solver_->admissible() : std::nullopt;
  }

  /// The size of the stored matrix, if the run uses one; none before the first product.
  std::optional<MatrixStorage> matrix() const;

  /// Sets the reference of further metrics; null: none. Other images of the run, such as its
  /// present estimate, are measured against the new one by measured().
  void set_reference(std::shared_ptr<const Reference> reference) {
    reference_ = std::move(reference);
  }
  const std::shared_ptr<const Reference>& reference() const { return reference_; }

  /// Limits the time for metrics of a run on a device, where the whole image must be copied to the
  /// host. The metrics of the last iteration are always computed. Without a limit, and on the CPU,
  /// metrics are computed in each iteration.
  void set_measuring_budget(MeasuringBudget budget) { budget_ = budget; }
  /// Computes the metrics of the last entry if they were skipped and the estimate has not changed
  /// since, and returns the entry; else returns none.
  std::optional<HistoryEntry> measure_last();

  /// Returns the metrics of any image on the grid, [iz][iy][ix], 1/mm, against the present
  /// reference and of the present regions.
  ImageMetrics measured(std::span<const float> image) const;

  /// Sets the regions of further metrics. Returns the last entry with new metrics of the regions.
  /// If the estimate has changed since that entry, the entry holds that as the reason why there are
  /// none, and the metrics are computed at the end of the iteration under way. Returns none before
  /// the end of the first iteration.
  std::optional<HistoryEntry> set_regions(const MeasurementRegions& regions);

  /// The present estimate; zero before the first step.
  SliceImage slice(Axis axis, int index) const;
  std::vector<float> solution() const;
  /// Whether the run's prior holds an edge field. Returns false before the first step.
  bool has_edges() const { return edge_field() != nullptr; }
  /// Return the edge field of the present estimate, one value per voxel in (0, 1], near 0 on edges.
  /// The run must have one.
  std::vector<float> edges() const;
  SliceImage edge_slice(Axis axis, int index) const;
  /// Returns A x of the present estimate, [view][row][column]. Throws Interrupted.
  std::vector<float> projection() const;

 private:
  /// Whether the present stage has ended and the next stage begins with the next step.
  bool stage_is_over() const;
  void adopt(RunPlan plan);
  void begin_next_stage();
  void ignore_rule_of_replay();
  void lengthen(int more_iterations);
  int last_iteration_of_stage() const;
  std::vector<RunStage> stages_so_far() const;
  bool retry_on_other_backend(const OutOfMemory& error);
  void set_up();
  void make_coarse_start();
  const PartOfIteration& part() const {
    static const PartOfIteration nothing;
    return loop_ ? loop_->part() : left_ ? left_->part : nothing;
  }
  const Array* edge_field() const {
    return loop_ && penalty_.prior ? penalty_.prior->edges() : nullptr;
  }
  /// The present estimate; empty: zero.
  const Array& estimate() const { return loop_ ? solver_->solution() : start_; }
  Problem problem();
  void measure(HistoryEntry& entry);
  void measure_all(HistoryEntry& entry);
  bool measuring_is_due() const;
  bool estimate_is_last_entry() const;
  bool has_its_regions(const Metric& metric) const;
  void measure_image(HistoryEntry& entry, const Reference* reference) const;
  ImageMetrics metrics_of(std::span<const float> image, const Reference* reference) const;

  RunSpec run_;
  std::size_t stage_ = 0;  // index into run_.stages; their number: the last stage
  std::shared_ptr<const ExperimentData> data_;
  std::shared_ptr<const Reference> reference_;
  MetricsSpec metrics_;
  const Catalog& catalog_;
  const BackendList& backends_;
  const Interrupt* interrupt_;
  std::vector<FailedBackend> failed_;
  Backend* backend_ = nullptr;  // never null
  MemoryEstimate memory_;
  std::unique_ptr<Projector> projector_;
  std::unique_ptr<Solver> solver_;
  MadePenalty penalty_;
  Array b_, weights_;                      // data; weights of the rays, or empty
  double data_norm_ = 0;                   // ||b||
  mutable std::uint64_t fingerprint_ = 0;  // of the data; 0: not computed yet
  Array start_;                            // image to start from; empty: zero
  IterationReport before_;                 // what the continued run had done
  std::optional<RunProgress> left_;  // of that run, until the first step; its image is in start_
  std::unique_ptr<CoarseStart> coarse_;  // while it computes the image to start from
  std::string coarse_note_;
  StopReason previous_reason_ = StopReason::none;  // why the continued run had ended
  std::vector<StopReason> lifted_;                 // rules that no longer apply in this stage
  std::optional<SolverRun> loop_;
  HistoryEntry last_;             // what advance() returned last
  bool regions_are_new_ = false;  // true until they have been measured
  std::optional<MeasuringBudget> budget_;
  double measuring_s_ = 0, last_measuring_s_ = 0;  // time for metrics: in total, and last
};

}  // namespace gantry
