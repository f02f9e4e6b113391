#include "core/job/run_plan.hpp"

#include "core/base/error.hpp"
#include "core/catalog/projector_choice.hpp"
#include "core/job/run_prior.hpp"
#include "core/operator/host_rows.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

/// Whether a method can use a projector.
bool suits(const SolverTraits& solver, const ProjectorTraits& projector) {
  return (projector.is_exact_pair || !solver.needs_exact_pair) &&
         (projector.has_rows || !solver.needs_rows) &&
         (projector.has_columns || !solver.needs_columns) &&
         (projector.has_single_weights || !solver.needs_row_norms);
}

/// Throws UsageError if the method cannot use the projector; the message names suitable projectors
/// for this scan: "distance_driven, siddon".
void require_suitable(const RunSpec& run, const RunPlan& plan, const ScanGeometry& geometry,
                      const Catalog& catalog) {
  const SolverTraits& solver = plan.solver->traits();
  const ProjectorTraits& projector =
      catalog.projectors.at(run.projector).traits_on(plan.backend_key);
  if (suits(solver, projector)) return;
  const std::string keys =
      projectors_that(catalog, plan.backend_key, geometry,
                      [&](const ProjectorTraits& other) { return suits(solver, other); });
  const bool pair = solver.needs_exact_pair && !projector.is_exact_pair;
  throw UsageError(
      run.solver + " needs a projector " +
          (pair ? "whose backprojection is its exact transpose" : "that gives its single weights") +
          "; " + run.projector + " is not one",
      "projector", keys.empty() ? "use backend cpu" : "use one of " + keys);
}

/// Throws UsageError for free poses that the projector does not take; the message names those that
/// do and that suit the method.
void require_takes_poses(const RunSpec& run, const std::string& backend_key,
                         const ScanGeometry& geometry, const SolverTraits& solver,
                         const Catalog& catalog) {
  const auto& projector = catalog.projectors.at(run.projector, backend_key);
  if (geometry.rotates() || projector.traits_on(backend_key).scans.free_poses) return;
  const std::string keys =
      projectors_that(catalog, backend_key, geometry,
                      [&](const ProjectorTraits& other) { return suits(solver, other); });
  throw UsageError(run.projector + " takes scans that rotate about the axis, not free poses",
                   "projector",
                   keys.empty() ? "use backend cpu" : "use one of " + keys + " for " + run.solver);
}

/// The parameters of plan_run, without the devices.
struct PlanQuery {
  const RunSpec& run;
  const std::shared_ptr<const ScanGeometry>& geometry;
  const VolumeGrid& grid;
  const Catalog& catalog;
  const BackendList& backends;
  bool exact_residual;
  NonzeroEstimates* estimates;
  const std::vector<FailedBackend>& failed;
  bool makes_all = true;  ///< whether the plan needs the objects, see estimate_run
};

bool has_edges(const PlanQuery& q) {
  const std::string prior = prior_of(q.run, q.catalog);
  return !prior.empty() && q.catalog.priors.at(prior).traits.has_edges;
}

/// Returns what the run needs on the backend `key` with an operator of this memory.
std::vector<MemoryPart> memory_parts(const PlanQuery& q, const std::string& key,
                                     const Solver& solver, const OperatorMemory& A) {
  const RunSpec& run = q.run;
  const SolverMemory memory = solver.memory(A);
  std::vector<MemoryPart> parts;
  const auto add = [&](const char* name, int count, std::size_t values) {
    if (count > 0)
      parts.push_back({name, count, static_cast<std::size_t>(count) * values * sizeof(float)});
  };
  add("images of the method, with the estimate", memory.images, A.domain_size);
  add("edge field of the prior", has_edges(q) ? 1 : 0, A.domain_size);
  add("measured rays b", 1, A.range_size());
  add("ray vectors of the method", memory.ray_vectors, A.range_size());
  const bool takes_residual =
      q.exact_residual || stop_rules(run, 1, 0).ask_for_residual() ||
      (run.relative_objective > 0 && solver.traits().objective_takes_residual);
  add("A x, for the residual", takes_residual ? 1 : 0, A.range_size());
  add("weights of the rays, and weighted rays", run.weights != RayWeights::none ? 2 : 0,
      A.range_size());
  const std::size_t workspace_bytes = memory.workspace_bytes.value_or(A.product_bytes);
  parts.push_back({run.format.empty() ? "tables and scratch of the products"
                                      : "stored weights, tables and scratch of the products",
                   0,
                   takes_residual ? std::max(A.product_bytes, workspace_bytes) : workspace_bytes});
  if (solver.traits().needs_rows && q.backends.entry(key).kind() == BackendKind::cpu)
    parts.push_back({"weights of rays, computed in advance", 0, host_rows_bytes(q.grid)});
  return parts;
}

