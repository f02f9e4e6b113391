#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Block sparse rows of pseudo-Morton ordered rays and pixels, for one slice or a stack whose
/// slices share their weights: the matrix of Nourazar and Goossens (J. Real-Time Image
/// Process. 2021), sections 3.2 and 3.3. `block` 8x16, 16x16 or 32x16; `order`; `weights` float32
/// or half.
std::unique_ptr<MatrixFormat> make_bsr(const Params& params);
std::vector<ParamSpec> bsr_params();

/// Throws UsageError unless the slices of a scan share their weights.
void require_shared_weights(const Projector& weights, const std::string& label);

/// Of some groups of the rays, for sizes to be known before a matrix is built.
BlockCount estimate_blocks(const Projector& weights, const std::string& order);

}  // namespace gantry
