#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Block sparse rows (BSR) of pseudo-Morton ordered rays and pixels, for one slice or a stack whose
/// slices share their weights: the matrix of Nourazar and Goossens (J. Real-Time Image
/// Process. 2021), sections 3.2 and 3.3. Parameters: `block` 8x16, 16x16 or 32x16 (rays x pixels);
/// `order`, see block_order_param(); `weights` float32 or half.
std::unique_ptr<MatrixFormat> make_bsr(const Params& params);
std::vector<ParamSpec> bsr_params();

/// Throws UsageError unless the scan has one slice or its slices share their weights. The message
/// begins with `label`, the name of the format.
void require_shared_weights(const Projector& weights, const std::string& label);

/// Estimates the number of blocks from a sample of at least 96 groups of 32 rays, so that the size
/// of a matrix is known before the matrix is built. `order` is a value of block_order_param().
BlockCount estimate_blocks(const Projector& weights, const std::string& order);

}  // namespace gantry
