#include "core/projectors/distance_driven/dd_view.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// A 2D vector in the (u, w) axes of the layers.
struct Uw {
  double u, w;
};

Uw in_slices(Vec3 p, bool along_y) { return along_y ? Uw{p.x, p.y} : Uw{p.y, p.x}; }

[[noreturn]] void throw_too_wide() {
  throw UsageError(
      "the fan is too wide for the distance-driven model: a ray runs nearly parallel to the voxel "
      "layers",
      "projector", "use the Siddon projector for this scan");
}

}  // namespace

bool looks_along_y(double angle_rad) {
  return std::abs(std::sin(angle_rad)) <= std::abs(std::cos(angle_rad)) * (1 + 1e-12);
}

std::vector<int> views_of_kind(const ScanGeometry& geometry, ViewSubset subset, bool along_y) {
  std::vector<int> indices;
  for (int i = 0; i < subset.count; ++i)
    if (looks_along_y(geometry.angle_rad(subset.view(i))) == along_y)
      indices.push_back(subset.view(i));
  return indices;
}

/// The rays of one view in the (u, w) axes of its layers.
struct Fan {
  const ScanSpec& spec;
  bool parallel, arc;
  Uw across, forward;
  double per_column;  ///< change per column of the fan angle's tangent (flat) or of the fan angle,
                      ///< rad (arc); parallel beam: mm

  Fan(const ScanGeometry& geometry, int view, bool along_y)
      : spec(geometry.spec()),
        parallel(geometry.beam() == Beam::parallel),
        arc(geometry.spec().detector == DetectorShape::arc),
        across(in_slices(
            {std::cos(geometry.angle_rad(view)), std::sin(geometry.angle_rad(view)), 0}, along_y)),
        forward(in_slices(
            {-std::sin(geometry.angle_rad(view)), std::cos(geometry.angle_rad(view)), 0}, along_y)),
        per_column(parallel ? spec.column_pitch_mm
                            : spec.column_pitch_mm / spec.source_to_detector_mm) {}

  double offset(double column) const { return (column - spec.central_column) * per_column; }
  double tangent(double column) const {
    return parallel ? 0 : arc ? std::tan(offset(column)) : offset(column);
  }

  /// Returns du/dw of the ray whose fan angle has this tangent.
  double slope(double tangent) const {
    const double du = forward.u + tangent * across.u, dw = forward.w + tangent * across.w;
    if (std::abs(du) > 12 * std::abs(dw) || dw * forward.w <= 0) throw_too_wide();
    return du / dw;
  }

  /// Returns the mm along u at w = 0 per mm along the detector of a parallel beam.
  double stretch() const { return across.u - across.w * forward.u / forward.w; }

  /// Returns the distance along w from the source to the cells of a column. The distance of the
  /// cells from the source is SDD along the ray (arc) or along the detector's normal (flat).
  double depth_mm(double tangent) const {
    const double along = forward.w + tangent * across.w;
    return spec.source_to_detector_mm * (arc ? along / std::sqrt(1 + tangent * tangent) : along);
  }
};

DdView::DdView(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : slices(Layers::of(grid, looks_along_y(geometry.angle_rad(view)))) {
  const Fan fan(geometry, view, slices.along_y);
  const double sign = set_layers(fan, geometry.view(view));
  fill_cells(fan, sign, geometry.beam() == Beam::cone);
  set_locator(fan, sign);
}

double DdView::set_layers(const Fan& fan, const View& pose) {
  source_z_mm = pose.source_mm.z;
  const double pixel = slices.u_spacing_mm;
  if (fan.parallel) {
    const double slope = fan.slope(0);
    scale_first = 1;
    scale_step = 0;
    shift_first = (slices.w_first_mm * slope - slices.u_lower_mm) / pixel;
    shift_step = slices.w_spacing_mm * slope / pixel;
    return 1;
  }
  const Uw source = in_slices(pose.source_mm, slices.along_y);
  const double first = slices.w_first_mm - source.w,
               last = first + (slices.count - 1) * slices.w_spacing_mm;
  if (first * fan.forward.w <= 0 || last * fan.forward.w <= 0)
    throw UsageError("a part of the volume lies behind the source", "grid", "use a smaller volume");
  const double sign = first > 0 ? 1 : -1;
  scale_first = sign * first / pixel;
  scale_step = sign * slices.w_spacing_mm / pixel;
  shift_first = (source.u - slices.u_lower_mm) / pixel;
  shift_step = 0;
  return sign;
}

void DdView::fill_cells(const Fan& fan, double sign, bool diverges_along_z) {
  const int columns = fan.spec.detector_columns;
  const auto cells = static_cast<std::size_t>(columns);
  const auto value = [&](double column) {
    return fan.parallel ? fan.stretch() * fan.offset(column) / slices.u_spacing_mm
                        : sign * fan.slope(fan.tangent(column));
  };
  reversed = value(columns - 0.5) < value(-0.5);
  edge.resize(cells + 1);
  inverse_width.resize(cells);
  length_mm.resize(cells);
  inverse_depth.assign(cells, 0.0F);
  widest = 0;
  edge[0] = static_cast<float>(value(reversed ? columns - 0.5 : -0.5));
  for (std::size_t c = 0; c < cells; ++c) {
    const auto center = static_cast<double>(column(c));
    edge[c + 1] = static_cast<float>(value(reversed ? center - 0.5 : center + 0.5));
    const float width = edge[c + 1] - edge[c];  // in float32, so that fractions add up to one
    inverse_width[c] = 1 / width;
    widest = std::max(widest, width);
    const double tangent = fan.tangent(center), slope = fan.slope(tangent);
    length_mm[c] = static_cast<float>(slices.w_spacing_mm * std::sqrt(1 + slope * slope));
    if (diverges_along_z) inverse_depth[c] = static_cast<float>(sign / fan.depth_mm(tangent));
  }
}

void DdView::set_locator(const Fan& fan, double sign) {
  const double per_cell = (reversed ? -1 : 1) / fan.per_column;
  const double start = fan.spec.central_column + 0.5;  // edge coordinate of the central ray
  exact_locate = {.a = slices.u_spacing_mm / fan.stretch(),
                  .b = 0,
                  .c = 0,
                  .d = 1,
                  .gain = per_cell,
                  .bias = reversed ? fan.spec.detector_columns - start : start,
                  .arc = fan.arc};
  if (!fan.parallel) {
    // s = sign du/dw and du/dw = (forward.u + q across.u) / (forward.w + q across.w), solved for q.
    exact_locate.a = sign * fan.forward.w;
    exact_locate.b = -fan.forward.u;
    exact_locate.c = -sign * fan.across.w;
    exact_locate.d = fan.across.u;
  }
  locate = exact_locate.rounded();
}

}  // namespace gantry
