#include "core/job/run_memory.hpp"

#include "core/base/error.hpp"
#include "core/job/run_plan.hpp"

#include <memory>
#include <utility>

namespace gantry {

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
