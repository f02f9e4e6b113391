#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <deque>
#include <string>

namespace gantry {

/// A cache of nonzero estimates, for callers that need the estimate of one scan repeatedly: each
/// estimate computes about a thousand rays. The backend is no part of the key, because the weights
/// of a projector are the same on all backends. Not to be used by several threads at once.
class NonzeroEstimates {
 public:
  /// Returns estimate_nonzeros(weights), where `projector` is the catalogue key and `params` the
  /// parameters of `weights`.
  NonzeroEstimate of(const Projector& weights, const std::string& projector, const Params& params);

 private:
  struct Made {
    ScanSpec scan;
    VolumeGrid grid;
    std::string projector;
    Params params;
    NonzeroEstimate estimate;
  };
  std::deque<Made> made_;  // at most 16; the oldest is dropped first
};

}  // namespace gantry
