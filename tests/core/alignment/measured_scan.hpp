#pragma once

#include "core/physics/noise.hpp"
#include "tests/support/catalog_phantoms.hpp"

#include <cmath>
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

/// Returns a whole turn of a cone about a head, with few and wide cells.
inline ScanSpec coarse_cone() {
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.source_to_isocenter_mm = 500;
  spec.source_to_detector_mm = 1000;
  spec.detector_columns = 160;
  spec.detector_rows = 52;
  spec.column_pitch_mm = spec.row_pitch_mm = 4;
  spec.central_column = 77.1;
  spec.central_row = 25.5;
  spec.view_angles_rad = angles_from_degrees(0, 2.5, 144);
  return spec;
}

/// The same cone on cells of half the size.
inline ScanSpec fine_cone() {
  ScanSpec spec = coarse_cone();
  spec.column_pitch_mm *= 0.5;
  spec.row_pitch_mm *= 0.5;
  spec.detector_columns *= 2;
  spec.detector_rows *= 2;
  spec.central_column = 2 * spec.central_column + 0.5;
  spec.central_row = 2 * spec.central_row + 0.5;
  return spec;
}

/// Adds to the line integrals what a beam that is 20 % weaker at both edges, and cells whose gain
/// differs by 3 %, add in all views without a flat.
inline void add_uneven_beam(std::vector<float>& line_integrals, int columns) {
  for (std::size_t i = 0; i < line_integrals.size(); ++i) {
    const auto column = static_cast<int>(i % static_cast<std::size_t>(columns));
    const double x = (column - 0.5 * columns) / (0.5 * columns),
                 gain = 0.03 * std::sqrt(12.0) * (column * 7919 % 1009 / 1009.0 - 0.5);
    line_integrals[i] -= static_cast<float>(std::log((1 - 0.2 * x * x) * (1 + gain)));
  }
}

}  // namespace gantry::test
