#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"
#include "core/operator/projector.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// BSR of the part of W from which the rest follows by the symmetry of the scan
/// (tile_symmetry.hpp): an eighth in a slice, which is then up to 8 vectors, a sixteenth in a
/// circular cone beam. Nourazar and Goossens (2021), section 3.4, for both products, and the cone
/// beam that they name as future work. Parameters: `part` views or octant; `block`, `order` and
/// `weights` as in bsr.hpp.
std::unique_ptr<MatrixFormat> make_bsr_symmetric(const Params& params);
std::vector<ParamSpec> bsr_symmetric_params();

/// The part of a scan whose weights are stored: one slice of a stack, or the whole volume of a cone
/// beam. `weights` must outlive the object.
class SymmetricScan {
 public:
  explicit SymmetricScan(const Projector& weights);

  const Projector& weights() const { return slice_ ? *slice_ : weights_; }
  /// Returns the number of slices, each of which is one vector per element; 1 for a cone beam.
  int slices() const { return slice_ ? weights_.grid().nz : 1; }
  /// Returns whether the scan is a cone beam.
  bool in_space() const { return slice_ == nullptr; }

 private:
  const Projector& weights_;
  std::unique_ptr<Projector> slice_;
};

/// The number of stored blocks, and the number of vectors of a slice or volume.
struct SymmetricBlocks {
  BlockCount count;
  int elements;  ///< of the symmetry group, a vector each
};
/// Estimates the stored blocks from a sample of at least 24 groups of 32 rays, 96 in a cone beam.
SymmetricBlocks estimate_symmetric_blocks(const Projector& weights, const std::string& part,
                                          const std::string& order);

/// Throws UsageError unless the scan is a cone beam or its slices share their weights, and has a
/// symmetry that suits `part` (TileSymmetry::require). Messages begin with `label`, the name of the
/// format.
void require_symmetric_scan(const Projector& weights, const std::string& part,
                            const std::string& label);

}  // namespace gantry
