#pragma once

#include "studies/cumbir/cumbir_context.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry::cumbir {

/// A method of the catalogue with its projector and prior, as the study runs it.
struct Method {
  std::string name, projector, solver;
  Params params = {};
  std::string prior = {};  ///< empty: none
  Params prior_params = {};
  int iterations = 10;
  bool weighted = true;            ///< takes statistical weights, if the solver does
  std::string format = {};         ///< of a stored matrix; empty: weights are computed
  int coarse_levels = 0;           ///< coarser grids from which it starts, see CoarseStart
  bool is_supervoxel_icd = false;  ///< the rival of print's comparison
  std::vector<int> shown = {};     ///< iterations after which the middle slice is kept

  /// Whether this is super-voxel ICD as it is published, without coarser grids.
  bool is_rival() const { return is_supervoxel_icd && coarse_levels == 0; }
};

/// The error of the image over time.
struct Run {
  std::vector<double> rmse;               ///< after iteration 1, 2, ..., 1/mm
  std::vector<double> seconds;            ///< since the start, set-up included, at these
  double setup_s = 0;                     ///< start image, coarser grids, norms and bounds
  double build_s = 0;                     ///< of a stored matrix, not in seconds
  std::string problem;                    ///< the reason why the run ended early; empty: none
  std::map<int, StudyImage> slices = {};  ///< after Method::shown; without key, title and window

  double best() const;
  /// Returns the time at which the error is at most `level` for the first time.
  std::optional<double> seconds_to(double level) const;
  std::optional<int> iterations_to(double level) const;
};

/// Runs a method on the device. A run ends after its iterations, after `longest_s` of iterating, at
/// its plateau (the least error has fallen by less than 0.5 % in 8 iterations), or when its error
/// has grown to four times its best. A refusal and lack of memory become the
/// problem.
Run run_method(const CumbirContext& context, const Scanned& scanned, const NoisyData& data,
               const Method& method, double longest_s);

/// Returns the curve of the error over time.
StudyCurve curve_of(const std::string& name, const Run& run);

}  // namespace gantry::cumbir
