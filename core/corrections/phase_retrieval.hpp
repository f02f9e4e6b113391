#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Phase retrieval for one material and a coherent beam that propagates freely behind the object:
/// the transmission T = exp(-p) of each view is divided, in Fourier space, by
///   1 + z lambda (delta / beta) / (4 pi) (kx^2 + ky^2),
/// which removes the bright and dark fringes at edges and much of the noise; the negative logarithm
/// of the result is the line integral of the attenuation. z is the distance from object to
/// detector, lambda the wavelength, 1 - delta + i beta the refractive index, k the angular
/// frequency at the object. In a diverging beam with the magnification M, z is divided by M, and
/// the cells are scaled to the axis. Views are extended by their mirror images, so that the
/// periodic Fourier transform sees no jump at their ends. Paganin et al., "Simultaneous phase and
/// amplitude extraction from a single defocused image of a homogeneous object", Journal of
/// Microscopy 206 (2002) 33, eq. 12.
std::vector<ParamSpec> phase_retrieval_params();
std::unique_ptr<Correction> make_phase_retrieval(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