std::size_t sum_of(const std::vector<MemoryPart>& parts) {
  std::size_t sum = 0;
  for (const MemoryPart& part : parts) sum += part.bytes;
  return sum;
}

/// Returns the memory of the run's operator on a backend, from the description of the projector.
/// None where the memory depends on nonzeros or on several devices, and for scans that the
/// projector refuses. Throws UsageError if the projector does not run there.
std::optional<OperatorMemory> described_memory(const PlanQuery& q,
                                               const BackendList::Entry& device) {
  const ProjectorTraits& traits =
      q.catalog.projectors.at(q.run.projector, device.key).traits_on(device.key);
  if (!q.run.format.empty() || traits.memory == nullptr || !traits.scans.include(*q.geometry))
    return std::nullopt;
  return operator_memory(q.grid.voxels(), q.geometry->cells(), q.geometry->views(),
                         traits.memory(*q.geometry, q.grid, device.multiprocessors));
}

std::string lacks_memory(const std::string& device, std::size_t needed, std::size_t free) {
  return device + " has " + format_bytes(free) + " free of the " + format_bytes(needed) +
         " that it needs";
}

NonzeroEstimate nonzeros_of(const PlanQuery& q, const Projector& weights) {
  if (q.estimates == nullptr) return estimate_nonzeros(weights);
  return q.estimates->of(weights, q.run.projector, q.run.projector_params);
}

/// Returns the memory of the host for a run whose vectors lie on a device: one image that is copied
/// to the host.
std::vector<MemoryNeed> host_share(const PlanQuery& q, const Backend& backend) {
  if (backend.kind() == BackendKind::cpu) return {};
  for (const BackendList::Entry& entry : q.backends.entries())
    if (entry.key == host_key && entry.available())
      return {{entry.name, q.grid.voxels() * sizeof(float), entry.backend->require().free_bytes()}};
  return {};
}

void make_operator(const PlanQuery& q, RunPlan& plan) {
  const std::string& key = plan.backend_key;
  plan.projector = q.catalog.projectors.make(q.run.projector, key, *plan.backend, q.geometry,
                                             q.grid, q.run.projector_params);
  if (!q.run.format.empty()) {
    require_matrix(q.catalog, q.run.projector, key, *q.geometry);
    plan.projector = std::make_unique<StoredMatrix>(
        std::move(plan.projector),
        q.catalog.matrix_formats.make(q.run.format, key, q.run.format_params),
        [&q](const Projector& weights) { return nonzeros_of(q, weights); });
  }
  plan.note = plan.projector->note();
}

/// Throws what make_operator and make_penalty throw for settings and grids, without making objects.
void check_settings(const PlanQuery& q, const std::string& key) {
  const auto& entry = q.catalog.projectors.at(q.run.projector);
  resolve_params(q.run.projector_params, entry.params_on(key), entry.key);
  require_source_outside(*q.geometry, q.grid);
  const std::string prior = prior_of(q.run, q.catalog);
  if (prior.empty()) return;
  resolve_params(q.run.prior_params, q.catalog.priors.at(prior, key).params_on(key), prior);
}

