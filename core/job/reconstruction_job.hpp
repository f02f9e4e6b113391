#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/made_penalty.hpp"
#include "core/data/slice.hpp"
#include "core/job/experiment_data.hpp"
#include "core/job/history.hpp"
#include "core/job/run_description.hpp"
#include "core/job/run_progress.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

class NonzeroEstimates;
struct FailedBackend;
struct RunPlan;

/// What a run will hold in memory, before it starts.
struct MemoryEstimate {
  MemoryEstimate() = default;
  explicit MemoryEstimate(const RunPlan& plan);

  std::size_t needed_bytes = 0, free_bytes = 0;
  std::string backend_key, device;      ///< where it will compute: "cuda", "NVIDIA H200"
  std::string because;                  ///< why there; empty where there was nothing to choose
  std::string note;                     ///< how, where that is unusual: "... are streamed ..."
  std::optional<MemoryShare> shortage;  ///< what does not fit, there or on a device that helps
};
/// See plan_run. Of a run in stages, the one that is short of memory, or needs most.
MemoryEstimate estimate_memory(const RunSpec& run, const ScanGeometry& geometry,
                               const VolumeGrid& grid, const Catalog& catalog,
                               const BackendList& backends, bool exact_residual = false,
                               NonzeroEstimates* estimates = nullptr);

/// Throws OutOfMemory where a part of what the run holds does not fit.
void require_room(const RunSpec& run, const std::optional<MemoryShare>& shortage);
/// The same for the runs of an experiment, before their data are made: where none of them has room.
/// What else is wrong with a run is told when that is started.
void require_room(const Experiment& experiment, const ScanGeometry& geometry,
                  const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends);

/// The notes of the data, and a warning of the inverse crime where one of these runs commits it: it
/// reconstructs on the voxels, and with the projector, that the data were simulated with.
std::vector<std::string> notes_for(const ExperimentData& data, const std::vector<RunSpec>& runs,
                                   const Catalog& catalog);

/// What metrics may cost a run: these seconds, and this share of the time that it computes.
struct MeasuringBudget {
  double seconds = 0, share = 0;
};

/// One run of an experiment: builds operator and solver, steps them, measures; stage after stage,
/// where it has several (RunSpec::stages). Belongs to one thread. What is read of it while
/// advance() attends to others is of the last finished step.
class ReconstructionJob {
 public:
  /// Checks what can be checked without computing. Throws UsageError (a choice that cannot work) or
  /// OutOfMemory. All references outlive the job; `interrupt` may be null.
  ReconstructionJob(RunSpec run, std::shared_ptr<const ExperimentData> data, MetricsSpec metrics,
                    const Catalog& catalog, const BackendList& backends,
                    const Interrupt* interrupt);
  ~ReconstructionJob();

  /// Goes on from where another run of the same data is: its estimate, iterations, time and
  /// products. What that one went through become the stages before this one's settings, so that
  /// spec() tells how to compute all of it again. Before advance().
  void continue_from(const ReconstructionJob& earlier);

  /// How far it is, with what it needs to go on. Not while advance() is at work.
  RunProgress progress() const;
  /// Goes on from where another job with the same settings was left, as if it had not been; a job
  /// that was at its end is at its end, unless more iterations are wanted now. Before advance().
  /// Throws InputError where that job was of other data or of another grid. The method's own state
  /// is looked at by the first advance(), which throws InputError where it is another method's.
  void resume_from(RunProgress progress);

  /// One step of the solver (the first call also sets it up). An entry when that completed an
  /// iteration. Throws Error when the run fails; Interrupted when asked to give way, after which
  /// advance() can be called again. A run on "auto" whose device has less memory than it said, as
  /// the first step tells, is set up anew elsewhere; memory() and notes() say so.
  std::optional<HistoryEntry> advance();

  bool finished() const { return reason() != StopReason::none && !stage_is_over(); }
  StopReason reason() const { return loop_ ? loop_->reason() : left_at_; }
  void extend(int more_iterations);

  /// What the user should know of the way the data were taken, and the weights that a method chose:
  /// one line each, after the first advance().
  std::vector<std::string> notes() const;

