#pragma once

#include "core/catalog/catalog.hpp"
#include "core/io/dicom/writer/derivation_code.hpp"
#include "core/job/experiment.hpp"

namespace gantry {

/// Returns the DICOM code of a run's method.
inline DerivationCode derivation_code(const RunSpec& run, const Catalog& catalog) {
  return catalog.solvers.at(run.solver).traits.is_direct ? filtered_back_projection
                                                         : iterative_reconstruction;
}

}  // namespace gantry
