#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters size_mm and mu_scale (1/mm for value 1) of the phantoms KS and YYW. Three
/// different heads are known as the 3D Shepp-Logan phantom. All are sums of ten ellipsoids in the
/// cube [-1, 1]^3, which is scaled to size_mm.
///
/// KS: Kak and Slaney, Principles of Computerized Tomographic Imaging (1988), table 3.2 with its
/// errata: skull 2, brain 1.02.
/// YYW: the ellipsoids of KS with the values of Yu, Ye and Wang: skull 1, brain 0.2.
/// TS: Toft's 2D table with heights by Schabel, as in phantom3d for MATLAB.
std::vector<ParamSpec> shepp_logan_3d_params();
std::unique_ptr<Phantom> make_shepp_logan_ks(const Params& params);
std::unique_ptr<Phantom> make_shepp_logan_yyw(const Params& params);

/// Returns the parameters of TS, which has in addition contrast ("modified" or "original") and
/// centres. phantom3d rotates the centres of the two ventricles together with their axes, which
/// moves the centres off (+-0.22, 0): "turned" reproduces phantom3d, "fixed" keeps the centres of
/// the table.
std::vector<ParamSpec> shepp_logan_ts_params();
std::unique_ptr<Phantom> make_shepp_logan_ts(const Params& params);

}  // namespace gantry
