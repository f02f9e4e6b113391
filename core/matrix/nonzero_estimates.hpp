#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <deque>
#include <string>

namespace gantry {

/// Estimates that have been made: a thousand rays each, for whoever asks of one scan again and
/// again. The weights of a projector are the same on all backends. Not for several threads at once.
class NonzeroEstimates {
 public:
  /// As estimate_nonzeros, of the projector of this key and with these parameters.
  NonzeroEstimate of(const Projector& weights, const std::string& projector, const Params& params);

 private:
  struct Made {
    ScanSpec scan;
    VolumeGrid grid;
    std::string projector;
    Params params;
    NonzeroEstimate estimate;
  };
  std::deque<Made> made_;  // the oldest goes first
};

}  // namespace gantry