  const RunSpec& spec() const { return run_; }
  std::size_t stage() const { return stage_; }
  /// What it was planned to hold, where it computes, and why there.
  const MemoryEstimate& memory() const { return memory_; }
  const std::string& device() const { return memory_.device; }
  const std::string& because() const { return memory_.because; }
  const std::shared_ptr<const ExperimentData>& shared_data() const { return data_; }
  /// Those whose steps are done; of the last, the residual that a rule asks for may still be under
  /// way.
  int iterations() const {
    return before_.iteration + (loop_ ? loop_->iterations() : 0) + (part().is_complete ? 1 : 0);
  }
  int steps_per_iteration() const;
  int steps_into_iteration() const { return part().is_complete ? 0 : part().steps; }
  double seconds() const { return before_.seconds + (loop_ ? loop_->seconds() : 0); }

  /// The relaxation and its bound, where the method has one; none before the first step.
  std::optional<RelaxationRange> admissible() const {
    return loop_ ? solver_->admissible() : std::nullopt;
  }

  /// What the matrix takes, of a run on a stored one; none before its first product.
  std::optional<MatrixStorage> matrix() const;

  /// Metrics from now on are taken against this image; null: none.
  void set_reference(std::shared_ptr<const Reference> reference) {
    reference_ = std::move(reference);
  }
  const std::shared_ptr<const Reference>& reference() const { return reference_; }

  /// Metrics of a run on a device, from which the whole image has to be brought, keep to this from
  /// now on; those of its last iteration are always taken. Without it they are taken of each, as
  /// everywhere else.
  void set_measuring_budget(MeasuringBudget budget) { budget_ = budget; }
  /// The last entry with its metrics, where they were left out and the estimate is still the one
  /// that it tells of.
  std::optional<HistoryEntry> measure_last();

  /// Metrics of regions are taken there from now on. The last entry, with them taken anew; where
  /// the estimate is no longer the one that it tells of, with the reason why they are not, and they
  /// are taken at the end of the iteration that is under way. None before the first iteration's
  /// end.
  std::optional<HistoryEntry> set_regions(const MeasurementRegions& regions);

  /// The estimate as it is now; zero before the first step.
  SliceImage slice(Axis axis, int index) const;
  std::vector<float> solution() const;
  /// A x of the present estimate, [view][row][column]. May throw Interrupted.
  std::vector<float> projection() const;

 private:
  /// Before the last stage: it has come to its end, and the next begins with the next step.
  bool stage_is_over() const;
  void adopt(RunPlan plan);
  void begin_next_stage();
  void go_on_past_rule();
  void lengthen(int more_iterations);
  int last_iteration_of_stage() const;
  std::vector<RunStage> stages_so_far() const;
  bool begin_elsewhere(const OutOfMemory& error);
  void set_up();
  const PartOfIteration& part() const {
    static const PartOfIteration nothing;
    return loop_ ? loop_->part() : left_ ? left_->part : nothing;
  }
  /// Empty: zero.
  const Array& estimate() const { return loop_ ? solver_->solution() : start_; }
  Problem problem();
  double applications() const { return before_.applications + (loop_ ? loop_->applications() : 0); }
  void measure(HistoryEntry& entry);
  void measure_all(HistoryEntry& entry);
  bool measuring_is_due() const;
  bool is_at_last() const;
  bool is_placed(const Metric& metric) const;
  void measure_image(HistoryEntry& entry, std::span<const float> reference) const;

  RunSpec run_;
  std::size_t stage_ = 0;  // index into its stages; their number: the last
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
  Array b_, weights_;                // data; weights of the rays, empty: none
  Array start_;                      // where to start, empty: zero
  IterationReport before_;           // how far the run was that this one continues
  std::optional<RunProgress> left_;  // that run, until this one has begun; the image is in start_
  StopReason left_at_ = StopReason::none;  // why that run had ended, where it had
  std::vector<StopReason> lifted_;         // rules that are no longer in force in this stage
  std::optional<SolverRun> loop_;
  HistoryEntry last_;             // what advance() returned last
  bool regions_are_new_ = false;  // and have not been measured yet
  std::optional<MeasuringBudget> budget_;
  double measuring_s_ = 0, last_measuring_s_ = 0;  // spent on metrics: in all, and last
};

}  // namespace gantry