/// `described`: the memory of the operator, if that is known already.
RunPlan plan_on(const PlanQuery& q, const BackendList::Entry& device, Backend& backend,
                const std::optional<OperatorMemory>& described) {
  RunPlan plan;
  plan.backend_key = device.key;
  plan.backend = &backend;
  plan.free_bytes = backend.free_bytes();  // before the run's objects take some of it
  plan.solver = q.catalog.solvers.make(q.run.solver, device.key, q.run.solver_params);
  require_suitable_prior(q.run, q.catalog);
  require_takes_poses(q.run, device.key, *q.geometry, plan.solver->traits(), q.catalog);
  // To make the operator would put work on the stream of a GPU.
  const bool makes = q.makes_all || !described || backend.kind() != BackendKind::cuda;
  if (makes)
    make_operator(q, plan);
  else
    check_settings(q, device.key);
  require_suitable(q.run, plan, *q.geometry, q.catalog);
  if (makes) {
    plan.penalty = make_penalty(q.catalog, prior_of(q.run, q.catalog), plan.backend_key, backend,
                                q.grid, q.run.prior_params);
    plan.others = plan.projector->helpers();
  }
  plan.parts =
      memory_parts(q, device.key, *plan.solver, makes ? memory_of(*plan.projector) : *described);
  plan.needed_bytes = sum_of(plan.parts);
  for (MemoryNeed& share : host_share(q, backend)) plan.others.push_back(std::move(share));
  return plan;
}

/// Returns the memory that the run needs with an operator of this memory; 0 if that is not known.
std::size_t described_bytes(const PlanQuery& q, const std::string& key,
                            const std::optional<OperatorMemory>& described) {
  if (!described) return 0;
  const auto solver = q.catalog.solvers.make(q.run.solver, key, q.run.solver_params);
  return sum_of(memory_parts(q, key, *solver, *described));
}

/// Returns a plan for this device; if the run cannot compute there, `backend` is null and `because`
/// holds the reason.
RunPlan try_on(const PlanQuery& q, const BackendList::Entry& device) {
  RunPlan plan;
  const auto failed = std::ranges::find(q.failed, device.key, &FailedBackend::backend_key);
  if (failed != q.failed.end()) {
    plan.because = failed->because;
  } else if (device.backend->lost()) {
    plan.because = device.name + " failed with an error; restart the program to use it again";
  } else if (!q.catalog.projectors.has(q.run.projector, device.key)) {
    plan.because = device.name + " does not run the projector " + q.run.projector;
  } else if (!q.catalog.solvers.has(q.run.solver, device.key)) {
    plan.because = device.name + " does not run the solver " + q.run.solver;
  } else if (const std::string prior = prior_of(q.run, q.catalog);
             !prior.empty() && !q.catalog.priors.has(prior, device.key)) {
    plan.because = device.name + " does not run the prior " + prior;
  } else if (!q.run.format.empty() && !q.catalog.matrix_formats.has(q.run.format, device.key)) {
    plan.because = device.name + " does not run the matrix format " + q.run.format;
  } else if (Backend* backend = device.backend->get(); backend == nullptr) {
    plan.because = device.name + " is not available: " + device.backend->unavailable_because();
  } else {
    try {
      const std::optional<OperatorMemory> described = described_memory(q, device);
      if (const std::size_t needed = described_bytes(q, device.key, described);
          needed > backend->free_bytes()) {
        plan.because = lacks_memory(device.name, needed, backend->free_bytes());
        return plan;
      }
      plan = plan_on(q, device, *backend, described);
      const auto shortage = plan.shortage();
      if (!shortage) {
        plan.because = plan.note;
        if (plan.because.empty()) plan.because = "the run fits on it";
        return plan;
      }
      const std::string& where =
          plan.needed_bytes > plan.free_bytes ? device.name : shortage->device;
      plan.because = lacks_memory(where, shortage->needed_bytes, shortage->free_bytes);
    } catch (const Error& error) {
      plan.because = device.name + " cannot run it: " + error.what();
    }
  }
  plan.backend = nullptr;
  return plan;
}

