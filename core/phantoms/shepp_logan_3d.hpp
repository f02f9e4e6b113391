#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Three different heads go by the name of the 3D Shepp-Logan phantom. All are sums of ten
/// ellipsoids in the cube [-1, 1]^3, brought to size_mm, with mu_scale 1/mm for value 1.
///
/// KS: Kak and Slaney, Principles of Computerized Tomographic Imaging (1988), table 3.2 with its
/// errata: skull 2, brain 1.02.
/// YYW: the same ellipsoids with the values of Yu, Ye and Wang: skull 1, brain 0.2.
/// TS: Toft's 2D table with heights of Schabel, as MATLAB users know it from phantom3d.
std::vector<ParamSpec> shepp_logan_3d_params();
std::unique_ptr<Phantom> make_shepp_logan_ks(const Params& params);
std::unique_ptr<Phantom> make_shepp_logan_yyw(const Params& params);

/// Adds contrast ("modified" or "original") and centres. phantom3d turns the centres of the two
/// ventricles together with their axes, which moves them off (+-0.22, 0): "turned" draws what it
/// draws, "fixed" reads the table as Kak and Slaney's is read.
std::vector<ParamSpec> shepp_logan_ts_params();
std::unique_ptr<Phantom> make_shepp_logan_ts(const Params& params);

}  // namespace gantry
