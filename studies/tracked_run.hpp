#pragma once

#include "core/operator/projector.hpp"
#include "studies/study_context.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A solver of the catalogue with parameters and stop rules, as a study runs it.
struct TrackedMethod {
  std::string name, solver;
  Params params = {};
  int iterations = 1;
  double level = 0;    ///< stops at this RMSE or below; 0: never
  double seconds = 0;  ///< stops after so much iterating; 0: never
  /// Stops when the function returns true for an iteration's image; empty: never.
  std::function<bool(int iteration, const std::vector<float>& image)> enough = {};
};

/// The error of the image after each iteration, and the times of a run.
struct TrackedRun {
  std::vector<double> rmse;     ///< after iteration 1, 2, ...
  std::vector<double> seconds;  ///< since the start, without set-up
  double setup_s = 0;           ///< norms, sums and bounds; not the matrix
  double build_s = 0;           ///< of a stored matrix
  std::vector<float> image;     ///< the last image; empty: none
  std::string problem;          ///< the reason why there is no image
  std::optional<int> reached;   ///< iterations until `level` or `enough` was met
};

/// Runs a method from an image of zeros. A refusal by the method and lack of memory become the
/// problem. A stored matrix is built before the clock starts.
TrackedRun track(const StudyContext& context, const Projector& A, const std::string& backend,
                 const std::vector<float>& data, const std::vector<float>& truth,
                 const TrackedMethod& method);

/// Returns A x on the host: exact data of the matrix itself.
std::vector<float> exact_data(const Projector& A, const std::vector<float>& image);

}  // namespace gantry
