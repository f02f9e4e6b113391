#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gantry {

/// Area-integral model (Zhang et al., Opt. Eng. 53 (2014) 113101; Yu et al., J. Signal Process.
/// Syst. 91 (2019) 321): rays are strips between the edges of a cell, w_ij = area(strip i and pixel
/// j in common) / area(pixel). "area" gives w_ij itself, without unit: the weights of a view then
/// add up to 1 in every pixel that the fan covers. "length" gives A_ij = w_ij area(pixel) / width
/// of the strip at the pixel's depth, mm: strip averages of line integrals, fit for log data. In a
/// fan the two do not differ by a factor. Parallel and fan beams, also as a stack of slices, where
/// a row counts slices by the share of its height that lies in them; exact transpose. Throws
/// UsageError for a cone beam and for free poses.
std::vector<ParamSpec> area_integral_params();
std::unique_ptr<Projector> make_area_integral(Backend& backend,
                                              std::shared_ptr<const ScanGeometry> geometry,
                                              const VolumeGrid& grid, const Params& params);

/// How many weights of a view of a single slice are not zero, without computing them: counts pass
/// 2^31 in whole scans.
std::int64_t count_area_weights(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

}  // namespace gantry
