#include "core/io/volumes/axis_arrangement.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double sheared_deg = 0.1;  // that matter: a voxel beside its place at 570 voxels

/// Returns by how much the angles between axes differ from right ones, degrees.
double shear_deg(const std::array<Vec3, 3>& axes) {
  double shear = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 one = axes[i], other = axes[(i + 1) % 3];
    const double lengths = norm(one) * norm(other);
    const double cosine = lengths > 0 ? std::abs(dot(one, other)) / lengths : 0;
    shear = std::max(shear, degrees(std::asin(std::min(cosine, 1.0))));
  }
  return shear;
}

/// Returns how far apart slices are, upright to them, for a step of 1 along a sheared third axis.
double height_of_third(const std::array<Vec3, 3>& axes) {
  const Vec3 upright = cross(axes[0], axes[1]);
  const double lengths = norm(upright) * norm(axes[2]);
  const double height = lengths > 0 ? std::abs(dot(upright, axes[2])) / lengths : 0;
  return height > 0 && shear_deg(axes) > sheared_deg ? height : 1;
}

}  // namespace

std::size_t voxels_of(const VolumeAxes& stored) {
  std::size_t voxels = 1;
  for (const int n : stored.size) voxels *= static_cast<std::size_t>(n);
  return voxels;
}

std::optional<AxisArrangement> arrange(const std::array<Vec3, 3>& axes) {
  constexpr double tolerance = 1e-4;
  AxisArrangement arrangement;
  std::array<bool, 3> taken{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::array<double, 3> along = {axes[i].x, axes[i].y, axes[i].z};
    const auto largest = std::ranges::max_element(along, {}, [](double c) { return std::abs(c); });
    const auto w = static_cast<std::size_t>(largest - along.begin());
    if (std::abs(std::abs(along[w]) - 1) > tolerance || taken[w] || norm(axes[i]) > 1 + tolerance)
      return std::nullopt;
    taken[w] = true;
    arrangement.world[i] = w;
    arrangement.backwards[i] = along[w] < 0;
  }
  return arrangement;
}

VolumeGrid arranged_grid(const VolumeAxes& stored, const AxisArrangement& arrangement) {
  std::array<int, 3> size{};
  std::array<double, 3> spacing{}, origin{};
  const Vec3 offset = stored.offset_mm.value_or(Vec3{});
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t w = arrangement.world[i];
    size[w] = stored.size[i];
    spacing[w] = stored.spacing_mm[i] * (i == 2 ? height_of_third(stored.axes) : 1);
    origin[w] = std::array{offset.x, offset.y, offset.z}[w];
    if (arrangement.backwards[i]) origin[w] -= (stored.size[i] - 1) * stored.spacing_mm[i];
  }
  VolumeGrid grid =
      VolumeGrid::centered(size[0], size[1], size[2], {spacing[0], spacing[1], spacing[2]});
  if (stored.offset_mm) grid.origin_mm = {origin[0], origin[1], origin[2]};
  return grid;
}

int slices_of(const VolumeAxes& stored) {
  return arranged_grid(stored, arrange(stored.axes).value_or(AxisArrangement{})).nz;
}

std::vector<float> arranged_values(const std::vector<float>& values, const VolumeAxes& stored,
                                   const AxisArrangement& arrangement, const VolumeGrid& grid) {
  const std::array<std::ptrdiff_t, 3> world_step = {1, grid.nx,
                                                    static_cast<std::ptrdiff_t>(grid.nx) * grid.ny};
  std::array<std::ptrdiff_t, 3> step{};
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    step[i] = world_step[arrangement.world[i]];
    if (arrangement.backwards[i]) {
      first += step[i] * (stored.size[i] - 1);
      step[i] = -step[i];
    }
  }
  std::vector<float> arranged(values.size());
  std::size_t at = 0;
  for (int k = 0; k < stored.size[2]; ++k)
    for (int j = 0; j < stored.size[1]; ++j)
      for (int i = 0; i < stored.size[0]; ++i)
        arranged[static_cast<std::size_t>(first + i * step[0] + j * step[1] + k * step[2])] =
            values[at++];
  return arranged;
}

void place(LoadedVolume& volume, const VolumeAxes& stored) {
  const std::optional<AxisArrangement> found = arrange(stored.axes);
  if (const double shear = shear_deg(stored.axes); !found && shear > sheared_deg)
    volume.notes.push_back("the axes of the file are sheared, by " +
                           format_param(to_digits(shear, 3)) + " degrees (" + stored.axes_field +
                           "): they were taken as x, y and z of upright voxels, so that the volume "
                           "is distorted");
  else if (!found)
    volume.notes.push_back("the axes of the file are oblique (" + stored.axes_field +
                           "): they were taken as x, y and z");
  if (!stored.offset_mm && !stored.offset_field.empty())
    volume.notes.push_back("the file gives no " + stored.offset_field +
                           ": the volume was centred on the axis");
  const AxisArrangement arrangement = found.value_or(AxisArrangement{});
  volume.grid = arranged_grid(stored, arrangement);
  if (!stored.note_of_size.empty()) {
    volume.is_size_assumed.fill(true);
    volume.notes_of_size.push_back(stored.note_of_size);
  }
  if (arrangement.identity()) return;
  volume.mu = arranged_values(volume.mu, stored, arrangement, volume.grid);
  volume.notes.push_back("the axes of the file were put in the order of x, y and z, upwards");
}

std::size_t copies_to_place(const VolumeAxes& stored) {
  const auto arrangement = arrange(stored.axes);
  return arrangement && !arrangement->identity() ? 2 : 1;
}

}  // namespace gantry
