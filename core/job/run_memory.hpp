#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace gantry {

class NonzeroEstimates;
struct RunPlan;

/// The memory that a run will take, estimated before it starts.
struct MemoryEstimate {
  MemoryEstimate() = default;
  explicit MemoryEstimate(const RunPlan& plan);

  std::size_t needed_bytes = 0, free_bytes = 0;
  std::string backend_key, device;     ///< where the run will compute: "cuda", "NVIDIA H200"
  std::string because;                 ///< why there; empty without a choice
  std::string note;                    ///< how, if unusual: "... are streamed ..."
  std::optional<MemoryNeed> shortage;  ///< what does not fit, there or on a helping device
};
/// Returns the estimate by plan_run. For a run with several stages, that of the stage that does not
/// fit, or of the one that needs most.
MemoryEstimate estimate_memory(const RunSpec& run, const ScanGeometry& geometry,
                               const VolumeGrid& grid, const Catalog& catalog,
                               const BackendList& backends, bool exact_residual = false,
                               NonzeroEstimates* estimates = nullptr);

/// Throws OutOfMemory if there is a shortage.
void require_run_memory(const RunSpec& run, const std::optional<MemoryNeed>& shortage);
/// Throws OutOfMemory if none of the runs of an experiment fits, before their data are made. Other
/// errors of a run are reported when the run is started.
void require_run_memory(const Experiment& experiment, const ScanGeometry& geometry,
                        const VolumeGrid& grid, const Catalog& catalog,
                        const BackendList& backends);

}  // namespace gantry
