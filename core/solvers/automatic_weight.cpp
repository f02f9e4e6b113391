#include "core/solvers/automatic_weight.hpp"

#include "core/base/error.hpp"
#include "core/base/median.hpp"
#include "core/operator/projector.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace gantry {

namespace {

/// Returns the value above which a cell is taken to see the object.
double object_threshold(std::span<const float> line_integrals) {
  double sum = 0;
  for (const float value : line_integrals) sum += std::abs(static_cast<double>(value));
  return line_integrals.empty() ? 0 : 0.05 * sum / static_cast<double>(line_integrals.size());
}

[[noreturn]] void fail(const std::string& what) {
  throw UsageError("the weight of the prior cannot be found automatically: " + what, "prior.scale",
                   "use relative or absolute");
}

}  // namespace

double estimated_noise_variance(std::span<const float> line_integrals,
                                std::span<const float> weights, int columns) {
  const double threshold = object_threshold(line_integrals);
  const auto row = static_cast<std::size_t>(columns);
  const auto counts = [&](std::size_t i) {
    return line_integrals[i] > threshold && (weights.empty() || weights[i] > 0);
  };
  const auto variance = [&](std::size_t i) {
    return weights.empty() ? 1.0 : 1 / static_cast<double>(weights[i]);
  };
  std::vector<double> deviations;
  for (std::size_t i = 1; i + 1 < line_integrals.size(); ++i) {
    if (i % row == 0 || i % row == row - 1) continue;  // a neighbour is of another row
    if (!counts(i - 1) || !counts(i) || !counts(i + 1)) continue;
    const double bend = static_cast<double>(line_integrals[i - 1]) - 2.0 * line_integrals[i] +
                        line_integrals[i + 1];
    deviations.push_back(bend / std::sqrt(variance(i - 1) + 4 * variance(i) + variance(i + 1)));
  }
  if (deviations.empty())
    fail(
        "the noise is estimated from three neighbouring cells of a row that see the object, and "
        "there are none");
  const double centre = upper_median(deviations);
  for (double& d : deviations) d = std::abs(d - centre);
  // The median of |d| of a normal distribution is 0.6745 times its standard deviation.
  const double sigma = upper_median(deviations) / 0.6745;
  return sigma * sigma;
}

double typical_attenuation(std::span<const float> line_integrals, const ScanGeometry& geometry,
                           const VolumeGrid& grid) {
  const double threshold = object_threshold(line_integrals);
  double sum = 0;
  std::size_t cells = 0;
  for (const float value : line_integrals) {
    if (!(value > threshold)) continue;
    sum += static_cast<double>(value);
    ++cells;
  }
  if (cells == 0) fail("no line integral is above 0");
  const double width_mm = grid.nx * grid.spacing_mm.x, height_mm = grid.ny * grid.spacing_mm.y,
               detector_mm = geometry.columns() * geometry.column_pitch_at_isocenter_mm();
  const double path_mm = std::min(2 * width_mm * height_mm / (width_mm + height_mm), detector_mm);
  return sum / static_cast<double>(cells) / path_mm;
}

double automatic_weight(const LinearOperator& A, const Array& b, const Array* weights,
                        const Penalty& penalty) {
  const auto* projector = dynamic_cast<const Projector*>(&A);
  if (projector == nullptr) fail("the matrix belongs to no scan");
  const ScanGeometry& geometry = projector->geometry();
  const VolumeGrid& grid = projector->grid();
  const std::vector<float> line_integrals = b.to_host();
  double variance = penalty.noise_variance;
  if (!(variance > 0))
    variance = estimated_noise_variance(
        line_integrals, weights != nullptr ? weights->to_host() : std::vector<float>(),
        geometry.columns());
  const double sigma_x = 0.2 * std::exp2(penalty.sharpness) *
                         typical_attenuation(line_integrals, geometry, grid),
               voxel = std::sqrt(grid.spacing_mm.x * grid.spacing_mm.y) /
                       geometry.column_pitch_at_isocenter_mm();
  return voxel * variance / std::pow(sigma_x, penalty.prior->traits().degree);
}

}  // namespace gantry
