#pragma once

#include "core/io/derivation_code.hpp"
#include "core/job/experiment.hpp"

namespace gantry {

/// What a run is in the terms of DICOM.
inline DerivationCode derivation_code(const RunSpec& run) {
  const bool filtered = run.solver == "fbp" || run.solver == "fdk";
  return filtered ? filtered_back_projection : iterative_reconstruction;
}

}  // namespace gantry
