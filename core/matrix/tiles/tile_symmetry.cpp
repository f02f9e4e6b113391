// Chooses the part of a symmetric scan that is stored in tiles, its order, and the owner of each
// image of a ray or pixel. Yu et al. (cuART), section 3; Nourazar and Goossens 2021, section 3.4.
#include "core/matrix/tiles/tile_symmetry.hpp"

#include "core/base/error.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace gantry {

namespace {

constexpr std::size_t padded_to(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// Returns whether each ray has an opposite ray, that of the mirrored column half a turn later.
bool has_opposites(const ScanGeometry& geometry, const ScanSymmetry& symmetry) {
  return folds(geometry) && geometry.beam() == Beam::parallel &&
         std::abs(2 * geometry.spec().central_column - (geometry.columns() - 1)) < 1e-6 &&
         symmetry.holds({2, false, false});
}

/// Returns whether tiles should be of 2 views x 4 columns instead of 4 views x 2 columns: if the
/// rays of a cell in neighbouring views are more than 1.6 voxels apart at the edge of the image.
bool columns_lie_closer(const ScanGeometry& geometry, const VolumeGrid& grid) {
  if (geometry.views() < 2) return true;
  const double step = std::abs(geometry.angle_rad(1) - geometry.angle_rad(0));
  return 0.5 * step * std::max(grid.nx, grid.ny) > 1.6;
}

/// Returns the order, natural or pseudo-Morton, of the first `columns` columns of `views`.
/// `columns_first` exchanges views and columns in the pseudo-Morton order.
BlockOrder order_of_views(const std::vector<int>& views, int columns, const ScanGeometry& geometry,
                          BlockOrderKind kind, bool columns_first = false) {
  const int count = static_cast<int>(views.size());
  const auto ray = [&](int v, int c) {
    return views[static_cast<std::size_t>(v)] * geometry.columns() + c;
  };
  const std::size_t all =
      static_cast<std::size_t>(geometry.views()) * static_cast<std::size_t>(geometry.columns());
  if (kind != BlockOrderKind::natural && columns_first)
    return along_curve(columns, count, all, [&](int c, int v) { return ray(v, c); });
  if (kind != BlockOrderKind::natural) return along_curve(count, columns, all, ray);
  std::vector<std::int32_t> at;
  for (int v = 0; v < count; ++v)
    for (int c = 0; c < columns; ++c) at.push_back(ray(v, c));
  at.resize(padded_to(at.size(), group_rays), -1);
  return with_positions(std::move(at), all);
}

/// Returns for each view the bits of the elements whose images the view owns if it is stored: each
/// view of the orbit is owned once. An element with the mirror along the axis goes with the element
/// without that mirror, since every view is its own mirror image along the axis.
std::vector<std::uint16_t> owned_images(const ScanSymmetry& symmetry) {
  std::vector<std::uint16_t> owned;
  for (int v = 0; v < static_cast<int>(symmetry.images().size()); ++v) {
    const SymmetryElement& here = symmetry.images()[static_cast<std::size_t>(v)].element;
    unsigned bits = 0;
    for (std::size_t e = 0; e < symmetry.elements().size(); ++e) {
      SymmetryElement g = symmetry.elements()[e];
      g.mirror_z = false;
      const auto to = static_cast<std::size_t>(symmetry.view(g, v));
      if (symmetry.images()[to].element == compose(g, here)) bits |= 1U << e;
    }
    owned.push_back(static_cast<std::uint16_t>(bits));
  }
  return owned;
}

/// Returns the order of a slice, repeated for `layers` slices or detector rows one after the other;
/// index(i, layer) is the index in the volume or detector of index i of a slice.
BlockOrder in_layers(const BlockOrder& slice, int layers,
                     const std::function<std::int32_t(std::int32_t, int)>& index,
                     std::size_t indices) {
  std::vector<std::int32_t> at;
  at.reserve(slice.at.size() * static_cast<std::size_t>(layers));
  for (int layer = 0; layer < layers; ++layer)
    for (const std::int32_t place : slice.at) at.push_back(place < 0 ? -1 : index(place, layer));
  return with_positions(std::move(at), indices);
}

/// Returns the order of the voxels, slice by slice: the voxels that rays meet in a slab of a few
/// slices lie close together, and a patch lies in one slice. Counted over 128^3 voxels, patches of
/// 4 x 4 x 1 voxels with tiles of 4 views x 2 columns of one detector row are the fullest, 19 %; 4
/// x 2 x 2 and 2 x 2 x 2 have 14 %.
BlockOrder voxel_order(const VolumeGrid& grid, BlockOrderKind kind) {
  const BlockOrder slice = pixel_order(grid, kind);
  if (grid.nz == 1) return slice;
  const std::int32_t pixels = grid.nx * grid.ny;
  return in_layers(
      slice, grid.nz, [&](std::int32_t pixel, int z) { return z * pixels + pixel; }, grid.voxels());
}

/// Chooses one ray of each orbit for the folded order: the ray with the smallest line angle. The
/// line angle is the angle of the ray or, for a ray of the second half of the columns, of the
/// opposite direction. The stored rays then are lines within an eighth of a turn and half of the
/// columns, in both directions. For one detector row only: in a cone beam the ray back along a ray
/// of a fan has another slope in z.
class Folding {
 public:
  Folding(const ScanSymmetry& symmetry, const ScanGeometry& geometry)
      : symmetry_(symmetry), geometry_(geometry), owned_(owned_images(symmetry)) {}

  BlockOrder order() const {
    const int columns = geometry_.columns(), half = (columns + 1) / 2;
    std::vector<std::vector<Line>> lines(static_cast<std::size_t>(half));
    std::size_t most = 0;
    for (int b = 0; b < half; ++b) {
      auto& here = lines[static_cast<std::size_t>(b)];
      for (const int view : symmetry_.stored_views()) {
        here.push_back(first_image({view, b, 0}));
        if (columns - 1 - b != b) here.push_back(first_image({view, columns - 1 - b, 0}));
      }
      std::ranges::sort(here);
      most = std::max(most, here.size());
    }
    return along_curve(
        static_cast<int>(most), half,
        static_cast<std::size_t>(geometry_.views()) * static_cast<std::size_t>(columns),
        [&](int a, int b) {
          const auto& here = lines[static_cast<std::size_t>(b)];
          return a < static_cast<int>(here.size()) ? here[static_cast<std::size_t>(a)].ray : -1;
        });
  }

 private:
  struct Line {
    std::int64_t angle;  ///< 1e-9 turns; opposite rays of one line have equal angles
    int ray;
    auto operator<=>(const Line&) const = default;
  };

  Line line_of(RayIndex r) const {
    const Vec3 d =
        ViewRays(geometry_, r.view).ray(r.column, geometry_.spec().central_row).direction;
    const bool back = 2 * r.column > geometry_.columns() - 1;
    const double turns = std::atan2(d.y, d.x) / (2 * pi) + (back ? 0.5 : 0.0);
    constexpr double units = 1e9;
    const auto angle = static_cast<std::int64_t>(std::llround((turns - std::floor(turns)) * units));
    return {angle % static_cast<std::int64_t>(units), r.view * geometry_.columns() + r.column};
  }
  Line first_image(RayIndex stored) const {
    Line first = line_of(stored);
    const auto owned = owned_[static_cast<std::size_t>(stored.view)];
    for (std::size_t e = 0; e < symmetry_.elements().size(); ++e)
      if ((owned >> e & 1U) != 0)
        first = std::min(first, line_of(symmetry_.ray(symmetry_.elements()[e], stored)));
    return first;
  }

  const ScanSymmetry& symmetry_;
  const ScanGeometry& geometry_;
  std::vector<std::uint16_t> owned_;
};

/// Returns all rays or pixels of an order, each of which owns all elements.
SymmetricSide whole(BlockOrder order, int elements) {
  std::vector<std::uint16_t> owned(order.at.size(), 0);
  for (std::size_t p = 0; p < owned.size(); ++p)
    if (order.at[p] >= 0) owned[p] = static_cast<std::uint16_t>((1U << elements) - 1);
  return {std::move(order), std::move(owned), false};
}

}  // namespace

void TileSymmetry::require(const Projector& slice, StoredPart part, const std::string& label) {
  const ScanSymmetry symmetry(slice.geometry(), slice.grid());
  if (symmetry.elements().size() == 1)
    throw UsageError(label +
                         " stores a part of the rays or pixels and needs a scan that rotations by "
                         "90 degrees or mirrors map onto itself; here " +
                         symmetry.failures().front().reason,
                     "format", "use another format, or another grid or scan");
  if (part != StoredPart::octant) return;
  if (slice.grid().nz > 1 || slice.geometry().rows() > 1)
    throw UsageError(label + " can store octants for slices only; for a cone beam store views",
                     "format.part", "store views");
  const bool quarter = std::ranges::any_of(
      symmetry.elements(), [](const SymmetryElement& g) { return g.quarter_turns % 2 != 0; });
  for (int v = 0; quarter && v < slice.views(); ++v)
    if (const double turned = 2 * slice.geometry().angle_rad(v) / pi - 0.5;
        std::abs(turned - std::round(turned)) < 1e-7)
      throw UsageError(
          label + " of an octant needs a scan without views along a diagonal of the image; view " +
              std::to_string(v) + " is along one",
          "format.part", "store views, or start half a step off the axis");
}

TileSymmetry::TileSymmetry(const Projector& slice, StoredPart part, BlockOrderKind kind)
    : nx_(slice.grid().nx),
      ny_(slice.grid().ny),
      views_(slice.views()),
      rows_(slice.geometry().rows()),
      columns_(slice.geometry().columns()),
      middle_has_opposite_(part == StoredPart::octant) {
  const ScanGeometry& geometry = slice.geometry();
  const VolumeGrid& grid = slice.grid();
  const ScanSymmetry symmetry(geometry, grid);
  elements_ = symmetry.elements();
  opposites_ = kind == BlockOrderKind::folded && has_opposites(geometry, symmetry);
  for (const SymmetryElement& g : elements_) {
    inverse_.push_back(
        static_cast<int>(std::ranges::find(elements_, gantry::inverse(g)) - elements_.begin()));
    const auto index = [&](int x, int y, int z) {
      const VoxelIndex to = symmetry.voxel(g, {x, y, z});
      return (to.z * grid.ny + to.y) * grid.nx + to.x;
    };
    const std::int32_t origin = index(0, 0, 0);
    pixel_maps_.push_back(
        {origin, index(1, 0, 0) - origin, index(0, 1, 0) - origin, index(0, 0, 1) - origin});
    for (int v = 0; v < views_; ++v) {
      const RayIndex to = symmetry.ray(g, {v, 0, 0});
      view_maps_.push_back(2 * to.view + (to.column != 0 ? 1 : 0));
    }
  }
  if (part == StoredPart::views) {
    pixels_ = whole(voxel_order(grid, kind), elements());
    keep_views(symmetry, geometry, grid, kind);
  } else {
    std::vector<int> half;
    for (int v = 0; v < views_ / 2; ++v) half.push_back(v);
    rays_ = whole(
        opposites_ ? order_of_views(half, columns_, geometry, kind) : ray_order(geometry, kind),
        elements());
    keep_octant(grid, kind);
  }
  if (!opposites_) return;
  for (std::size_t p = 0; p < rays_.order.at.size(); ++p)  // opposite rays share a position
    if (const std::int32_t ray = rays_.order.at[p]; ray >= 0 && opposite(ray) >= 0)
      rays_.order.position[static_cast<std::size_t>(opposite(ray))] = static_cast<std::int32_t>(p);
}

void TileSymmetry::keep_views(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                              const VolumeGrid& grid, BlockOrderKind kind) {
  const auto& views = symmetry.stored_views();
  const bool axial = symmetry.holds({0, false, true});
  if (opposites_)
    rays_.order = order_of_views(views, (columns_ + 1) / 2, geometry, kind);
  else if (rows_ == 1 && kind == BlockOrderKind::folded && folds(geometry))
    rays_.order = Folding(symmetry, geometry).order();
  else
    rays_.order = order_of_views(views, columns_, geometry, kind,
                                 rows_ > 1 && columns_lie_closer(geometry, grid));
  if (rows_ > 1)
    rays_.order = in_layers(
        rays_.order, axial ? (rows_ + 1) / 2 : rows_,
        [&](std::int32_t ray, int row) {
          return (ray / columns_ * rows_ + row) * columns_ + ray % columns_;
        },
        geometry.rays());
  rays_.disjoint = true;
  unsigned mirrors = 0;  // elements with the axial mirror: the middle row is its own image by these
  for (int e = 0; e < elements(); ++e) mirrors |= reverses_rows(e) ? 1U << e : 0U;
  const std::vector<std::uint16_t> of_view = owned_images(symmetry);
  rays_.owned.reserve(rays_.order.at.size());
  for (const std::int32_t ray : rays_.order.at) {
    unsigned owned = ray < 0 ? 0U : of_view[static_cast<std::size_t>(ray / columns_ / rows_)];
    if (2 * (ray / columns_ % rows_) == rows_ - 1) owned &= ~mirrors;
    rays_.owned.push_back(static_cast<std::uint16_t>(owned));
  }
}

/// Stores the pixel with the smallest index of each orbit. The pixel owns, for each pixel of its
/// orbit, the first element that leads there.
void TileSymmetry::keep_octant(const VolumeGrid& grid, BlockOrderKind kind) {
  pixels_.order = part_of(pixel_order(grid, kind), patch_pixels, [&](std::int32_t j) {
    for (int e = 0; e < elements(); ++e)
      if (pixel(e, j) < j) return false;
    return true;
  });
  pixels_.disjoint = true;
  pixels_.owned.reserve(pixels_.order.at.size());
  for (const std::int32_t j : pixels_.order.at) {
    unsigned bits = 0;
    for (int e = 0; j >= 0 && e < elements(); ++e) {
      bool first = true;
      for (int before = 0; before < e; ++before) first = first && pixel(before, j) != pixel(e, j);
      if (first) bits |= 1U << e;
    }
    pixels_.owned.push_back(static_cast<std::uint16_t>(bits));
  }
}

std::int32_t TileSymmetry::patch_image(int element, std::size_t patch) const {
  std::int32_t image = -1;
  for (std::size_t i = 0; i < patch_pixels; ++i) {
    const std::int32_t at = pixels_.order.at[patch * patch_pixels + i];
    if (at < 0) return -1;
    const std::int32_t position =
        pixels_.order.position[static_cast<std::size_t>(pixel(element, at))];
    if (position < 0 || (i > 0 && position / patch_pixels != image)) return -1;
    image = position / patch_pixels;
  }
  return image;
}

std::vector<std::int32_t> TileSymmetry::patch_orbits() const {
  if (elements() > most_of_slice) throw std::logic_error("patch_orbits() is for slices");
  std::vector<std::int32_t> orbits;
  std::vector<char> met(pixels_.order.at.size() / patch_pixels, 0);
  for (std::size_t patch = 0; patch < met.size(); ++patch) {
    const auto at = pixels_.order.at.begin() + static_cast<std::ptrdiff_t>(patch * patch_pixels);
    const bool empty = std::all_of(at, at + patch_pixels, [](std::int32_t j) { return j < 0; });
    if (met[patch] != 0 || empty) continue;
    std::array<std::int32_t, most_of_slice> orbit;
    orbit.fill(-1);
    auto end = orbit.begin();
    for (int e = 0; e < elements(); ++e) {
      const std::int32_t image = patch_image(e, patch);
      if (image < 0) return {};
      if (std::find(orbit.begin(), end, image) != end) continue;
      *end++ = image;
      met[static_cast<std::size_t>(image)] = 1;
    }
    orbits.insert(orbits.end(), orbit.begin(), orbit.end());
  }
  return orbits;
}

ParamSpec stored_part_param() {
  return {.key = "part",
          .label = "Stored part",
          .unit = "",
          .fallback = std::string("views"),
          .choices = {"views", "octant"},
          .help =
              "views: the rays that no rotation or mirror gives, with all pixels; each ray's sum "
              "is one column's. octant, as published: all rays, with the pixels of an eighth of "
              "the image; rays are sums of eight columns.",
          .in_names = ""};
}

StoredPart stored_part(const std::string& name) {
  return name == "octant" ? StoredPart::octant : StoredPart::views;
}

}  // namespace gantry
