#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters of the area-integral model: "normalisation", "length" or "area".
std::vector<ParamSpec> area_integral_params();
/// Returns a projector of the area-integral model (Zhang et al., Opt. Eng. 53 (2014) 113101; Yu et
/// al., J. Signal Process. Syst. 91 (2019) 321), in which rays are strips between the edges of a
/// cell and w_ij = area(strip i and pixel j in common) / area(pixel). With "area", A_ij = w_ij,
/// without unit: the weights of a view then add up to 1 in every pixel that the fan covers. With
/// "length", A_ij = w_ij area(pixel) / width of the strip at the pixel's centre, mm: products are
/// averages of line integrals over the strip, fit for log data. In a fan beam the two matrices do
/// not differ by a mere factor. Parallel and fan beams, also as stacks, in which a detector row
/// weighs a slice by the part of the row's height that lies in the slice; exact transpose. Throws
/// UsageError for a cone beam and for free poses.
std::unique_ptr<Projector> make_area_integral(Backend& backend,
                                              std::shared_ptr<const ScanGeometry> geometry,
                                              const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory area_integral_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                   int multiprocessors);

/// Returns the number of nonzero weights of a view of a single slice, without computing the
/// weights. Summed over a whole scan this number may exceed 2^31.
std::int64_t count_area_weights(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

}  // namespace gantry
