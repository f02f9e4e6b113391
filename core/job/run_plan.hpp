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

/// A part of the memory that a run takes on its backend.
struct MemoryPart {
  std::string name;       ///< "images of the method"
  int count = 0;          ///< vectors; 0: not counted
  std::size_t bytes = 0;  ///< of all of them
};

/// The backend of a run, and its method and operator there.
struct RunPlan {
  std::string backend_key;     ///< "cuda"
  Backend* backend = nullptr;  ///< never null in what plan_run returns
  /// The reason for this backend, in one line; empty if the user named the backend.
  std::string because;
  std::string note;  ///< LinearOperator::note() of the operator
  std::unique_ptr<Solver> solver;
  std::unique_ptr<Projector> projector;
  MadePenalty penalty;                           ///< empty if the solver uses no prior
  std::size_t needed_bytes = 0, free_bytes = 0;  ///< of the backend
  std::vector<MemoryPart> parts;                 ///< of needed_bytes
  /// Memory of helping devices, and of the host if a device holds the vectors: one image, for
  /// metrics or saving.
  std::vector<MemoryNeed> others;

  /// Returns the memory that does not fit, the backend first; none if everything fits.
  std::optional<MemoryNeed> shortage() const;
};

/// A backend that ran out of memory although the plan of a run fitted.
struct FailedBackend {
  std::string backend_key;
  std::string because;  ///< "NVIDIA H200 ran out of memory (...)"
};

/// Chooses the backend of a run; no other code does. "auto" takes the first backend other than the
/// CPU that has the run's projector and method and memory for both, which may be a backend that
/// streams the run through devices too small for it; else the CPU. Throws UsageError for settings
/// that cannot work; a lack of memory is reported by shortage() instead. `exact_residual`: metrics
/// compute A x of every iterate, which takes memory. `estimates`: a cache of the sizes of stored
/// matrices. `failed`: backends that "auto" must not try again.
RunPlan plan_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends,
                 bool exact_residual = false, NonzeroEstimates* estimates = nullptr,
                 const std::vector<FailedBackend>& failed = {});

/// Returns the plan that plan_run would return, for forms that show memory and device. Where the
/// descriptions of the algorithms state the memory, nothing is made on a GPU, whose stream may be
/// computing: projector and penalty are then missing.
RunPlan estimate_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                     const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends,
                     bool exact_residual = false, NonzeroEstimates* estimates = nullptr);

/// The memory that a run will take, estimated before it starts.
struct MemoryEstimate {
  MemoryEstimate() = default;
  explicit MemoryEstimate(const RunPlan& plan);

  std::size_t needed_bytes = 0, free_bytes = 0;
  std::vector<MemoryPart> parts;       ///< of needed_bytes
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

/// Returns the stopping rules of a run.
StopRules stop_rules(const RunSpec& run, int iterations, double noise_norm);

}  // namespace gantry
