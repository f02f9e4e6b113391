#include "core/io/geometries/astra_arc.hpp"

#include "core/base/error.hpp"
#include "core/io/geometries/astra_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace gantry {

namespace {

/// A view in the terms of a circle or helix.
struct ArcView {
  double angle_rad = 0, height_mm = 0;                    ///< of the source
  double source_to_isocenter_mm = 0, radius_mm = 0;       ///< of the source; of the cylinder
  double column_mm = 0, row_mm = 0, column = 0, row = 0;  ///< pitches; the central ray's cell
};

/// Returns nothing unless the cylinder stands upright about the source and its rows rise along z.
std::optional<ArcView> arc_view(std::span<const double> n, const ScanSpec& detector) {
  const Vec3 source{n[0], n[1], n[2]}, middle{n[3], n[4], n[5]}, u{n[6], n[7], n[8]},
      v{n[9], n[10], n[11]};
  ArcView view;
  view.radius_mm = n[12];
  view.column_mm = norm(u);
  view.row_mm = norm(v);
  view.source_to_isocenter_mm = std::hypot(source.x, source.y);
  const Vec3 normal = cross(normalized(u), {0, 0, 1}), away = middle - source;
  const double slack_mm = 1e-5 * view.radius_mm;
  const bool is_upright = std::hypot(v.x, v.y) <= 1e-9 * view.row_mm && v.z > 0 &&
                          std::abs(u.z) <= 1e-9 * view.column_mm;
  const bool is_about_source = view.radius_mm > view.source_to_isocenter_mm &&
                               view.source_to_isocenter_mm > 0 &&
                               std::abs(std::abs(dot(away, normal)) - view.radius_mm) <= slack_mm &&
                               std::abs(dot(away, normalized(u))) <= slack_mm;
  if (!is_upright || !is_about_source) return std::nullopt;
  view.angle_rad = std::atan2(source.x, -source.y);
  view.height_mm = source.z;
  const Vec3 across{std::cos(view.angle_rad), std::sin(view.angle_rad), 0},
      forward{-across.y, across.x, 0};
  // The middle of the detector lies beside the ray through the axis by this angle.
  const double beside_rad = std::atan2(dot(away, across), dot(away, forward));
  if (dot(u, across) * std::cos(beside_rad) <= 0) return std::nullopt;
  view.column = detector.central_column - beside_rad * view.radius_mm / view.column_mm;
  view.row = detector.central_row - away.z / view.row_mm;
  return view;
}

[[noreturn]] void refuse(std::size_t view, const std::string& what, const std::string& path) {
  throw InputError(
      "has a cylindrical detector that " + what + " in view " + std::to_string(view + 1), path,
      "only a cylinder about the source that turns about z, with rows upwards, can be "
      "kept; rebin the projections to a flat detector");
}

/// Makes the angles of views that follow each other go on without jumps of a turn. On a helix, the
/// turns are those by which the source rises. Returns the rise of a turn, mm.
double unwrap(std::vector<ArcView>& views) {
  for (std::size_t i = 1; i < views.size(); ++i)
    views[i].angle_rad = views[i - 1].angle_rad +
                         std::remainder(views[i].angle_rad - views[i - 1].angle_rad, 2 * pi);
  const double turned = views.back().angle_rad - views.front().angle_rad,
               rise = views.back().height_mm - views.front().height_mm,
               feed = turned != 0 ? 2 * pi * rise / turned : 0;
  if (std::abs(rise) <= 1e-9 * views.front().radius_mm) return 0;
  const double ahead = views.front().height_mm / feed - views.front().angle_rad / (2 * pi);
  for (ArcView& view : views) view.angle_rad += 2 * pi * std::round(ahead);
  return feed;
}

StatedGeometry read_arcs(const std::string& path, const KnownDetector& known) {
  const NumberTable table = read_number_table(path, 13);
  StatedGeometry stated;
  ScanSpec& spec = stated.spec;
  spec = poses_on_detector(stated_cells(table, path, known), path, cells_remedy);
  std::vector<ArcView> views;
  for (std::size_t i = 0; i < table.lines(); ++i) {
    const auto view = arc_view(table.line(i), spec);
    if (!view) refuse(i, "is not about the source", path);
    views.push_back(*view);
  }
  const double feed = unwrap(views);
  const ArcView& first = views.front();
  for (std::size_t i = 0; i < views.size(); ++i) {
    const ArcView& one = views[i];
    constexpr double part = 1e-5, cells = 0.01;
    const double length_mm = part * first.radius_mm;
    if (std::abs(one.source_to_isocenter_mm - first.source_to_isocenter_mm) > length_mm ||
        std::abs(one.radius_mm - first.radius_mm) > length_mm ||
        std::abs(one.column_mm - first.column_mm) > part * first.column_mm ||
        std::abs(one.row_mm - first.row_mm) > part * first.row_mm ||
        std::abs(one.column - first.column) > cells || std::abs(one.row - first.row) > cells ||
        std::abs(one.height_mm - feed * one.angle_rad / (2 * pi)) > length_mm)
      refuse(i, "moves along no circle and no helix", path);
    spec.view_angles_rad.push_back(one.angle_rad);
  }
  spec.trajectory = feed == 0 ? Trajectory::circular : Trajectory::helical;
  spec.detector = DetectorShape::arc;
  spec.source_to_isocenter_mm = first.source_to_isocenter_mm;
  spec.source_to_detector_mm = first.radius_mm;
  spec.column_pitch_mm = first.column_mm;
  spec.row_pitch_mm = first.row_mm;
  spec.central_column = first.column;
  spec.central_row = first.row;
  spec.helical_feed_mm_per_turn = feed;
  stated.assumptions.push_back({"unit of lengths", "mm", "ASTRA's geometries have no unit"});
  return stated;
}

}  // namespace

GeometryFormat astra_arc_format() {
  GeometryFormat format;
  format.key = "astra_cyl_cone_vec";
  format.label = "ASTRA cyl_cone_vec";
  format.extensions = {".cyl_cone_vec.txt", ".cyl_cone_vec"};
  format.read = read_arcs;
  return format;
}

}  // namespace gantry
