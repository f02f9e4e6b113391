#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Normalised metal artifact reduction: the line integrals through metal are replaced by an
/// interpolation from the cells beside it, in which a prior image says what lies between.
///
/// 1. An image of the data by FBP or FDK; metal is what lies above a threshold.
/// 2. The metal is projected; rays that meet it are its trace, widened by a margin of columns.
/// 3. The trace is bridged linearly, and an image of that is parted into air (0), soft material
///    (its mean) and bone (as it is; metal counts as soft): the prior image.
/// 4. The data are divided by the projected prior, bridged again, and multiplied by it.
///
/// Thresholds that are not given are found: air, soft and dense material by Otsu's method
/// (value_classes.hpp); metal from Otsu's threshold of all that is not air on, at least from 4
/// times the median of the soft material; bone likewise, at least from 1.3 times it. Metal outside
/// the field of view is not found. The corrected data are those of an object without metal, which
/// is not put back. Data without metal stay as they are, to the bit.
/// Meyer, Raupach, Lell, Schmidt and Kachelriess, "Normalized metal artifact reduction (NMAR) in
/// computed tomography", Medical Physics 37 (2010) 5482; the prior is made of the bridged image,
/// which they use for strong artifacts.
/// Truncated rows (truncation_note()) are continued for both images; as much air as fills the field
/// of view, where the object may leave none, counts besides when the thresholds are found.
std::vector<ParamSpec> metal_nmar_params();
/// Throws UsageError for scans that neither FBP nor FDK reconstructs: helices and free poses.
std::unique_ptr<Correction> make_metal_nmar(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
