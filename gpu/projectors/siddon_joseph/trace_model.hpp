#pragma once

// Siddon's and Joseph's weights of any ray, layer by layer along one axis, as
// core/projectors/siddon_joseph/siddon_trace.hpp and joseph_trace.hpp define them. Siddon's axis is
// the one along which the ray crosses the most voxels, so that the ray meets at most three voxels
// per layer.
#include "gpu/access/ray_cell.hpp"
#include "gpu/device/host_device.hpp"
#include "gpu/projectors/siddon_joseph/ray_weighting.hpp"

#include <cstdint>

namespace gantry::device {

struct Point {
  double x, y, z;
};

/// The pose of a view, see View and ViewRays.
struct TraceView {
  Point source, detector, u, v, across, forward;
  Point normal, per_column, per_row;  ///< see CellShadow
};

struct TraceScan {
  const TraceView* view;
  Point lower_mm, spacing_mm;  ///< lower corner of the volume; voxel size
  int nx, ny, nz;
  int columns, rows;
  double central_column, central_row;
  double arc_pitch_rad, arc_radius_mm;  ///< 0: flat detector
  int parallel;
  int planar;  ///< a single slice seen by one row: heights do not count
  int level;   ///< 1: stack of fans in planes z = const, each ray starts at its cell's height
  int first_view, view_stride, views;
  double turn_rad;  ///< from view to view on a circle; 0: the angles differ, or it is no circle

