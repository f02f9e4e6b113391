#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/priors/prior.hpp"

#include <span>

namespace gantry {

/// Estimates the variance of a ray of weight 1 from line integrals b, [view][row][column], whose
/// variances are that over their weights w (empty: 1). The noise is taken as independent from cell
/// to cell, and the image as smooth along a detector row, so that in
///   d_i = (b_i-1 - 2 b_i + b_i+1) / sqrt(1 / w_i-1 + 4 / w_i + 1 / w_i+1)
/// noise alone remains; without weights the denominator is sqrt 6. The standard deviation is the
/// median of |d_i - median d| over 0.6745, which edges do not change as long as they are few
/// (Hampel, J. Am. Stat. Assoc. 69 (1974) 383). Only cells that see the object count (b_i above a
/// twentieth of the mean |b|), with weights above 0. Throws UsageError if no three neighbouring
/// cells qualify.
double estimated_noise_variance(std::span<const float> line_integrals,
                                std::span<const float> weights, int columns);

/// Returns the attenuation, 1/mm, that is typical of the image: the mean |b| of the cells that see
/// the object, over a typical length of path. That is the harmonic mean of the grid's width and
/// height or the width of the detector at the isocentre, whichever is less (mbirjax,
/// tomography_model.py, `_get_estimate_of_recon_std`). The cells are those with b above a twentieth
/// of the mean |b| (svmbir 0.5, `_sino_indicator`). Throws UsageError if there are none.
double typical_attenuation(std::span<const float> line_integrals, const ScanGeometry& geometry,
                           const VolumeGrid& grid);

/// Returns lambda of the objective 1/2 ||A x - b||^2_W + lambda R(x) such that differences of
///   sigma_x = 0.2 2^sharpness typical_attenuation()
/// between neighbours are as probable as the noise of the data allows:
///   lambda = v sigma_y^2 / sigma_x^degree,
/// degree that of the prior, sigma_y^2 the variance of a ray of weight 1 and v the size of a voxel
/// over the pitch of the detector's columns at the isocentre. It is the rule of svmbir 0.5
/// (auto_sigma_x, auto_sigma_y) and mbirjax (auto_set_sigma_x, auto_set_sigma_y), whose objective,
/// times sigma_y^2, has this lambda, with two differences. They assume a ratio of signal to noise
/// of 30 dB; here sigma_y^2 is penalty.noise_variance, or estimated_noise_variance() if that is 0.
/// And their q-GGMRF has the curvature 2 / (p sigma_x^2) at 0, where this gives 1 / sigma_x^2 for
/// every prior of degree 2: for p = 1.2 theirs has 1.67 times this lambda.
///
/// Lambda is in mm for degree 1 and in mm^2 for degree 2, so that it follows a change of the unit
/// of length or of the scale of b as the minimiser requires, if the prior's own lengths in 1/mm
/// follow as well. Throws UsageError if A is no projector, and as the functions above.
double automatic_weight(const LinearOperator& A, const Array& b, const Array* weights,
                        const Penalty& penalty);

}  // namespace gantry
