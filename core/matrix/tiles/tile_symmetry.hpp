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

// A slice's W, or that of a circular cone beam, of which the scan's symmetry G gives the most: rays
// r and pixels or voxels j that are stored, and for each vector as many as G has elements, its
// lanes.
//   lane g of a vector v:   V[p, g] = v[g at(p)] where p owns g, else 0
//   what lanes add up to:   v[i] = sum over g of S[position(g^-1 i), g], where owned
// With the rays of some views and all pixels, every ray is one lane's and pixels are sums (Yu et
// al., cuART); with all rays and the pixels of an octant it is the other way round (Nourazar and
// Goossens 2021, section 3.4, whose masks of the diagonal are the lanes that are not owned).
// A full turn of a parallel beam meets every line twice, there and back: folded, one of the two is
// stored, and its twin has the same sums; on the way back what both see is added up before.
// In space the axial mirror doubles G, to 16 elements, and leaves half of the detector's rows.
// Numerics 1.2.4, 5.6.

/// What of W is stored.
enum class StoredPart { views, octant };

/// Rays or pixels.
struct SymmetricSide {
  BlockOrder order;
  /// [position]: bit e says that the image of what stands there by element e is this one's to hold.
  std::vector<std::uint16_t> owned;
  /// Whether every index is held once: what lanes hold are the sums.
  bool disjoint = false;

  bool owns(std::size_t position, int element) const {
    return (owned[position] >> element & 1U) != 0;
  }
};

/// Where an element takes voxel (x, y, z): origin + x step_x + y step_y + z step_z.
struct PixelMap {
  std::int32_t origin, step_x, step_y, step_z;
};

class TileSymmetry {
 public:
  static constexpr int most_elements = 16, most_of_slice = 8;

  /// Throws UsageError, naming the format and the condition that fails, where there is no symmetry
  /// or, with an octant, a view along a diagonal, which a mirror may take from rows to columns; in
  /// space there are no octants.
  static void require(const Projector& slice, StoredPart part, const std::string& label);

  /// Of a slice, or of a cone beam.
  TileSymmetry(const Projector& slice, StoredPart part, BlockOrderKind kind);

  int elements() const { return static_cast<int>(inverse_.size()); }
  const SymmetryElement& element(int e) const { return elements_[static_cast<std::size_t>(e)]; }
  const SymmetricSide& rays() const { return rays_; }
  const SymmetricSide& pixels() const { return pixels_; }

  int inverse(int element) const { return inverse_[static_cast<std::size_t>(element)]; }
  std::int32_t pixel(int element, std::int32_t at) const {
    const PixelMap& map = pixel_maps_[static_cast<std::size_t>(element)];
    return map.origin + at % nx_ * map.step_x + at / nx_ % ny_ * map.step_y +
           at / nx_ / ny_ * map.step_z;
  }
  std::int32_t ray(int element, std::int32_t at) const {
    const std::int32_t line = at / columns_, column = at % columns_, row = line % rows_,
                       view = view_maps_[static_cast<std::size_t>(element * views_ + line / rows_)];
    return (view / 2 * rows_ + (reverses_rows(element) ? rows_ - 1 - row : row)) * columns_ +
           (view % 2 != 0 ? columns_ - 1 - column : column);
  }
  bool reverses_rows(int e) const { return element(e).mirror_z; }
  bool twins() const { return twins_; }
  /// The ray that runs back along one, where one stands for both; else -1.
  std::int32_t twin(std::int32_t at) const {
    const std::int32_t column = at % columns_, view = at / columns_;
    if (!twins_ || (!middle_has_twin_ && 2 * column == columns_ - 1)) return -1;
    return (view + (2 * view < views_ ? views_ / 2 : -views_ / 2)) * columns_ + columns_ - 1 -
           column;
  }
  const std::vector<PixelMap>& pixel_maps() const { return pixel_maps_; }
  /// [element][view]: twice the view it goes to, and 1 where columns are reversed.
  const std::vector<std::int32_t>& view_maps() const { return view_maps_; }
  /// The patch that an element takes one to, or -1 where it takes it apart or one has gaps.
  std::int32_t patch_image(int element, std::size_t patch) const;
  /// Of a slice, patches that elements take to each other, eight places an orbit, -1 where there
  /// are fewer; none where a patch has no image. In space: volume_orbits.hpp.
  std::vector<std::int32_t> patch_orbits() const;

 private:
  void keep_views(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                  const VolumeGrid& grid, BlockOrderKind kind);
  void keep_octant(const VolumeGrid& grid, BlockOrderKind kind);

  int nx_, ny_, views_, rows_, columns_;
  bool twins_, middle_has_twin_;
  std::vector<SymmetryElement> elements_;
  std::vector<int> inverse_;
  std::vector<PixelMap> pixel_maps_;
  std::vector<std::int32_t> view_maps_;
  SymmetricSide rays_, pixels_;
};

ParamSpec stored_part_param();
StoredPart stored_part(const std::string& name);

}  // namespace gantry
