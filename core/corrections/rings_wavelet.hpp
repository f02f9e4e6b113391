#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Removes the stripes from the sinogram of each detector row by a wavelet transform and a Fourier
/// filter along the views: see remove_wavelet_stripes(). Values without any beam are bridged before
/// (bridge_unseen()).
/// Several rows are worked on at the same time.
std::vector<ParamSpec> rings_wavelet_params();
std::unique_ptr<Correction> make_rings_wavelet(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
