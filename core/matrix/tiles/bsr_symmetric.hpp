#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"
#include "core/operator/projector.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// BSR of what the symmetry of a scan leaves of W (tile_symmetry.hpp): of a slice an eighth, so
/// that it is up to 8 vectors, of a circular cone beam a sixteenth. Nourazar and Goossens (2021),
/// section 3.4, both ways, and the cone beam of their future work. `part` views or octant; `block`,
/// `order` and `weights` as of bsr.
std::unique_ptr<MatrixFormat> make_bsr_symmetric(const Params& params);
std::vector<ParamSpec> bsr_symmetric_params();

/// What is laid out of a scan: one slice of a stack, or all of a cone beam, which is one volume.
/// `weights` outlives it.
class SymmetricScan {
 public:
  explicit SymmetricScan(const Projector& weights);

  const Projector& weights() const { return slice_ ? *slice_ : weights_; }
  /// Slices, each so many vectors as there are elements; or 1.
  int slices() const { return slice_ ? weights_.grid().nz : 1; }
  bool in_space() const { return slice_ == nullptr; }

 private:
  const Projector& weights_;
  std::unique_ptr<Projector> slice_;
};

/// Of some groups of the rays, and how many vectors a slice or volume is.
struct SymmetricBlocks {
  BlockCount count;
  int elements;
};
SymmetricBlocks estimate_symmetric_blocks(const Projector& weights, const std::string& part,
                                          const std::string& order);

/// Throws UsageError unless it is a cone beam, or the slices share their weights, and the scan has
/// symmetries.
void require_symmetric_scan(const Projector& weights, const std::string& part,
                            const std::string& label);

}  // namespace gantry
