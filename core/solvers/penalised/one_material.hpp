#pragma once

#include "core/solvers/penalised/primal_dual.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The measured line integral of a polychromatic beam through one material: with p = attenuation x
/// path, b = offset + p - curvature p^2. This is the water correction of Herman (Phys. Med. Biol.
/// 24 (1979) 81) to second order, for any material.
struct OneMaterialCurve {
  double offset = 0;     ///< what rays through air measure
  double curvature = 0;  ///< >= 0; 0: no beam hardening

  double measured(double p) const { return offset + p - curvature * p * p; }
  /// Returns p; beyond the curve's maximum, the p of the maximum.
  double linear(double b) const;
  std::vector<float> linear(std::span<const float> b) const;
};

/// What is known of an object of one material and its data.
struct OneMaterial {
  OneMaterialCurve curve;
  double attenuation = 0;  ///< 1/mm, at low thickness; 0: the data show no object
  double noise = 0;        ///< standard deviation of the linearised line integrals
};

/// What the user has fixed.
struct OneMaterialOptions {
  double attenuation = 0;  ///< 1/mm; 0: to be found
  bool beam_hardening = true;
};

/// Returns the median of the outer 2 % of the columns, which see air; 0 where they see the object,
/// because the detector is too narrow for it. `columns` are those of a detector row.
double air_offset(std::span<const float> b, std::size_t columns);

/// Returns the noise of line integrals by the median of the absolute second differences along
/// detector rows (Donoho and Johnstone, Biometrika 81 (1994) 425), where the line integrals exceed
/// a fifteenth of the largest; at the least 0.3 % of the largest, which the voxels' edges
/// cost in any case. `data` has rows of `columns` values.
double line_integral_noise(std::span<const float> data, std::size_t columns);

/// Finds curve, attenuation and noise of the object that was measured as b:
/// - The curvature is that of the least ||b - curve(A x)||, among eight values up to the largest
///   that the data admit; x >= 0 is fitted with R to the linearised data. If the curve of b over
///   the paths in the segmented fit bends less, it is that (Krumm, Kasperl and Franz, NDT&E Int. 41
///   (2008) 242).
/// - The attenuation c is the smallest for which fits with 0 <= x <= c leave a residual of 1.2
///   times the least: a smaller value cannot explain the longest paths, a larger one leaves x
///   between the levels.
/// Up to 30 of the views are used, evenly spread. x is scratch. Throws Interrupted.
OneMaterial find_one_material(const LinearOperator& A, const Array& b, std::size_t columns,
                              Prior& prior, double lambda_factor, const OneMaterialOptions& options,
                              Array& x);

/// Returns lambda of the prior for x in 1/mm: factor noise^2 / attenuation. Divided by the noise's
/// variance, the penalty is then a constant for each voxel's edge on the object's boundary,
/// whatever the material, the number of views and the noise.
double lambda_of(double factor, double noise, double attenuation);

}  // namespace gantry
