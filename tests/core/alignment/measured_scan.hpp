#pragma once

#include "core/physics/noise.hpp"
#include "tests/support/catalog_phantoms.hpp"

#include <utility>
#include <vector>

namespace gantry::test {

/// Returns line integrals as counts of so many photons a ray measure them; 0: without noise.
inline std::vector<float> with_noise(std::vector<float> exact, double photons) {
  if (photons == 0) return exact;
  std::vector<float> noisy(exact.size());
  add_transmission_noise(exact, {.photons_per_ray = photons}, noisy);
  return noisy;
}

/// Returns the measured line integrals of an object, with so many rays across a cell.
inline std::vector<float> measured(const Phantom& object, const ScanGeometry& scan, double photons,
                                   int subrays = 1) {
  std::vector<float> exact(scan.rays());
  project_exactly(object, scan, subrays, exact);
  return with_noise(std::move(exact), photons);
}

/// Returns the scan as one knows it before the axis is found.
inline ScanGeometry with_axis_in_the_middle(ScanSpec spec) {
  spec.central_column = 0.5 * (spec.detector_columns - 1);
  return ScanGeometry(spec);
}

}  // namespace gantry::test
