#include "core/job/reconstruction_job.hpp"

#include "core/base/error.hpp"
#include "core/job/coarse_start.hpp"
#include "core/job/fingerprint.hpp"
#include "core/physics/statistical_weights.hpp"
#include "core/solvers/divergence_cure.hpp"
#include "core/solvers/iterate_residual.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

namespace gantry {

namespace {

/// Throws UsageError if the run asks for weights of its rays that it cannot have.
void require_weights(const RunSettings& run, const Catalog& catalog) {
  if (run.weights == RayWeights::none) return;
  if (!catalog.solvers.at(run.solver).traits.uses_ray_weights) {
    const std::string others =
        catalog.solvers.keys_that([](const auto& entry) { return entry.traits.uses_ray_weights; });
    throw UsageError("the solver " + run.solver + " does not weight rays", "weights",
                     "use none, or a solver that does: " + others);
  }
}

/// Throws UsageError if the run is to stop by an objective that its method does not report.
void require_objective(const RunSettings& run, const Catalog& catalog) {
  if (run.relative_objective == 0 || catalog.solvers.at(run.solver).traits.has_objective()) return;
  const std::string others =
      catalog.solvers.keys_that([](const auto& entry) { return entry.traits.has_objective(); });
  throw UsageError("the solver " + run.solver + " reports no objective", "stop at objective",
                   "stop at the update, or use a solver that does: " + others);
}

/// Throws UsageError if the run asks for coarser grids to start from, and its method starts from
/// nothing.
void require_coarse_start(const RunSettings& run, const Catalog& catalog) {
  if (run.coarse_levels == 0 || !catalog.solvers.at(run.solver).traits.is_direct) return;
  throw UsageError("the solver " + run.solver + " computes its image directly, without a start",
                   "coarse_levels", "use 0, or an iterative solver");
}

/// Returns the plan of a stage of a run, checked as far as possible without computing.
RunPlan checked_plan(const RunSpec& run, const ExperimentData& data, const MetricsSpec& metrics,
                     const Catalog& catalog, const BackendList& backends) {
  RunPlan plan = plan_run(run, data.geometry, data.grid, catalog, backends, metrics.exact_residual);
  require_weights(run, catalog);
  require_coarse_start(run, catalog);
  require_objective(run, catalog);
  require_possible(stop_rules(run, run.iterations, data.noise_norm));
  require_run_memory(run, plan.shortage());
  return plan;
}

}  // namespace

std::vector<std::string> notes_for(const ExperimentData& data, const std::vector<RunSpec>& runs,
                                   const Catalog& catalog) {
  std::vector<std::string> notes = data.notes;
  if (!data.simulation) return notes;
  for (const RunSpec& run : runs)
    if (is_inverse_crime(*data.simulation, run.projector, data.grid)) {
      notes.push_back(
          "inverse crime: the data were projected from the same voxels by the same "
          "projector" +
          (data.simulation->subrays > 1
               ? ", though with " + std::to_string(data.simulation->subrays) +
                     " rays across a cell,"
               : std::string()) +
          " as " + run_label(run, catalog) +
          " uses, so results look better than they are; use another projector or grid");
      break;
    }
  return notes;
}

ReconstructionJob::ReconstructionJob(RunSpec run, std::shared_ptr<const ExperimentData> data,
                                     MetricsSpec metrics, const Catalog& catalog,
                                     const BackendList& backends, const Interrupt* interrupt)
    : run_(std::move(run)),
      data_(std::move(data)),
      reference_(data_->reference),
      metrics_(metrics),
      catalog_(catalog),
      backends_(backends),
      interrupt_(interrupt) {
  // All stages are checked before the first begins.
  for (std::size_t later = run_.stages.size(); later > 0; --later)
    checked_plan(truncated_to_stage(run_, later), *data_, metrics_, catalog_, backends_);
  adopt(checked_plan(truncated_to_stage(run_, 0), *data_, metrics_, catalog_, backends_));
}

/// Takes over solver, projector and backend of a plan. Throws OutOfMemory if the plan does not fit.
void ReconstructionJob::adopt(RunPlan plan) {
  require_run_memory(run_, plan.shortage());
  backend_ = plan.backend;
  memory_ = MemoryEstimate(plan);
  solver_ = std::move(plan.solver);
  projector_ = std::move(plan.projector);
  penalty_ = std::move(plan.penalty);
  projector_->set_interrupt(interrupt_);
}

/// Plans the run on another backend after this one ran out of memory. Returns false if that is not
/// possible: the run's settings name this backend, or steps that were made would be lost.
bool ReconstructionJob::retry_on_other_backend(const OutOfMemory& error) {
  const bool has_steps = loop_ && (loop_->iterations() > 0 || loop_->steps_into_iteration() > 0);
  const bool start_is_gone = before_.iteration > 0 && start_.empty();
  const bool was_chosen = truncated_to_stage(run_, stage_).backend == "auto" &&
                          std::ranges::none_of(failed_, [&](const auto& f) {
                            return f.backend_key == memory_.backend_key;
                          });
  if (!was_chosen || memory_.backend_key == host_key || has_steps || start_is_gone) return false;
  failed_.push_back(
      {memory_.backend_key, memory_.device + " ran out of memory (" + error.what() + ")"});
  const std::vector<float> start = start_.empty() ? std::vector<float>{} : start_.to_host();
  loop_.reset();
  coarse_.reset();  // computed on the backend that failed
  for (Array* array : {&b_, &weights_, &start_}) *array = Array();
  solver_.reset();
  penalty_ = {};
  projector_.reset();
  adopt(plan_run(truncated_to_stage(run_, stage_), data_->geometry, data_->grid, catalog_,
                 backends_, metrics_.exact_residual, nullptr, failed_));
  if (!start.empty()) start_ = Array::from(*backend_, start);
  return true;
}

ReconstructionJob::~ReconstructionJob() = default;

std::optional<MatrixStorage> ReconstructionJob::matrix() const {
  const auto* stored = dynamic_cast<const StoredMatrix*>(projector_.get());
  if (stored == nullptr || !stored->built()) return std::nullopt;
  return stored->storage();
}

int ReconstructionJob::steps_per_iteration() const { return solver_->steps_per_iteration(); }

void ReconstructionJob::continue_from(const ReconstructionJob& earlier) {
  if (!(earlier.data_->grid == data_->grid))
    throw ShapeError("a run cannot go on from a run on another grid");
  start_ = Array::from(*backend_, earlier.solution());
  before_.iteration = earlier.iterations();
  before_.seconds = earlier.seconds();  // including those of an iteration under way
  before_.applications = earlier.applications();
  run_.stages = earlier.stages_so_far();
  run_.iterations = std::max(run_.iterations, before_.iteration + 1);
  stage_ = run_.stages.size();
  if (earlier.estimate_is_last_entry()) last_ = earlier.last_;
  measuring_s_ = earlier.measuring_s_;
  last_measuring_s_ = earlier.last_measuring_s_;
}

/// Returns the completed stages, and the present one as if it ended now.
std::vector<RunStage> ReconstructionJob::stages_so_far() const {
  RunSpec now = truncated_to_stage(run_, stage_);
  const int start = now.stages.empty() ? 0 : now.stages.back().until_iteration;
  const bool has_begun = iterations() > start || steps_into_iteration() > 0;
  if (has_begun) now.stages.push_back({now, iterations(), steps_into_iteration()});
  return now.stages;
}

bool ReconstructionJob::stage_is_over() const {
  if (stage_ >= run_.stages.size() || part().is_complete) return false;
  const RunStage& stage = run_.stages[stage_];
  return std::pair(iterations(), steps_into_iteration()) >=
         std::pair(stage.until_iteration, stage.steps);
}

/// Begins the next stage, as continue_from() begins a continued run. Throws as the constructor
/// does, and the estimate is preserved.
void ReconstructionJob::begin_next_stage() {
  RunPlan plan =
      checked_plan(truncated_to_stage(run_, stage_ + 1), *data_, metrics_, catalog_, backends_);
  const std::vector<float> x = solution();
  before_.seconds = seconds();
  before_.applications = applications();
  before_.iteration = iterations();
  loop_.reset();
  left_.reset();
  previous_reason_ = StopReason::none;
  lifted_.clear();
  b_ = Array();
  weights_ = Array();
  adopt(std::move(plan));
  start_ = Array::from(*backend_, x);
  ++stage_;
}

/// Ignores a rule that ended the stage when it was computed first and was lifted then (extend).
void ReconstructionJob::ignore_rule_of_replay() {
  const bool is_last = stage_ >= run_.stages.size();
  const int left = last_iteration_of_stage() - iterations();
  if (!loop_->finished() || stage_is_over()) return;
  if (!is_last) return lengthen(std::max(1, left));
  if (run_.goes_past_rules && left > 0 && is_rule(loop_->reason())) lengthen(left);
}

/// Lifts the rule that ended the run so far, as SolverRun::extend does.
void ReconstructionJob::lengthen(int more_iterations) {
  if (is_rule(reason())) lifted_.push_back(reason());
  if (loop_) return loop_->extend(more_iterations);
  if (is_rule(previous_reason_) || previous_reason_ == StopReason::iterations)
    previous_reason_ = StopReason::none;
}

/// Returns the last iteration of the present stage, including one that the stage makes in part.
int ReconstructionJob::last_iteration_of_stage() const {
  if (stage_ >= run_.stages.size()) return run_.iterations;
  const RunStage& stage = run_.stages[stage_];
  return stage.until_iteration + (stage.steps > 0 ? 1 : 0);
}

RunProgress ReconstructionJob::progress() const {
  RunProgress now;
  if (left_) now = *left_;
  now.stage = stage_;
  now.lifted = lifted_;
  now.iterations = iterations() - (part().is_complete ? 1 : 0);
  now.seconds = seconds();
  now.applications = applications();
  now.reason = reason();
  if (fingerprint_ == 0) fingerprint_ = fingerprint(*data_);
  now.data = fingerprint_;
  if (loop_) {
    now.part = loop_->part();
    now.has_begun = true;
    now.solver = save_state(*solver_);
  } else if (!left_ && !start_.empty()) {
    now.solver.arrays = {start_.to_host()};
  }
  if (coarse_) now.coarse = std::make_shared<RunProgress>(coarse_->progress());
  return now;
}

void ReconstructionJob::resume_from(RunProgress progress, HistoryEntry last) {
  const auto& arrays = progress.solver.arrays;
  const bool is_image =
      arrays.empty() ? !progress.has_begun : arrays[0].size() == data_->grid.voxels();
  if (!is_image || (progress.data != 0 && progress.data != fingerprint(*data_)))
    throw InputError("the saved state of the run belongs to other data or another grid", {},
                     "give the scan and the grid that it was saved with, or start anew");
  before_.iteration = progress.iterations;
  before_.seconds = progress.seconds;
  before_.applications = progress.applications;
  const bool wants_more =
      (progress.reason == StopReason::iterations && run_.iterations > progress.iterations) ||
      (progress.reason == StopReason::converged && run_.relative_update == 0) ||
      (progress.reason == StopReason::fitted && run_.relative_residual == 0) ||
      (progress.reason == StopReason::noise_level && run_.discrepancy == 0) ||
      (progress.reason == StopReason::settled && run_.relative_objective == 0);
  previous_reason_ = wants_more ? StopReason::none : progress.reason;
  if (progress.stage > run_.stages.size())
    throw InputError("the saved state is of a stage that the run does not have", {},
                     "give the settings that it was saved with, or start anew");
  stage_ = progress.stage;
  lifted_ = progress.lifted;
  if (stage_ > 0)
    adopt(checked_plan(truncated_to_stage(run_, stage_), *data_, metrics_, catalog_, backends_));
  if (!arrays.empty()) start_ = Array::from(*backend_, arrays[0]);
  left_ = std::move(progress);
  last_ = std::move(last);
}

namespace {

double variance_of_unattenuated(const PhotonCounting& counting) {
  return counting.photons_per_ray > 0 ? 1 / counting.photons_per_ray : 0;
}

}  // namespace

Problem ReconstructionJob::problem() {
  if (truncated_to_stage(run_, stage_).weights == RayWeights::statistical && weights_.empty()) {
    std::vector<float> weights(data_->line_integrals.size());
    // Without electronic noise the weights are exp(-p), however many photons there were.
    if (statistical_weights(data_->line_integrals, std::max(1.0, data_->counting.photons_per_ray),
                            data_->counting.electronic_sigma, weights) == weights.size())
      throw InputError("the electronic noise leaves every ray the weight 0", "weights",
                       "check the electronic noise of the scan, or use none");
    weights_ = Array::from(*backend_, weights);
  }
  Problem problem{projector_.get(), &b_, start_.empty() ? nullptr : &start_,
                  weights_.empty() ? nullptr : &weights_, penalty_.penalty};
  // statistical_weights() gives a ray of weight 1 the variance of an unattenuated one.
  // Without weights, rays count alike: their mean variance. 0: the noise is unknown.
  problem.penalty.noise_variance = weights_.empty()
                                       ? data_->noise_norm * data_->noise_norm /
                                             static_cast<double>(data_->line_integrals.size())
                                       : variance_of_unattenuated(data_->counting);
  return problem;
}

/// Computes the image to start from on coarser grids, if the run begins with that.
void ReconstructionJob::make_coarse_start() {
  const RunSpec first = truncated_to_stage(run_, 0);
  const bool begins = stage_ == 0 && start_.empty() && before_.iteration == 0;
  if (first.coarse_levels == 0 || !begins || !CoarseStart::is_possible(data_->grid)) return;
  if (!coarse_)
    coarse_ = std::make_unique<CoarseStart>(first, *data_, memory_.backend_key, catalog_, backends_,
                                            interrupt_);
  if (left_ && left_->coarse) coarse_->resume_from(*std::exchange(left_->coarse, nullptr));
  start_ = Array::from(*backend_, coarse_->image());
  before_.seconds = coarse_->seconds();
  before_.applications = coarse_->applications();
  coarse_note_ = coarse_->note();
  coarse_.reset();
  left_.reset();
}

int ReconstructionJob::start_iterations() const { return coarse_ ? coarse_->iterations() : 0; }

void ReconstructionJob::set_up() {
  make_coarse_start();
  if (b_.empty()) b_ = Array::from(*backend_, data_->line_integrals);
  data_norm_ = std::sqrt(backend_->dot(b_, b_));
  const int iterations = std::max(1, last_iteration_of_stage() - before_.iteration);
  StopRules rules = stop_rules(truncated_to_stage(run_, stage_), iterations, data_->noise_norm);
  for (const StopReason rule : lifted_) rules = without(rules, rule);
  loop_.emplace(*solver_, problem(), rules);
  if (left_ && left_->has_begun) {
    restore_state(left_->solver, *solver_);
    loop_->continue_iteration(left_->part);
  }
  left_.reset();
  start_ = Array();
}

std::optional<HistoryEntry> ReconstructionJob::advance() {
  if (finished()) return std::nullopt;
  if (stage_is_over()) begin_next_stage();
  std::optional<IterationReport> report;
  for (bool done = false; !done;) {
    try {
      if (!loop_) set_up();
      report = loop_->advance();
      done = true;
    } catch (const OutOfMemory& error) {
      if (!retry_on_other_backend(error)) throw;
    }
  }
  if (!report) return std::nullopt;
  HistoryEntry entry;
  entry.report = *report;
  entry.stage = stage_;
  entry.report.iteration += before_.iteration;
  entry.report.seconds += before_.seconds;
  entry.report.applications += before_.applications;
  ignore_rule_of_replay();
  measure(entry);
  last_ = entry;
  return entry;
}

std::vector<std::string> ReconstructionJob::notes() const {
  std::vector<std::string> notes;
  if (!failed_.empty()) notes.push_back("computed on " + device() + ": " + failed_.back().because);
  // A streamed product may have used smaller parts than planned. The size of a stored matrix is
  // reported by matrix().
  if (!matrix() && projector_->note() != memory_.note) notes.push_back(projector_->note());
  if (!coarse_note_.empty()) notes.push_back(coarse_note_);
  if (!weights_.empty() && !(data_->counting.photons_per_ray > 0))
    notes.push_back("the number of photons is not known: rays are weighted by exp(−p)");
  if (std::string note = single_weights_note(solver_->traits(), *projector_); !note.empty())
    notes.push_back(std::move(note));
  if (loop_) {
    std::ranges::move(solver_->notes(), std::back_inserter(notes));
    if (std::string note = loop_->objective_note(); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::string ReconstructionJob::ending() const {
  const std::string cure =
      reason() == StopReason::diverged ? divergence_cure(*solver_) : std::string();
  return describe(reason()) + (cure.empty() ? "" : "; " + cure);
}

void ReconstructionJob::extend(int more_iterations) {
  if (stage_ < run_.stages.size()) return;  // the stages determine how the run continues
  if (reason() == StopReason::exhausted) return;
  run_.iterations = iterations() + more_iterations;
  if (is_rule(reason())) run_.goes_past_rules = true;
  lengthen(more_iterations + (part().is_complete ? 1 : 0));
}

SliceImage ReconstructionJob::slice(Axis axis, int index) const {
  if (!estimate().empty()) return extract_slice(data_->grid, estimate(), axis, index);
  SliceImage empty = slice_frame(data_->grid, axis, index);
  empty.values.assign(
      static_cast<std::size_t>(empty.width) * static_cast<std::size_t>(empty.height), 0.0F);
  return empty;
}

std::vector<float> ReconstructionJob::solution() const {
  return estimate().empty() ? std::vector<float>(data_->grid.voxels(), 0.0F) : estimate().to_host();
}

std::vector<float> ReconstructionJob::edges() const { return edge_field()->to_host(); }

SliceImage ReconstructionJob::edge_slice(Axis axis, int index) const {
  return extract_slice(data_->grid, *edge_field(), axis, index);
}

std::vector<float> ReconstructionJob::projection() const {
  if (estimate().empty()) return std::vector<float>(projector_->range_size(), 0.0F);
  Array y(*backend_, projector_->range_size());
  projector_->forward(estimate(), y);
  return y.to_host();
}

}  // namespace gantry
