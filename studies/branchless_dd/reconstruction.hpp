#pragma once

#include "studies/branchless_dd/branchless_context.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// The data of an object's scan, with the true voxels (which may be empty).
struct Scanned {
  Setting setting;
  std::vector<float> data, weights, truth;  ///< weights: empty without weights
};

/// A solver by its key, with parameters (those that the solver does not have are ignored) and the
/// number of iterations.
struct Recipe {
  std::string solver;
  Params params;
  int iterations = 1;
  std::vector<float> start = {};  ///< empty: start from zero
  /// Whether a solver that needs an exact pair also runs with a pair that is not.
  bool insists_on_pair = false;
};

struct Reconstructed {
  std::vector<float> image;  ///< empty: no image
  double seconds = 0;        ///< of an iteration, with its part of the set-up
  std::string problem;       ///< the reason why there is no image
};

/// Returns whether the program has the solver on the method's backend.
bool has_solver(const BranchlessContext& context, const std::string& key, const Method& method);

/// Runs a solver to its last iteration. A refusal by the solver and
/// lack of memory become the problem.
Reconstructed reconstruct(const BranchlessContext& context, const Method& method,
                          const Scanned& scanned, const Recipe& recipe);

}  // namespace gantry::branchless_dd
