#pragma once

#include "core/catalog/catalog.hpp"
#include "core/io/volumes/volume_format.hpp"
#include "core/job/experiment_data.hpp"

#include <string>

namespace gantry {

/// Returns the DICOM code of a run's method.
inline DerivationCode derivation_code(const RunSpec& run, const Catalog& catalog) {
  return catalog.solvers.at(run.solver).traits.is_direct ? filtered_back_projection
                                                         : iterative_reconstruction;
}

/// Returns what all images that a run makes of the data have in common: grid, access, whether their
/// lengths are known and, where the data were simulated from a volume, the volume's frame and
/// study. The values are left to be set.
inline VolumeToWrite image_of(const ExperimentData& data, const std::string& software_version) {
  VolumeToWrite out;
  out.grid = data.grid;
  out.mu_water = data.mu_water;
  out.access = data.access;
  out.lengths_are_known = data.lengths_are_known;
  if (data.volume) {
    out.frame = data.volume->frame;
    out.study = data.volume->study;
  }
  out.software_version = software_version;
  return out;
}

}  // namespace gantry
