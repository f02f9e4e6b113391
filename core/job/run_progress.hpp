#pragma once

#include "core/solvers/carried_state.hpp"
#include "core/solvers/run.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// How far a run is, with all that it needs to go on as if it had never been left.
struct RunProgress {
  std::size_t stage = 0;                 ///< as_of_stage: the settings that are in force
  std::vector<StopReason> lifted;        ///< rules that are no longer in force in this stage
  int iterations = 0;                    ///< whole ones
  double seconds = 0;                    ///< spent computing
  double applications = 0;               ///< of A or A^T
  PartOfIteration part;                  ///< what is done of the next iteration
  StopReason reason = StopReason::none;  ///< why it ended, where it has
  bool has_begun = false;  ///< else `solver` holds what it starts from, or nothing: then from zero
  SolverState solver;      ///< its first array is the estimate, [z][y][x], 1/mm
  std::uint64_t data = 0;  ///< the fingerprint of the data; 0: not known
};

}  // namespace gantry
