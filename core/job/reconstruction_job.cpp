#include "core/job/reconstruction_job.hpp"

#include "core/base/error.hpp"
#include "core/job/measurement.hpp"
#include "core/job/run_plan.hpp"
#include "core/physics/statistical_weights.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

namespace gantry {

namespace {

/// Weights are not silently left out.
void require_weights(const RunSpec& run, const Solver& solver, const ExperimentData& data,
                     const Catalog& catalog) {
  if (run.weights == RayWeights::none) return;
  if (!solver.uses_weights()) {
    std::string others;
    for (const auto* entry : catalog.solvers.distinct())
      if (entry->make(resolve_params({}, entry->params, entry->key))->uses_weights())
        others += (others.empty() ? "" : ", ") + entry->key;
    throw UsageError("the solver " + run.solver + " does not weight rays", "weights",
                     "use none, or a solver that does: " + others);
  }
  if (data.counting.photons_per_ray <= 0)
    throw UsageError("how many photons were counted is not known", "weights",
                     "simulate noise, open a scan of counts, or use none");
}

}  // namespace

MemoryEstimate estimate_memory(const RunSpec& run, const ScanGeometry& geometry,
                               const VolumeGrid& grid, const Catalog& catalog,
                               const BackendList& backends, bool exact_residual,
                               NonzeroEstimates* estimates) {
  return MemoryEstimate(plan_run(run, std::make_shared<ScanGeometry>(geometry), grid, catalog,
                                 backends, exact_residual, estimates));
}

MemoryEstimate::MemoryEstimate(const RunPlan& plan)
    : needed_bytes(plan.needed_bytes),
      free_bytes(plan.free_bytes),
      backend_key(plan.backend_key),
      device(plan.backend->name()),
      because(plan.because),
      note(plan.projector->note()),
      shortage(plan.shortage()) {}

void require_room(const RunSpec& run, const std::optional<MemoryShare>& shortage) {
  if (!shortage) return;
  throw OutOfMemory(run.format.empty() ? "this run" : "this run with its stored matrix",
                    shortage->needed_bytes, shortage->free_bytes);
}

void require_room(const Experiment& experiment, const ScanGeometry& geometry,
                  const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends) {
  std::optional<OutOfMemory> refusal;
  for (const RunSpec& run : experiment.runs) {
    try {
      require_room(run, estimate_memory(run, geometry, grid, catalog, backends,
                                        experiment.metrics.exact_residual)
                            .shortage);
      return;
    } catch (const OutOfMemory& error) {
      refusal = error;
    } catch (const Error&) {
      return;
    }
  }
  if (refusal) throw *refusal;
}

std::string run_label(const RunSpec& run, const Catalog& catalog) {
  if (!run.name.empty()) return run.name;
  const auto& entry = catalog.solvers.at(run.solver);
  std::string label = entry.label;
  const Params resolved = resolve_params(run.solver_params, entry.params, entry.key);
  for (const ParamSpec& spec : entry.params)
    if (spec.in_names)
      label += ", " + *spec.in_names + format_param(resolved.values().at(spec.key));
  if (!run.format.empty()) label += ", " + catalog.matrix_formats.at(run.format).label;
  return label;
}

std::string run_description(const RunSpec& run, const Catalog& catalog, int iterations) {
  const auto& solver = catalog.solvers.at(run.solver);
  std::string text = solver.label + ", " + std::to_string(iterations) +
                     (iterations == 1 ? " iteration" : " iterations");
  const Params resolved = resolve_params(run.solver_params, solver.params, solver.key);
  for (const auto& [key, value] : resolved.values()) text += ", " + key + " " + format_param(value);
  if (run.weights == RayWeights::statistical) text += ", statistical weights";
  text += ", projector " + catalog.projectors.at(run.projector).label;
  if (!run.format.empty()) text += " as " + catalog.matrix_formats.at(run.format).label + " matrix";
  return text;
}

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
  RunPlan plan =
      plan_run(run_, data_->geometry, data_->grid, catalog_, backends, metrics_.exact_residual);
  require_weights(run_, *plan.solver, *data_, catalog_);
  require_possible(stop_rules(run_, run_.iterations, data_->noise_norm));
  adopt(std::move(plan));
}

