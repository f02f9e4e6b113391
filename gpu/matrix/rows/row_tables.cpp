#include "gpu/matrix/rows/row_tables.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "core/projectors/siddon_joseph/axis_ray.hpp"
#include "gpu/projectors/common/seen_from.hpp"

#include <cmath>

namespace gantry {

namespace {

/// A ray among the layers that it crosses; compare DdViewRows in
/// core/projectors/distance_driven/dd_rows.cpp.
struct PlaneRay {
  Layers slices;
  double u_mm, w_mm, slope, path_mm;

  PlaneRay(const Ray& ray, const VolumeGrid& grid, bool along_y)
      : slices(Layers::of(grid, along_y)) {
    const Vec3 o = ray.origin_mm, d = ray.direction;
    u_mm = along_y ? o.x : o.y;
    w_mm = along_y ? o.y : o.x;
    const double dw = along_y ? d.y : d.x;
    slope = (along_y ? d.x : d.y) / dw;
    path_mm = slices.w_spacing_mm / std::abs(dw);
  }

  /// Returns the ray's positions on planes that lie `planes_off` layers behind the middles of the
  /// layers: -0.5 for the lower faces, 0.5 for the upper ones.
  device::RowLine line(double planes_off) const {
    const double first_mm = slices.w_first_mm + planes_off * slices.w_spacing_mm;
    return {(u_mm + (first_mm - w_mm) * slope - slices.u_lower_mm) / slices.u_spacing_mm,
            slope * slices.w_spacing_mm / slices.u_spacing_mm};
  }
};

/// Returns whether a ray steps through layers y = const: those that it crosses more steeply,
/// counted in pixels. On a tie y is chosen.
bool steps_along_y(Vec3 direction, const VolumeGrid& grid) {
  return std::abs(direction.x) / grid.spacing_mm.x <=
         std::abs(direction.y) / grid.spacing_mm.y * (1 + 1e-12);
}

}  // namespace

device::RowScan describe_rows(const ScanGeometry& geometry, const VolumeGrid& grid,
                              std::span<const int> views, int spare,
                              std::vector<device::SeenFrom>& seen) {
  for (const int v : views) seen.push_back(seen_from(geometry, grid, v));
  return {seen.data(), seen_by(geometry), grid.nx, grid.ny, static_cast<int>(views.size()), spare};
}

AreaRowTables::AreaRowTables(const ScanGeometry& geometry, const VolumeGrid& grid,
                             std::span<const int> views, AreaWeights weights) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  const bool parallel = geometry.beam() == Beam::parallel;
  const double sid = parallel ? 0 : geometry.spec().source_to_isocenter_mm;
  edges.resize(views.size() * (columns + 1));
  strips.resize(views.size() * columns);
  sources.resize(views.size() * 2);
  ParallelErrors errors;
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < views.size(); ++v)
    errors.run([&] {
      const AreaView view(geometry, grid, views[v], weights);
      std::ranges::copy(view.edges(),
                        edges.begin() + static_cast<std::ptrdiff_t>(v * (columns + 1)));
      for (std::size_t c = 0; c < columns; ++c)
        strips[v * columns + c] = view.strip(static_cast<int>(c));
      const double t = geometry.angle_rad(views[v]);
      sources[2 * v] = sid * std::sin(t);
      sources[2 * v + 1] = -sid * std::cos(t);
    });
  errors.rethrow();
  model = {describe_rows(geometry, grid, views, 0, seen),
           edges.data(),
           strips.data(),
           sources.data(),
           grid.origin_mm.x,
           grid.origin_mm.y,
           grid.spacing_mm.x,
           grid.spacing_mm.y,
           weights == AreaWeights::area,
           parallel};
}

IntervalRowTables::IntervalRowTables(const ScanGeometry& geometry, const VolumeGrid& grid,
                                     std::span<const int> views, RowDefinition definition) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  const bool cells = definition == RowDefinition::distance_driven;
  lines.resize(2 * views.size() * columns);
  paths.resize(views.size() * columns);
  ParallelErrors errors;
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < views.size(); ++v)
    errors.run([&] {
      const ViewRays rays(geometry, views[v]);
      for (std::size_t c = 0; c < columns; ++c) {
        const auto column = static_cast<double>(c);
        const Ray ray = cells ? rays.ray(column, 0) : along_its_axis(rays.ray(column, 0), grid);
        const bool along_y = cells ? looks_along_y(geometry.angle_rad(views[v]))
                                   : steps_along_y(ray.direction, grid);
        const PlaneRay central(ray, grid, along_y);
        const auto edge = [&](double off) {
          return PlaneRay(rays.ray(column + off, 0), grid, along_y).line(0);
        };
        const std::size_t at = v * columns + c;
        paths[at] = {central.path_mm, along_y ? 1 : 0};
        lines[2 * at] = cells ? edge(-0.5) : central.line(-0.5);
        lines[2 * at + 1] = cells ? edge(0.5) : central.line(0.5);
      }
    });
  errors.rethrow();
  model = {describe_rows(geometry, grid, views, 0, seen), lines.data(), paths.data()};
}

}  // namespace gantry
