#pragma once

#include "core/operator/projector.hpp"
#include "studies/study_workshop.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A method of the catalogue as a study runs it.
struct TrackedMethod {
  std::string name, solver;
  Params params = {};
  int iterations = 1;
  double level = 0;    ///< ends when the RMSE is no higher; 0: never
  double seconds = 0;  ///< ends when iterating has taken so long; 0: never
  /// Ends when it says so of an iteration's image; empty: never.
  std::function<bool(int iteration, const std::vector<float>& image)> enough = {};
};

/// The error of an image after each iteration, and what that took.
struct TrackedRun {
  std::vector<double> rmse;     ///< after 1, 2, ...
  std::vector<double> seconds;  ///< since the start, set-up left out
  double setup_s = 0;           ///< norms, sums and bounds; not the matrix
  double build_s = 0;           ///< of a stored matrix
  std::vector<float> image;     ///< the last; empty: there is none
  std::string problem;          ///< why there is none
  std::optional<int> reached;   ///< iterations to the level, or to what was enough
};

/// From an empty image. What the method refuses and memory that does not suffice become the
/// problem. A stored matrix is built before the clock starts.
TrackedRun track(const StudyWorkshop& workshop, const Projector& A, const std::string& backend,
                 const std::vector<float>& data, const std::vector<float>& truth,
                 const TrackedMethod& method);

/// A x, downloaded: exact data of the matrix itself.
std::vector<float> exact_data(const Projector& A, const std::vector<float>& image);

}  // namespace gantry