/// Throws OutOfMemory where the plan does not fit.
void ReconstructionJob::adopt(RunPlan plan) {
  require_room(run_, plan.shortage());
  backend_ = plan.backend;
  memory_ = MemoryEstimate(plan);
  solver_ = std::move(plan.solver);
  projector_ = std::move(plan.projector);
  projector_->set_interrupt(interrupt_);
}

/// False where there is nowhere else: the run was asked for on this backend, or has steps behind it
/// that would be lost.
bool ReconstructionJob::begin_elsewhere(const OutOfMemory& error) {
  const bool has_steps = loop_ && (loop_->iterations() > 0 || loop_->steps_into_iteration() > 0);
  const bool start_is_gone = before_.iteration > 0 && start_.empty();
  const bool was_chosen =
      run_.backend == "auto" && std::ranges::none_of(failed_, [&](const auto& f) {
        return f.backend_key == memory_.backend_key;
      });
  if (!was_chosen || memory_.backend_key == "cpu" || has_steps || start_is_gone) return false;
  failed_.push_back(
      {memory_.backend_key, memory_.device + " ran out of memory (" + error.what() + ")"});
  const std::vector<float> start = start_.empty() ? std::vector<float>{} : start_.to_host();
  loop_.reset();
  for (Array* array : {&b_, &weights_, &start_}) *array = Array();
  solver_.reset();
  projector_.reset();
  adopt(plan_run(run_, data_->geometry, data_->grid, catalog_, backends_, metrics_.exact_residual,
                 nullptr, failed_));
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
  before_.seconds = earlier.seconds();  // those of an iteration that was under way too
  before_.applications = earlier.applications();
}

Problem ReconstructionJob::problem() {
  if (run_.weights == RayWeights::statistical && weights_.empty()) {
    std::vector<float> weights(data_->line_integrals.size());
    statistical_weights(data_->line_integrals, data_->counting.photons_per_ray,
                        data_->counting.electronic_sigma, weights);
    weights_ = Array::from(*backend_, weights);
  }
  return {projector_.get(), &b_, start_.empty() ? nullptr : &start_,
          weights_.empty() ? nullptr : &weights_};
}

void ReconstructionJob::set_up() {
  if (b_.empty()) b_ = Array::from(*backend_, data_->line_integrals);
  const int iterations = std::max(1, run_.iterations - before_.iteration);
  loop_.emplace(*solver_, problem(), stop_rules(run_, iterations, data_->noise_norm));
  start_ = Array();
}

std::optional<HistoryEntry> ReconstructionJob::advance() {
  std::optional<IterationReport> report;
  for (bool done = false; !done;) {
    try {
      if (!loop_) set_up();
      report = loop_->advance();
      done = true;
    } catch (const OutOfMemory& error) {
      if (!begin_elsewhere(error)) throw;
    }
  }
  if (!report) return std::nullopt;
  HistoryEntry entry;
  entry.report = *report;
  entry.report.iteration += before_.iteration;
  entry.report.seconds += before_.seconds;
  entry.report.applications += before_.applications;
  measure(entry);
  last_ = entry;
  return entry;
}

void ReconstructionJob::measure(HistoryEntry& entry) {
  entry.exact_residual = entry.report.exact_residual_norm;
  // Else not part of the method: neither its time nor its products are counted.
  if (metrics_.exact_residual && !std::isfinite(entry.exact_residual) &&
      loop_->reason() != StopReason::diverged) {
    try {
      Array r(*backend_, projector_->range_size());
      projector_->forward(solver_->solution(), r);
      entry.exact_residual = std::sqrt(backend_->residual(b_, r, nullptr));
    } catch (const Interrupted&) {
      // Somebody is waiting: this iteration goes without the value rather than being lost.
    }
  }
  const bool is_wanted = reference_ != nullptr || metrics_.places != MeasuredPlaces{};
  if (!is_wanted) return;
  entry.is_measured = measuring_is_due();
  if (!entry.is_measured) return;
  measure_all(entry);
  measuring_s_ += last_measuring_s_;
}

