#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Normalised metal artifact reduction: the line integrals through metal are replaced by an
/// interpolation between the cells beside the metal, guided by the projections of a prior image.
///
/// 1. An image is reconstructed by FBP or FDK; voxels above a threshold are metal.
/// 2. The metal is projected; the rays that meet it, widened by a margin of columns, are its trace.
/// 3. The data are interpolated linearly across the trace and reconstructed again. This image is
///    segmented into air (0), soft material (set to its mean; metal counts as soft) and bone
///    (values kept): the prior image.
/// 4. The data are divided by the projections of the prior image, interpolated across the trace,
///    and multiplied by these projections.
///
/// Thresholds that are not given are found: air, soft and dense material by Otsu's method
/// (value_classes.hpp); that of metal is Otsu's threshold of all values that are not air, but at
/// least 4 times the median of the soft material; that of bone is found in the same way, with at
/// least 1.3 times this median. Metal outside the field of view is not found. The corrected data
/// are those of an object without metal; the metal is not put back. Data without metal stay as they
/// are, to the bit.
/// Meyer, Raupach, Lell, Schmidt and Kachelriess, "Normalized metal artifact reduction (NMAR) in
/// computed tomography", Medical Physics 37 (2010) 5482; the prior image is made from the linearly
/// interpolated data, as they do for strong artefacts.
/// Truncated rows (truncation_note()) are extrapolated for both images. An object may then leave no
/// air in the field of view; therefore as many values of air as fill the field of view are added
/// before the thresholds are found.
std::vector<ParamSpec> metal_nmar_params();
/// Throws UsageError for scans that neither FBP nor FDK reconstructs: helices and free poses.
std::unique_ptr<Correction> make_metal_nmar(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
