#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tile_pattern.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// BSR of what the symmetry of a slice's scan leaves of W, an eighth (tile_symmetry.hpp): a slice
/// is up to 8 vectors. Nourazar and Goossens (2021), section 3.4, both ways. `part` views or
/// octant; `block`, `order` and `weights` as of bsr.
std::unique_ptr<MatrixFormat> make_bsr_symmetric(const Params& params);
std::vector<ParamSpec> bsr_symmetric_params();

/// Of some groups of the rays, and how many vectors a slice is.
struct SymmetricBlocks {
  BlockCount count;
  int elements;
};
SymmetricBlocks estimate_symmetric_blocks(const Projector& weights, const std::string& part,
                                          const std::string& order);

/// Throws UsageError unless the slices share their weights and their scan has symmetries.
void require_symmetric_slices(const Projector& weights, const std::string& part,
                              const std::string& label);

}  // namespace gantry
