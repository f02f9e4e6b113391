#pragma once

#include "core/solvers/carried_state.hpp"
#include "core/solvers/run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gantry {

/// How far a run is, with everything that it needs to continue as if it had not been interrupted.
struct RunProgress {
  std::size_t stage = 0;                 ///< the present stage, see truncated_to_stage
  std::vector<StopReason> lifted;        ///< rules that no longer apply in this stage
  int iterations = 0;                    ///< completed ones
  double seconds = 0;                    ///< spent computing
  double applications = 0;               ///< of A or A^T
  PartOfIteration part;                  ///< the completed part of the next iteration
  StopReason reason = StopReason::none;  ///< why it ended, if it has
  bool has_begun = false;                ///< false: `solver` holds only the start, or nothing: zero
  SolverState solver;                    ///< its first array is the estimate, [z][y][x], 1/mm
  std::uint64_t data = 0;                ///< the fingerprint of the data; 0: unknown
  /// How far the run on the coarser grid is that computes the image to start from; null where there
  /// is none, or the image is there.
  std::shared_ptr<RunProgress> coarse = nullptr;
};

/// Returns the progress with the estimate alone, from which the method begins anew.
inline RunProgress without_state(const RunProgress& progress) {
  return {.stage = progress.stage,
          .lifted = progress.lifted,
          .iterations = progress.iterations,
          .seconds = progress.seconds,
          .applications = progress.applications,
          .part = {},
          .reason = progress.reason,
          .has_begun = false,
          .solver = {{progress.solver.arrays.front()}, {}},
          .data = progress.data};
}

/// Calls `work` with each array of the solver's state, then with those of the run on the coarser
/// grid, and so on.
template <class Progress, class Work>
void for_each_array(Progress& progress, const Work& work) {
  for (auto& array : progress.solver.arrays) work(array);
  if (progress.coarse) for_each_array(*progress.coarse, work);
}

}  // namespace gantry
