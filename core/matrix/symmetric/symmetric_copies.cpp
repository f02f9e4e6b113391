// Replaces a scan with symmetries by a few stored views with several right-hand sides. With the
// symmetry group G of the scan, W[g r, g j] = W[r, j]: Yu et al. (cuART), eq. 2, where a mirror
// takes index i to n - 1 - i. All maps of indices are affine; the coefficients of a voxel map are
// derived from the images of four voxels.
#include "core/matrix/symmetric/symmetric_copies.hpp"

#include <algorithm>
#include <bit>

namespace gantry {

namespace {

constexpr SymmetryElement along_axis{0, false, true};

/// Calls visit(x first, x last, y first, y last, z) in parallel for squares of 32 x 32 pixels,
/// which fit a cache: a rotation by 90 degrees reads along y while it writes along x.
template <class Visit>
void for_each_square(const VolumeGrid& grid, const Visit& visit) {
  constexpr int side = 32;
  const int across = (grid.nx + side - 1) / side, down = (grid.ny + side - 1) / side;
#pragma omp parallel for collapse(3) schedule(static)
  for (int z = 0; z < grid.nz; ++z)
    for (int j = 0; j < down; ++j)
      for (int i = 0; i < across; ++i)
        visit(i * side, std::min((i + 1) * side, grid.nx), j * side,
              std::min((j + 1) * side, grid.ny), z);
}

}  // namespace

int SymmetricCopies::rows_to_keep(const ScanSymmetry& symmetry, const ScanGeometry& geometry) {
  return symmetry.holds(along_axis) ? (geometry.rows() + 1) / 2 : geometry.rows();
}

SymmetricCopies::SymmetricCopies(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                                 const VolumeGrid& grid, int kept_rows)
    : grid_(grid),
      voxels_(grid.voxels()),
      columns_(static_cast<std::size_t>(geometry.columns())),
      rows_(static_cast<std::size_t>(geometry.rows())),
      kept_rows_(static_cast<std::size_t>(kept_rows)),
      stored_views_(symmetry.stored_views().size()) {
  for (const SymmetryElement& g : symmetry.elements()) {
    maps_.push_back(map_of(symmetry, g));
    inverse_maps_.push_back(map_of(symmetry, inverse(g)));
  }
  const auto place = [](const auto& list, const auto& value) {
    return static_cast<int>(std::ranges::find(list, value) - list.begin());
  };
  for (const ScanSymmetry::Image& image : symmetry.images()) {
    const RayIndex first = symmetry.ray(image.element, {image.stored_view, 0, 0});
    images_.push_back({place(symmetry.stored_views(), image.stored_view),
                       place(symmetry.elements(), image.element),
                       place(symmetry.elements(), compose(along_axis, image.element)),
                       first.column != 0, first.row != 0});
  }
}

SymmetricCopies::VoxelMap SymmetricCopies::map_of(const ScanSymmetry& symmetry,
                                                  const SymmetryElement& g) const {
  const auto index = [&](int x, int y, int z) {
    const VoxelIndex to = symmetry.voxel(g, {x, y, z});
    // Not grid.index(): along an axis of one voxel the neighbour lies outside the grid.
    return (static_cast<std::ptrdiff_t>(to.z) * grid_.ny + to.y) * grid_.nx + to.x;
  };
  const std::ptrdiff_t origin = index(0, 0, 0);
  return {origin, index(1, 0, 0) - origin, index(0, 1, 0) - origin, index(0, 0, 1) - origin};
}

SymmetricCopies::Plan SymmetricCopies::plan(ViewSubset subset) const {
  Plan plan;
  std::vector<int> lane(maps_.size(), -1), place(stored_views_, -1);
  std::vector<int> wanted;
  for (int i = 0; i < subset.count; ++i) wanted.push_back(subset.view(i));
  for (const int view : wanted) {
    const Image& image = images_[static_cast<std::size_t>(view)];
    lane[image.element] = 0;
    if (halves()) lane[image.along_axis] = 0;
  }
  // The vectors are in the order of the elements, independent of the order of the views.
  for (std::size_t e = 0; e < lane.size(); ++e) {
    if (lane[e] < 0) continue;
    lane[e] = static_cast<int>(plan.elements.size());
    plan.elements.push_back(static_cast<int>(e));
  }
  for (const int view : wanted) {
    const Image& image = images_[static_cast<std::size_t>(view)];
    int& at = place[static_cast<std::size_t>(image.stored)];
    if (at < 0) {
      at = static_cast<int>(plan.stored.size());
      plan.stored.push_back(image.stored);
      plan.targets.emplace_back();
    }
    auto& targets = plan.targets[static_cast<std::size_t>(at)];
    targets.push_back({view, lane[image.element]});
    if (halves()) targets.push_back({view, lane[image.along_axis], true});
  }
  plan.vectors = static_cast<int>(std::bit_ceil(plan.elements.size()));
  return plan;
}

std::size_t SymmetricCopies::images_of(std::size_t stored) const {
  return static_cast<std::size_t>(
      std::ranges::count(images_, static_cast<int>(stored), &Image::stored));
}

void SymmetricCopies::gather(const float* image, const Plan& plan, float* copies) const {
  const int vectors = plan.vectors, used = static_cast<int>(plan.elements.size());
  for_each_square(grid_, [&](int x_first, int x_last, int y_first, int y_last, int z) {
    for (int k = 0; k < vectors; ++k)
      for (int y = y_first; y < y_last; ++y) {
        float* to = copies + grid_.index(0, y, z) * vectors + k;
        if (k >= used) {
          for (int x = x_first; x < x_last; ++x) to[std::ptrdiff_t{x} * vectors] = 0;
          continue;
        }
        const VoxelMap& map = maps_[static_cast<std::size_t>(plan.elements[k])];
        const float* from = image + map.origin + y * map.step_y + z * map.step_z;
        for (int x = x_first; x < x_last; ++x)
          to[std::ptrdiff_t{x} * vectors] = from[x * map.step_x];
      }
  });
}

void SymmetricCopies::fold(const float* sums, const Plan& plan, float* image) const {
  const int vectors = plan.vectors, used = static_cast<int>(plan.elements.size());
  for_each_square(grid_, [&](int x_first, int x_last, int y_first, int y_last, int z) {
    constexpr int side = 32;
    double total[side][side] = {};
    for (int k = 0; k < used; ++k) {
      const VoxelMap& map = inverse_maps_[static_cast<std::size_t>(plan.elements[k])];
      for (int y = y_first; y < y_last; ++y) {
        const float* from = sums + (map.origin + y * map.step_y + z * map.step_z) * vectors + k;
        for (int x = x_first; x < x_last; ++x)
          total[y - y_first][x - x_first] += from[x * map.step_x * vectors];
      }
    }
    for (int y = y_first; y < y_last; ++y)
      for (int x = x_first; x < x_last; ++x)
        image[grid_.index(x, y, z)] = static_cast<float>(total[y - y_first][x - x_first]);
  });
}

template <class Visit>
void SymmetricCopies::for_each_cell(const Target& target, const Visit& visit) const {
  const auto view = static_cast<std::size_t>(target.view);
  const Image& image = images_[view];
  const bool rows_reversed = image.rows_reversed != target.along_axis;
  for (std::size_t row = 0; row < kept_rows_; ++row) {
    const std::size_t opposite = rows_ - 1 - row;
    if (target.along_axis && opposite == row) continue;  // the middle row is its own mirror image
    const std::size_t first = (view * rows_ + (rows_reversed ? opposite : row)) * columns_;
    for (std::size_t column = 0; column < columns_; ++column)
      visit(first + (image.columns_reversed ? columns_ - 1 - column : column),
            row * columns_ + column);
  }
}

void SymmetricCopies::spread(const double* sums, const Plan& plan, std::size_t i,
                             float* rays) const {
  const auto vectors = static_cast<std::size_t>(plan.vectors);
  for (const Target& target : plan.targets[i])
    for_each_cell(target, [&, from = sums + target.lane](std::size_t cell, std::size_t kept) {
      rays[cell] = static_cast<float>(from[kept * vectors]);
    });
}

void SymmetricCopies::collect(const float* rays, const Plan& plan, std::size_t i,
                              float* copies) const {
  const auto vectors = static_cast<std::size_t>(plan.vectors);
  std::fill_n(copies, cells() * vectors, 0.0F);
  for (const Target& target : plan.targets[i])
    for_each_cell(target, [&, to = copies + target.lane](std::size_t cell, std::size_t kept) {
      to[kept * vectors] = rays[cell];
    });
}

}  // namespace gantry
