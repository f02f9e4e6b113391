#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/made_penalty.hpp"
#include "core/job/experiment.hpp"
#include "core/matrix/nonzero_estimates.hpp"
#include "core/solvers/run.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Where a run computes, and with what: its method and operator on one backend.
struct RunPlan {
  std::string backend_key;     ///< "cuda"
  Backend* backend = nullptr;  ///< never null
  /// Why there, one line; empty where there was nothing to choose.
  std::string because;
  std::unique_ptr<Solver> solver;
  std::unique_ptr<Projector> projector;
  MadePenalty penalty;                           ///< none if the solver takes no prior
  std::size_t needed_bytes = 0, free_bytes = 0;  ///< of the backend
  /// Of devices that help, and of the host where a device holds the vectors: an image that metrics
  /// are taken of, or that is saved.
  std::vector<MemoryShare> others;

  /// What does not fit, the backend first; none where all does.
  std::optional<MemoryShare> shortage() const;
};

/// A backend that a run was planned for and that then had less memory than it had said.
struct FailedBackend {
  std::string backend_key;
  std::string because;  ///< "NVIDIA H200 ran out of memory (...)"
};

/// The one place where a run gets its backend. "auto": the first backend beside the CPU that has
/// the run's projector and method and memory for both, which may be one that streams a run through
/// devices too small for it; else the CPU. Throws UsageError for choices that
/// cannot work; whether the memory suffices is the caller's to judge (shortage). `exact_residual`:
/// the metrics take A x of every iterate, which needs room. `estimates`: where those of stored
/// matrices are looked up and kept. `failed`: what "auto" does not try again.
RunPlan plan_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends,
                 bool exact_residual = false, NonzeroEstimates* estimates = nullptr,
                 const std::vector<FailedBackend>& failed = {});

/// When a run stops, of what its spec says.
StopRules stop_rules(const RunSpec& run, int iterations, double noise_norm);

}  // namespace gantry
