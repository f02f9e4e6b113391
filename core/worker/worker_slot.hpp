#pragma once

#include "core/base/clock.hpp"
#include "core/worker/job_worker.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Copies from a device are long beside its iterations, and watching must cost little.
constexpr KeptIterates::Budget iterates_budget(bool is_on_cpu) {
  return {.bytes = std::size_t{512} << 20,
          .count = 400,
          .seconds = is_on_cpu ? 0.08 : 0.02,
          .share = is_on_cpu ? 0.01 : 0.005};
}

/// A run that was started.
struct JobWorker::Slot {
  RunId id;
  RunState state = RunState::paused;
  Until until = Until::end;
  std::unique_ptr<ReconstructionJob> job;
  ViewRequest view;
  std::shared_ptr<const std::vector<float>> projection;
  bool projection_is_old = true;
  double projection_cost_s = 0, snapshot_cost_s = 0;
  Clock::time_point last_projection, last_snapshot;
  KeptIterates kept{iterates_budget(true)};
  /// Kept iterations, ascending, whose metrics refer to a former reference. `present_to_measure`:
  /// so do those of the present estimate, until it is measured again or the run computes on.
  std::vector<int> to_measure;
  bool present_to_measure = false;
  std::vector<int> progress_tickets;  // open requests for the progress of this run
};

}  // namespace gantry
