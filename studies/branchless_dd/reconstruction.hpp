#pragma once

#include "studies/branchless_dd/workshop.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// A scan of an object with the truth on the voxels (which may be empty).
struct Scanned {
  Setting setting;
  std::vector<float> data, weights, truth;  ///< weights: empty for none
};

/// What is run: the solver's key, the parameters that it should have where it knows them, and how
/// often.
struct Recipe {
  std::string solver;
  Params params;
  int iterations = 1;
  std::vector<float> start = {};  ///< empty: zero
};

struct Reconstructed {
  std::vector<float> image;  ///< empty: there is none
  double seconds = 0;        ///< an iteration, with its share of the set-up
  std::string problem;       ///< why there is none
};

/// Whether this program has the method.
bool has_solver(const Workshop& workshop, const std::string& key, const Method& method);

/// Runs a solver to its last iteration. What the method refuses (an unmatched pair, say) and memory
/// that does not suffice become the problem.
Reconstructed reconstruct(const Workshop& workshop, const Method& method, const Scanned& scanned,
                          const Recipe& recipe);

}  // namespace gantry::branchless_dd
