#pragma once

#include "core/corrections/correction.hpp"

namespace gantry {

/// A correction of each value by itself, or of the sinogram of each detector row by itself: a row
/// alone, as a scan of one row, gets the same values as within the whole detector.
class RowCorrection : public Correction {
 protected:
  using Correction::Correction;
};

}  // namespace gantry
