#pragma once

#include "core/base/params.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/matrix/tiles/block_order.hpp"
#include "core/operator/projector.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

// The part of W that is stored of a slice, or of a circular cone beam, if the rest follows by the
// symmetry group G of the scan: some rays or some pixels. In a product every vector is replaced by
// one vector for each element g of G:
//   vector g of a vector v:   V[p, g] = v[g at(p)] where position p owns g, else 0
//   sum over the vectors:     v[i] = sum over g of S[position(g^-1 i), g], where owned
// StoredPart::views stores the rays of some views with all pixels: each ray belongs to one vector,
// pixels are sums over the vectors (Yu et al. 2019, section 3.1).
// StoredPart::octant stores all rays with the pixels of an octant: each pixel belongs to one
// vector, rays are sums over the vectors (Nourazar and Goossens 2021, section 3.4; the elements
// that a position does not own are their masks of the diagonal).
//
// A full turn of a parallel beam measures every line twice, there and back. In the folded order one
// of the two rays is stored. Its opposite ray has the same ray sum; the transposed product first
// adds the values of both. In a cone beam the mirror along the axis doubles G, to 16 elements, and
// half of the detector rows are stored.

/// The part of W that is stored.
enum class StoredPart { views, octant };

/// The stored rays or the stored pixels.
struct SymmetricSide {
  BlockOrder order;
  /// [position]: bit e is set if the position owns element e, that is, if vector e holds at this
  /// position the image of the position's index under element e.
  std::vector<std::uint16_t> owned;
  /// Whether every index is held by one vector only, so that nothing is left to sum over vectors.
  bool disjoint = false;

  bool owns(std::size_t position, int element) const {
    return (owned[position] >> element & 1U) != 0;
  }
};

/// An element takes voxel (x, y, z) to index origin + x step_x + y step_y + z step_z.
struct PixelMap {
  std::int32_t origin, step_x, step_y, step_z;
};

/// The stored rays and pixels of a symmetric scan, and the maps of rays, pixels and patches under
/// the elements of its symmetry group, which are numbered from 0.
class TileSymmetry {
 public:
  static constexpr int most_elements = 16, most_of_slice = 8;

  /// Throws UsageError, naming the format (`label`) and the condition that fails, where the scan
  /// has no symmetry; for octants also in a volume, and with a view along a diagonal of the image,
  /// whose rays a mirror may take from stepping along x to stepping along y.
  static void require(const Projector& slice, StoredPart part, const std::string& label);

  /// `slice` gives the weights of a slice or of a cone beam.
  TileSymmetry(const Projector& slice, StoredPart part, BlockOrderKind kind);

  int elements() const { return static_cast<int>(inverse_.size()); }
  const SymmetryElement& element(int e) const { return elements_[static_cast<std::size_t>(e)]; }
  const SymmetricSide& rays() const { return rays_; }
  const SymmetricSide& pixels() const { return pixels_; }

  /// Returns the number of the inverse element.
  int inverse(int element) const { return inverse_[static_cast<std::size_t>(element)]; }
  /// Returns the image of a pixel or voxel index under an element.
  std::int32_t pixel(int element, std::int32_t at) const {
    const PixelMap& map = pixel_maps_[static_cast<std::size_t>(element)];
    return map.origin + at % nx_ * map.step_x + at / nx_ % ny_ * map.step_y +
           at / nx_ / ny_ * map.step_z;
  }
  /// Returns the image of a ray index, [view][row][column], under an element.
  std::int32_t ray(int element, std::int32_t at) const {
    const std::int32_t line = at / columns_, column = at % columns_, row = line % rows_,
                       view = view_maps_[static_cast<std::size_t>(element * views_ + line / rows_)];
    return (view / 2 * rows_ + (reverses_rows(element) ? rows_ - 1 - row : row)) * columns_ +
           (view % 2 != 0 ? columns_ - 1 - column : column);
  }
  bool reverses_rows(int e) const { return element(e).mirror_z; }
  /// Returns whether one of two opposite rays is stored for both.
  bool opposites() const { return opposites_; }
  /// Returns the ray that runs back along a ray if one is stored for both, else -1.
  std::int32_t opposite(std::int32_t at) const {
    const std::int32_t column = at % columns_, view = at / columns_;
    if (!opposites_ || (!middle_has_opposite_ && 2 * column == columns_ - 1)) return -1;
    return (view + (2 * view < views_ ? views_ / 2 : -views_ / 2)) * columns_ + columns_ - 1 -
           column;
  }
  const std::vector<PixelMap>& pixel_maps() const { return pixel_maps_; }
  /// [element][view]: twice the image of the view, plus 1 if the columns are reversed.
  const std::vector<std::int32_t>& view_maps() const { return view_maps_; }
  /// Returns the image of a patch under an element, or -1 if the pixels of the patch go to
  /// different patches or the patch has gaps.
  std::int32_t patch_image(int element, std::size_t patch) const;
  /// Returns the orbits of the patches of a slice: eight patches for each orbit, of which missing
  /// ones are -1. Empty if patch_image() is -1 for any patch. For a volume: volume_orbits.hpp.
  std::vector<std::int32_t> patch_orbits() const;

 private:
  void keep_views(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                  const VolumeGrid& grid, BlockOrderKind kind);
  void keep_octant(const VolumeGrid& grid, BlockOrderKind kind);

  int nx_, ny_, views_, rows_, columns_;
  bool opposites_, middle_has_opposite_;
  std::vector<SymmetryElement> elements_;
  std::vector<int> inverse_;
  std::vector<PixelMap> pixel_maps_;
  std::vector<std::int32_t> view_maps_;
  SymmetricSide rays_, pixels_;
};

ParamSpec stored_part_param();
/// Returns the part named "views" or "octant".
StoredPart stored_part(const std::string& name);

}  // namespace gantry