bool ReconstructionJob::measuring_is_due() const {
  const bool is_free = !budget_ || backend_->kind() == BackendKind::cpu;
  if (is_free || finished()) return true;
  // Before the first time: what the processor needs at least.
  constexpr double least_s_per_voxel = 5e-9;
  const double expected_s = last_measuring_s_ > 0
                                ? last_measuring_s_
                                : least_s_per_voxel * static_cast<double>(data_->grid.voxels());
  return measuring_s_ + expected_s <= budget_->seconds + budget_->share * loop_->seconds();
}

void ReconstructionJob::measure_all(HistoryEntry& entry) {
  const auto start = std::chrono::steady_clock::now();
  measure_image(entry, reference_ != nullptr ? std::span<const float>(reference_->mu)
                                             : std::span<const float>());
  last_measuring_s_ =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  entry.is_measured = true;
}

/// Whether the estimate is the one that the last entry tells of.
bool ReconstructionJob::is_at_last() const {
  return loop_ && loop_->iterations() > 0 && loop_->steps_into_iteration() == 0;
}

std::optional<HistoryEntry> ReconstructionJob::measure_last() {
  if (!is_at_last() || last_.is_measured) return std::nullopt;
  measure_all(last_);
  return last_;
}

/// Metrics of the estimate as it is now.
void ReconstructionJob::measure_image(HistoryEntry& entry, std::span<const float> reference) const {
  if (reference.empty() && metrics_.places == MeasuredPlaces{}) return;
  // Read where it lies; only another device's memory has to be brought here.
  const Array& x = solver_->solution();
  const bool is_here = backend_->kind() == BackendKind::cpu;
  const std::vector<float> brought = is_here ? std::vector<float>{} : x.to_host();
  const ImagePair pair{data_->grid,
                       is_here ? x.host() : brought,
                       reference,
                       reference.empty() ? std::span<const std::uint8_t>() : data_->mask.voxels(),
                       reference_ != nullptr ? reference_->range : 0,
                       &metrics_.places};
  for (const MeasuredMetric& metric : gantry::measure(catalog_, pair)) {
    entry.metrics[metric.key] = metric.value.value;
    if (!metric.value.problem.empty()) entry.problems[metric.key] = metric.value.problem;
  }
}

std::optional<HistoryEntry> ReconstructionJob::set_places(const MeasuredPlaces& places) {
  metrics_.places = places;
  if (!is_at_last()) return std::nullopt;
  for (const auto& metric : catalog_.metrics.entries())
    if (metric.make({})->needs() != MetricNeeds::reference) {
      last_.metrics.erase(metric.key);
      last_.problems.erase(metric.key);
    }
  measure_image(last_, {});
  return last_;
}

std::vector<std::string> ReconstructionJob::notes() const {
  std::vector<std::string> notes;
  if (!failed_.empty()) notes.push_back("computed on " + device() + ": " + failed_.back().because);
  if (projector_->note() != memory_.note) notes.push_back(projector_->note());
  if (loop_) std::ranges::move(solver_->notes(), std::back_inserter(notes));
  return notes;
}

void ReconstructionJob::extend(int more_iterations) {
  run_.iterations = iterations() + more_iterations;
  if (loop_) loop_->extend(more_iterations);
}

SliceImage ReconstructionJob::slice(Axis axis, int index) const {
  if (loop_ || !start_.empty())
    return extract_slice(data_->grid, loop_ ? solver_->solution() : start_, axis, index);
  SliceImage empty = slice_frame(data_->grid, axis, index);
  empty.values.assign(
      static_cast<std::size_t>(empty.width) * static_cast<std::size_t>(empty.height), 0.0F);
  return empty;
}

std::vector<float> ReconstructionJob::solution() const {
  if (loop_) return solver_->solution().to_host();
  return start_.empty() ? std::vector<float>(data_->grid.voxels(), 0.0F) : start_.to_host();
}

std::vector<float> ReconstructionJob::projection() const {
  if (!loop_) return std::vector<float>(projector_->range_size(), 0.0F);
  Array y(*backend_, projector_->range_size());
  projector_->forward(solver_->solution(), y);
  return y.to_host();
}

}  // namespace gantry
