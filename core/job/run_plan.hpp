#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog.hpp"
#include "core/job/experiment.hpp"
#include "core/solvers/run.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace gantry {

/// Where a run computes, and with what: its method and operator on one backend.
struct RunPlan {
  std::string backend_key;     ///< "cuda"
  Backend* backend = nullptr;  ///< never null
  /// Why there, one line; empty where there was nothing to choose.
  std::string because;
  std::unique_ptr<Solver> solver;
  std::unique_ptr<Projector> projector;
  std::size_t needed_bytes = 0, free_bytes = 0;
};

/// The one place where a run gets its backend. "auto": the first device beside the CPU that has the
/// run's projector and method and memory for both, else the CPU. Throws UsageError for choices that
/// cannot work; whether the memory suffices is the caller's to judge.
RunPlan plan_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends);

/// When a run stops, of what its spec says.
StopRules stop_rules(const RunSpec& run, int iterations, double noise_norm);

}  // namespace gantry