RunPlan make_plan(const PlanQuery& q) {
  std::string why_not;
  if (q.run.backend == "auto")
    for (const BackendList::Entry& device : q.backends.entries()) {
      // Devices, and the host where its products stream through them.
      if (!device.available() || device.key == host_key) continue;
      RunPlan plan = try_on(q, device);
      if (plan.backend != nullptr) {
        // The first device that was tried cannot run it: the reason says why.
        if (!why_not.empty()) plan.because = why_not + "; " + plan.because;
        return plan;
      }
      if (why_not.empty()) why_not = plan.because;
    }
  Backend& backend = q.backends.resolve(q.run.backend);
  const BackendList::Entry& device = q.backends.entry(q.run.backend);
  RunPlan plan = plan_on(q, device, backend, described_memory(q, device));
  plan.because = why_not.empty() ? plan.note : why_not;
  return plan;
}

}  // namespace

StopRules stop_rules(const RunSpec& run, int iterations, double noise_norm) {
  return {.iterations = iterations,
          .relative_update = run.relative_update,
          .relative_residual = run.relative_residual,
          .relative_objective = run.relative_objective,
          .discrepancy = run.discrepancy,
          .noise_norm = noise_norm};
}

std::optional<MemoryNeed> RunPlan::shortage() const {
  if (needed_bytes > free_bytes) return MemoryNeed{backend->name(), needed_bytes, free_bytes};
  for (const MemoryNeed& share : others)
    if (!share.fits()) return share;
  return std::nullopt;
}

RunPlan plan_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends,
                 bool exact_residual, NonzeroEstimates* estimates,
                 const std::vector<FailedBackend>& failed) {
  return make_plan({run, geometry, grid, catalog, backends, exact_residual, estimates, failed});
}

RunPlan estimate_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                     const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends,
                     bool exact_residual, NonzeroEstimates* estimates) {
  return make_plan({run, geometry, grid, catalog, backends, exact_residual, estimates, {}, false});
}

MemoryEstimate estimate_memory(const RunSpec& run, const ScanGeometry& geometry,
                               const VolumeGrid& grid, const Catalog& catalog,
                               const BackendList& backends, bool exact_residual,
                               NonzeroEstimates* estimates) {
  const auto shared_geometry = std::make_shared<ScanGeometry>(geometry);
  std::optional<MemoryEstimate> greatest;
  for (std::size_t stage = 0; stage <= run.stages.size(); ++stage) {
    MemoryEstimate estimate(estimate_run(truncated_to_stage(run, stage), shared_geometry, grid,
                                         catalog, backends, exact_residual, estimates));
    if (!greatest || (estimate.shortage && !greatest->shortage) ||
        (estimate.shortage.has_value() == greatest->shortage.has_value() &&
         estimate.needed_bytes > greatest->needed_bytes))
      greatest = std::move(estimate);
  }
  return *std::move(greatest);
}

MemoryEstimate::MemoryEstimate(const RunPlan& plan)
    : needed_bytes(plan.needed_bytes),
      free_bytes(plan.free_bytes),
      parts(plan.parts),
      backend_key(plan.backend_key),
      device(plan.backend->name()),
      because(plan.because),
      note(plan.note),
      shortage(plan.shortage()) {}

void require_run_memory(const RunSpec& run, const std::optional<MemoryNeed>& shortage) {
  if (!shortage) return;
  throw OutOfMemory(run.format.empty() ? "this run" : "this run with its stored matrix",
                    shortage->needed_bytes, shortage->free_bytes);
}

void require_run_memory(const Experiment& experiment, const ScanGeometry& geometry,
                        const VolumeGrid& grid, const Catalog& catalog,
                        const BackendList& backends) {
  std::optional<OutOfMemory> refusal;
  for (const RunSpec& run : experiment.runs) {
    try {
      require_run_memory(run, estimate_memory(run, geometry, grid, catalog, backends,
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

}  // namespace gantry