  GANTRY_HD int view_index(int nth) const { return first_view + nth * view_stride; }
};

GANTRY_HD Point along(Point from, double a, Point d) {
  return {from.x + a * d.x, from.y + a * d.y, from.z + a * d.z};
}

/// A ray in voxels: along its main axis it meets the middle of layer k at positions u(k) and v(k)
/// along the other two axes.
struct TracedRay {
  PlaceLine u, v;
  int slices, u_count, v_count;
  std::size_t layer_stride, u_stride, v_stride;
  float path_mm;  ///< path per layer
  int axis;       ///< the main axis: 0 x, 1 y, 2 z
};

GANTRY_HD void ray_of(const TraceScan& scan, int v, int column, int row, Point& origin,
                      Point& direction) {
  const TraceView& view = scan.view[v];
  const double c = column - scan.central_column, r = row - scan.central_row;
  Point target;
  if (scan.arc_radius_mm > 0) {
    const double b = c * scan.arc_pitch_rad;
    target = along(along(view.source, scan.arc_radius_mm * cos(b), view.forward),
                   scan.arc_radius_mm * sin(b), view.across);
  } else {
    target = along(view.detector, c, view.u);
  }
  target = along(target, r, view.v);
  if (scan.planar) target.z = scan.lower_mm.z + 0.5 * scan.spacing_mm.z;
  origin = target;
  direction = view.forward;
  if (scan.parallel) return;
  origin = view.source;
  if (scan.level) origin.z = target.z;
  const Point d = along(target, -1, origin);
  const double scale = 1 / sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  direction = {scale * d.x, scale * d.y, scale * d.z};
}

/// Returns the main axis of a ray. On a tie (45 degrees, with a margin so that rounding does not
/// decide) y is chosen before x, and both before z.
template <RayWeighting weights>
GANTRY_HD int main_axis(const TraceScan& scan, Point d) {
  constexpr double tie = 1 + 1e-12;
  const double x = fabs(d.x) / scan.spacing_mm.x, y = fabs(d.y) / scan.spacing_mm.y,
               z = fabs(d.z) / scan.spacing_mm.z;
  const bool along_z = weights == RayWeighting::crossing
                           ? z > fmax(x, y) * tie
                           : fabs(d.z) > fmax(fabs(d.x), fabs(d.y)) * tie;
  return along_z ? 2 : x <= y * tie ? 1 : 0;
}

template <RayWeighting weights>
GANTRY_HD TracedRay traced_ray(const TraceScan& scan, int view, int column, int row) {
  Point o, d;
  ray_of(scan, view, column, row, o, d);
  const int axis = main_axis<weights>(scan, d);
  // Positions in voxels from the lower faces: voxel i spans i .. i + 1.
  const double from[3] = {(o.x - scan.lower_mm.x) / scan.spacing_mm.x,
                          (o.y - scan.lower_mm.y) / scan.spacing_mm.y,
                          (o.z - scan.lower_mm.z) / scan.spacing_mm.z};
  const double by[3] = {d.x / scan.spacing_mm.x, d.y / scan.spacing_mm.y, d.z / scan.spacing_mm.z};
  const int size[3] = {scan.nx, scan.ny, scan.nz};
  const std::size_t stride[3] = {1, static_cast<std::size_t>(scan.nx),
                                 static_cast<std::size_t>(scan.nx) * scan.ny};
  const int one = axis == 0 ? 1 : 0, two = axis == 2 ? 1 : 2;
  const double per_layer = 1 / by[axis], first = (0.5 - from[axis]) * per_layer;
  return {place_line(fma(first, by[one], from[one]), by[one] * per_layer),
          place_line(fma(first, by[two], from[two]), by[two] * per_layer),
          size[axis],
          size[one],
          size[two],
          stride[axis],
          stride[one],
          stride[two],
          static_cast<float>(fabs(per_layer)),
          axis};
}

GANTRY_HD bool inside(int i, int count) { return i >= 0 && i < count; }

/// The voxels along one of the other axes that a ray meets within a layer: the ray enters in voxel
/// `first` and spends the part `until` of its path per layer there, the rest in voxel `second`.
struct Entry {
  int first, second;
  float until;
};
GANTRY_HD Entry entry(const PlaceLine& line, int k) {
  const Place middle = place_at(line, k);
  const float at = fmaf(-0.5F, line.step, middle.part), below = floorf(at);
  const int first = middle.whole + static_cast<int>(below);
  if (line.step == 0) return {first, first, 1.0F};
  const bool up = line.step > 0;
  const float way = up ? below + 1.0F - at : at - below;
  return {first, up ? first + 1 : first - 1, fminf(way / fabsf(line.step), 1.0F)};
}

/// The voxels that a ray may meet in a layer; each has a place in the code of visit_places.
template <RayWeighting weights>
inline constexpr int places_of_layer = weights == RayWeighting::crossing ? 3 : 4;

/// Calls visit(place, voxel, weight) for the voxels that a ray weighs in layer k. A weight is a
/// part of the ray's path per layer. Lanes of a warp that are in the same layer make the visits of
/// one place together.
template <RayWeighting weights, class Visit>
GANTRY_HD void visit_places(const TracedRay& ray, int k, const Visit& visit) {
  const std::size_t slice = static_cast<std::size_t>(k) * ray.layer_stride;
  const auto add = [&](int place, int i, int j, float weight) {
    if (weight > 0 && inside(i, ray.u_count) && inside(j, ray.v_count))
      visit(place,
            slice + static_cast<std::size_t>(i) * ray.u_stride +
                static_cast<std::size_t>(j) * ray.v_stride,
            weight);
  };
  if (weights == RayWeighting::crossing) {
    const Entry u = entry(ray.u, k), v = entry(ray.v, k);
    const float first = fminf(u.until, v.until), second = fmaxf(u.until, v.until);
    const bool u_first = u.until < v.until;
    add(0, u.first, v.first, first);
    add(1, u_first ? u.second : u.first, u_first ? v.first : v.second, second - first);
    add(2, u.second, v.second, 1.0F - second);
  } else {
    const Place pu = place_at(ray.u, k), pv = place_at(ray.v, k);
    const float u = pu.part - 0.5F, v = pv.part - 0.5F, u_floor = floorf(u), v_floor = floorf(v);
    const int i = pu.whole + static_cast<int>(u_floor), j = pv.whole + static_cast<int>(v_floor);
    const float u_next = u - u_floor, v_next = v - v_floor;
    add(0, i, j, (1.0F - u_next) * (1.0F - v_next));
    add(1, i + 1, j, u_next * (1.0F - v_next));
    add(2, i, j + 1, (1.0F - u_next) * v_next);
    add(3, i + 1, j + 1, u_next * v_next);
  }
}

/// Calls visit(voxel, weight) for the same voxels.
template <RayWeighting weights, class Visit>
GANTRY_HD void visit_layer(const TracedRay& ray, int k, const Visit& visit) {
  visit_places<weights>(ray, k,
                        [&](int, std::size_t voxel, float weight) { visit(voxel, weight); });
}

template <RayWeighting weights>
GANTRY_HD float traced_sum(const TraceScan& scan, const float* volume, int view, int column,
                           int row) {
  const TracedRay ray = traced_ray<weights>(scan, view, column, row);
  float sum = 0;
  for (int k = 0; k < ray.slices; ++k)
    visit_layer<weights>(ray, k, [&](std::size_t voxel, float weight) {
      sum = fmaf(weight, load(volume + voxel), sum);
    });
  return sum * ray.path_mm;
}

/// Calls add(voxel, weight times value) for all voxels of a ray; weights in mm.
template <RayWeighting weights, class Add>
GANTRY_HD void spread_ray(const TraceScan& scan, float value, int view, int column, int row,
                          const Add& add) {
  const TracedRay ray = traced_ray<weights>(scan, view, column, row);
  const float scaled = value * ray.path_mm;
  for (int k = 0; k < ray.slices; ++k)
    visit_layer<weights>(ray, k,
                         [&](std::size_t voxel, float weight) { add(voxel, weight * scaled); });
}

/// The cells to which rays through a voxel, or within a voxel of its centre, may lead: CellShadow.
struct TraceCells {
  int first_column, last_column, first_row, last_row;
};
template <RayWeighting weights>
GANTRY_HD TraceCells cells_near(const TraceScan& scan, const TraceView& view, int ix, int iy,
                                int iz) {
  const double reach = weights == RayWeighting::crossing ? 0.5 : 1.0, spare = 1e-6;
  const auto dot = [](Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const Point center{scan.lower_mm.x + (ix + 0.5) * scan.spacing_mm.x,
                     scan.lower_mm.y + (iy + 0.5) * scan.spacing_mm.y,
                     scan.lower_mm.z + (iz + 0.5) * scan.spacing_mm.z};
  const double half[3] = {reach * scan.spacing_mm.x, reach * scan.spacing_mm.y,
                          reach * scan.spacing_mm.z};
  const double in_plane = sqrt(half[0] * half[0] + half[1] * half[1]),
               away_x = center.x - view.source.x, away_y = center.y - view.source.y,
               middle = sqrt(away_x * away_x + away_y * away_y);
  double low_column = 1e300, high_column = -1e300, low_row = 1e300, high_row = -1e300;
  const auto include = [&](double column, double row) {
    low_column = fmin(low_column, column);
    high_column = fmax(high_column, column);
    low_row = fmin(low_row, row);
    high_row = fmax(high_row, row);
  };
  for (int corner = 0; corner < 8; ++corner) {
    const Point p{center.x + ((corner & 1) != 0 ? half[0] : -half[0]),
                  center.y + ((corner & 2) != 0 ? half[1] : -half[1]),
                  center.z + ((corner & 4) != 0 ? half[2] : -half[2])};
    if (scan.arc_radius_mm > 0) {
      const Point from = along(p, -1, view.source);
      const double column =
          scan.central_column +
          atan2(dot(from, view.across), dot(from, view.forward)) / scan.arc_pitch_rad;
      const double near = scan.level ? 1 : scan.arc_radius_mm / fmax(middle - in_plane, 1e-9),
                   far = scan.level ? 1 : scan.arc_radius_mm / (middle + in_plane);
      include(column, scan.central_row + near * from.z / view.v.z);
      include(column, scan.central_row + far * from.z / view.v.z);
    } else {
      Point origin = scan.parallel ? p : view.source;
      if (scan.level) origin.z = p.z;
      const Point direction = scan.parallel ? view.forward : along(p, -1, origin);
      const double a =
          dot(view.normal, along(view.detector, -1, origin)) / dot(view.normal, direction);
      const Point at = along(along(origin, a, direction), -1, view.detector);
      include(scan.central_column + dot(at, view.per_column),
              scan.central_row + dot(at, view.per_row));
    }
  }
  const auto first = [&](double low, int count) {
    return static_cast<int>(floor(fmin(fmax(low + 0.5 - spare, 0.0), 1.0 * count)));
  };
  const auto last = [&](double high, int count) {
    return static_cast<int>(floor(fmin(fmax(high + 0.5 + spare, -1.0), count - 1.0)));
  };
  if (scan.planar) return {first(low_column, scan.columns), last(high_column, scan.columns), 0, 0};
  return {first(low_column, scan.columns), last(high_column, scan.columns),
          first(low_row, scan.rows), last(high_row, scan.rows)};
}

/// The single weights of a scan, for methods that use rows and columns one by one (gpu/access). The
/// scan must not be restricted to a subset of the views.
template <RayWeighting weights>
struct TraceWeights {
  static constexpr int deep = 1;  ///< rays of voxels above each other have nothing in common
  TraceScan scan;

  GANTRY_HD int views() const { return scan.views; }

  /// Calls use(k, RayCell, weight) for the rays of view v that weigh the voxels iz + k step, with
  /// k < count.
  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int v,
                               const Use& use) const {
#pragma unroll
    for (int k = 0; k < Most; ++k) {
      if (k >= count) continue;
      const int z = iz + k * step;
      const std::size_t voxel = (static_cast<std::size_t>(z) * scan.ny + iy) * scan.nx + ix;
      const TraceCells cells = cells_near<weights>(scan, scan.view[v], ix, iy, z);
      for (int row = cells.first_row; row <= cells.last_row; ++row)
        for (int column = cells.first_column; column <= cells.last_column; ++column) {
          const TracedRay ray = traced_ray<weights>(scan, v, column, row);
          const int layer = ray.axis == 0 ? ix : ray.axis == 1 ? iy : z;
          visit_layer<weights>(ray, layer, [&](std::size_t other, float weight) {
            if (other == voxel)
              use(k, ray_cell(v, row, column, scan.rows, scan.columns), weight * ray.path_mm);
          });
        }
    }
  }

  /// Calls use(step, voxel, weight) for the voxels that a ray weighs; `lanes` threads divide the
  /// layers. Lanes of a warp whose visits have the same step make them together.
  template <class Use>
  GANTRY_HD void visit_steps(std::uint32_t number, int lane, int lanes, const Use& use) const {
    const int column = static_cast<int>(number % scan.columns);
    const auto rest = static_cast<int>(number / scan.columns);
    const TracedRay ray = traced_ray<weights>(scan, rest / scan.rows, column, rest % scan.rows);
    int first_step = 0;
    for (int k = lane; k < ray.slices; k += lanes, first_step += places_of_layer<weights>)
      visit_places<weights>(ray, k, [&](int place, std::size_t voxel, float weight) {
        use(first_step + place, voxel, weight * ray.path_mm);
      });
  }
  /// Calls use(voxel, weight) for the same voxels.
  template <class Use>
  GANTRY_HD void visit_row(std::uint32_t number, int lane, int lanes, const Use& use) const {
    visit_steps(number, lane, lanes,
                [&](int, std::size_t voxel, float weight) { use(voxel, weight); });
  }
};

}  // namespace gantry::device
