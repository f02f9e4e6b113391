#include "core/solvers/direct/circle_resampling.hpp"

#include "core/base/params.hpp"
#include "core/geometry/pose_landing.hpp"

#include <cmath>
#include <utility>

namespace gantry {

namespace {

/// Returns the value between the cells of a view, 0 from one cell beyond the outermost ones on.
float between_cells(const float* values, int columns, int rows, Landing at) {
  const double column = std::floor(at.column), row = std::floor(at.row);
  if (!(column >= -1 && column < columns && row >= -1 && row < rows)) return 0;
  const auto u = static_cast<float>(at.column - column), v = static_cast<float>(at.row - row);
  const int c = static_cast<int>(column), r = static_cast<int>(row);
  const auto cell = [&](int dc, int dr) {
    const bool inside = c + dc >= 0 && c + dc < columns && r + dr >= 0 && r + dr < rows;
    return inside ? values[static_cast<std::ptrdiff_t>(r + dr) * columns + c + dc] : 0.0F;
  };
  return (1 - v) * ((1 - u) * cell(0, 0) + u * cell(1, 0)) +
         v * ((1 - u) * cell(0, 1) + u * cell(1, 1));
}

}  // namespace

CircleResampling::CircleResampling(ScanGeometry poses, const std::string& method)
    : poses_(std::move(poses)), near_(near_circle(poses_, method)), circle_(near_.scan) {}

std::string CircleResampling::note() const {
  const std::string deviation =
      poses_.beam() == Beam::parallel
          ? "rays deviate from it by up to " + format_param(degrees(near_.ray_rad)) + " degrees"
          : "sources deviate from it by up to " + format_param(near_.source_mm) + " mm";
  return "The free poses were taken for a circle: views were resampled onto its detector; " +
         deviation;
}

void CircleResampling::resample(int view, const float* from, float* to) const {
  const View pose = poses_.view(view);
  const ViewRays rays(circle_, view);
  const double angle = circle_.angle_rad(view);
  const Vec3 forward{-std::sin(angle), std::cos(angle), 0};
  for (int row = 0; row < circle_.rows(); ++row)
    for (int column = 0; column < circle_.columns(); ++column) {
      const Ray ray = rays.ray(column, row);
      const Vec3 crossing =
          ray.origin_mm -
          (dot(ray.origin_mm, forward) / dot(ray.direction, forward)) * ray.direction;
      *to++ = between_cells(from, poses_.columns(), poses_.rows(), landing(poses_, pose, crossing));
    }
}

}  // namespace gantry
