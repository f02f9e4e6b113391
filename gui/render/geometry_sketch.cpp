#include "gui/render/geometry_sketch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

struct Palette {
  Rgb ink, volume, field, path, source, detector, angle, columns, rows;
  static Palette on(const Theme& theme) {
    const bool dark = theme.dark;
    return {mix(theme.muted, theme.text, 0.5), rgb(dark ? 0x9DB7D5 : 0x4A6785),
            rgb(dark ? 0x4FC3A1 : 0x0F8A66),   rgb(dark ? 0xA0A0A0 : 0x808080),
            rgb(dark ? 0xFFC247 : 0xC77700),   rgb(dark ? 0x6FB7F2 : 0x1F6FB5),
            rgb(dark ? 0xFFB86B : 0xB85C00),   rgb(dark ? 0xD9A3FF : 0x7A2FB5),
            rgb(dark ? 0xFF9EC4 : 0xB8326E)};
  }
};

Vec3 onCircle(double radius, double angle, double z) {
  return {radius * std::sin(angle), -radius * std::cos(angle), z};
}

/// Positions of a parallel beam in the drawing: its rays run from in front of the volume to behind
/// it.
struct ParallelBeam {
  /// Offsets from the detector's pose to where the detector is drawn, and from there to where the
  /// rays begin.
  Vec3 to_detector, back;

  ParallelBeam(const ScanGeometry& geometry, const VolumeGrid& grid, const View& pose) {
    const Vec3 forward = normalized(pose.detector_mm - pose.source_mm);
    const double reach = parallelReach(geometry, grid);
    // On a circle or helix a parallel detector's pose lies on the rotation axis.
    if (geometry.rotates()) to_detector = reach * forward;
    back = -(reach + std::max(reach, dot(pose.detector_mm, forward))) * forward;
  }
};

/// Builds a sketch part by part.
class SketchArtist {
 public:
  SketchArtist(const ScanGeometry& geometry, const VolumeGrid& grid, int view, const Theme& theme)
      : geometry_(geometry),
        grid_(grid),
        rays_(geometry, view),
        pose_(geometry.view(view)),
        angle_(geometry.angle_rad(view)),
        palette_(Palette::on(theme)),
        bounds_(sketchBounds(geometry, grid)) {
    if (geometry.beam() != Beam::parallel) return;
    const ParallelBeam beam(geometry, grid, pose_);
    shift_ = beam.to_detector;
    back_ = beam.back;
  }

  Sketch draw() {
    drawVolume();
    drawFieldOfView();
    drawPath();
    drawAxes();
    drawDetector();
    drawBeam();
    if (geometry_.rotates()) drawAngle();
    return std::move(sketch_);
  }

 private:
  double unit() const { return bounds_.reach(); }
  Vec3 detectorPoint(double column, double row) const {
    return rays_.detector_point_mm(column, row) + shift_;
  }
  double lastColumn() const { return geometry_.columns() - 0.5; }
  double lastRow() const { return geometry_.rows() - 0.5; }

  void line(std::vector<Vec3> points, Rgb colour, double opacity = 1, bool bold = false) {
    sketch_.lines.push_back({std::move(points), colour, opacity, bold});
  }
  void arrow(Vec3 from, Vec3 to, Rgb colour, const std::string& name) {
    const double head = 0.06 * unit();
    const Vec3 along = normalized(to - from);
    line({from, to - 0.5 * head * along}, colour, 1, true);
    sketch_.heads.push_back({to, along, head, colour});
    sketch_.labels.push_back({name, to, from, colour});
  }

  void drawVolume() {
    const Vec3 a = grid_.lower_corner_mm(), b = grid_.upper_corner_mm();
    const auto corner = [&](int i) {
      return Vec3{i & 1 ? b.x : a.x, i & 2 ? b.y : a.y, i & 4 ? b.z : a.z};
    };
    for (const auto& side : {std::array{0, 1, 3, 2},
                             {4, 5, 7, 6},
                             {0, 1, 5, 4},
                             {2, 3, 7, 6},
                             {0, 2, 6, 4},
                             {1, 3, 7, 5}}) {
      std::vector<Vec3> corners;
      corners.reserve(5);
      for (const int i : side) corners.push_back(corner(i));
      sketch_.faces.push_back({corners, palette_.volume, 0.16});
      corners.push_back(corners.front());
      line(corners, palette_.volume, 0.9);
    }
  }

  void circle(double radius, double z, double from, double to, Rgb colour, double opacity,
              double rise_per_radian = 0) {
    const int steps = std::clamp(static_cast<int>(std::abs(to - from) / radians(3)), 8, 7200);
    std::vector<Vec3> points;
    for (int i = 0; i <= steps; ++i) {
      const double t = from + (to - from) * i / steps;
      points.push_back(onCircle(radius, t, z + rise_per_radian * t));
    }
    line(std::move(points), colour, opacity);
  }

  /// Returns the range of z that the drawn view covers at the rotation axis; for free poses the
  /// range of all views.
  AxialRange seenHeights() const {
    if (!geometry_.rotates()) return geometry_.axial_range_mm();
    const double pitch = geometry_.row_pitch_at_isocenter_mm(), z = pose_.detector_mm.z,
                 middle = geometry_.spec().central_row;
    return {z - (middle + 0.5) * pitch, z + (lastRow() - middle) * pitch};
  }

  void drawFieldOfView() {
    const double radius = geometry_.field_of_view_radius_mm();
    if (radius <= 0) return;
    const AxialRange seen = seenHeights();
    if (geometry_.rows() == 1) {
      circle(radius, 0.5 * (seen.low + seen.high), 0, 2 * pi, palette_.field, 0.9);
      return;
    }
    for (const double z : {seen.low, seen.high}) circle(radius, z, 0, 2 * pi, palette_.field, 0.9);
    for (int i = 0; i < 8; ++i) {
      const Vec3 foot = onCircle(radius, i * pi / 4, seen.low);
      line({foot, foot + Vec3{0, 0, seen.high - seen.low}}, palette_.field, 0.35);
    }
  }

  void drawPath() {
    if (geometry_.beam() == Beam::parallel) return;
    if (!geometry_.rotates()) return drawFreePoses();
    const auto& angles = geometry_.spec().view_angles_rad;
    const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
    const bool helical = geometry_.spec().trajectory == Trajectory::helical;
    const double rise = helical ? geometry_.spec().helical_feed_mm_per_turn / (2 * pi) : 0;
    const double step =
        angles.size() > 1 ? (*high - *low) / static_cast<double>(angles.size() - 1) : 0;
    const double radius = geometry_.spec().source_to_isocenter_mm;
    // One more step closes the circle: views at 0, 1, .. 359 degrees cover a full turn.
    if (helical)
      circle(radius, 0, *low, *high, palette_.path, 0.9, rise);
    else
      circle(radius, 0, *low, std::min(*high + step, *low + 2 * pi), palette_.path, 0.9);
  }

  /// Draws the path of free poses through the sources in the order of views, with a ball at each
  /// source where there are at most most_balls views.
  void drawFreePoses() {
    constexpr int most_balls = 120, most_points = 4000;
    const int step = std::max(1, geometry_.views() / most_points);
    std::vector<Vec3> stations;
    for (int v = 0; v < geometry_.views(); v += step)
      stations.push_back(geometry_.view(v).source_mm);
    if (geometry_.views() <= most_balls)
      for (const Vec3& at : stations) sketch_.balls.push_back({at, 0.009 * unit(), palette_.path});
    line(std::move(stations), palette_.path, 0.9);
  }

  void drawAxes() {
    const Vec3 a = grid_.lower_corner_mm(), b = grid_.upper_corner_mm();
    const double z0 = std::min(a.z, 0.0) - 0.18 * unit(), z1 = std::max(b.z, 0.0) + 0.34 * unit();
    const int dashes = static_cast<int>(std::ceil((z1 - z0) / (0.05 * unit())));
    for (int i = 0; i < dashes; ++i) {  // the rotation axis, dashed
      const double z = z0 + 0.05 * unit() * i;
      line({{0, 0, z}, {0, 0, std::min(z + 0.03 * unit(), z1)}}, palette_.ink, 0.8);
    }
    const double length = 0.30 * unit();
    arrow({0, 0, 0}, {length, 0, 0}, rgb(0xE5484D), "x");
    arrow({0, 0, 0}, {0, length, 0}, rgb(0x3FA34D), "y");
    arrow({0, 0, 0}, {0, 0, length}, rgb(0x4A82E8), "z");
  }

  std::vector<Vec3> detectorRow(double row) const {
    const bool arc = geometry_.spec().detector == DetectorShape::arc;
    const int steps = arc ? 48 : 1;
    std::vector<Vec3> points;
    for (int i = 0; i <= steps; ++i)
      points.push_back(
          detectorPoint(-0.5 + geometry_.columns() * static_cast<double>(i) / steps, row));
    return points;
  }

  /// Returns the range of rows that is drawn: all rows, or a taller band around their middle where
  /// the real height would be too small to see (a fan beam's single row).
  std::pair<double, double> drawnRows() const {
    const double needed = 0.05 * unit() / geometry_.spec().row_pitch_mm;
    if (geometry_.rows() >= needed) return {-0.5, lastRow()};
    const double middle = 0.5 * (geometry_.rows() - 1);
    return {middle - needed / 2, middle + needed / 2};
  }

  void drawDetector() {
    const auto [low, high] = drawnRows();
    const std::vector<Vec3> bottom = detectorRow(low), top = detectorRow(high);
    for (std::size_t i = 1; i < bottom.size(); ++i)
      sketch_.faces.push_back(
          {{bottom[i - 1], bottom[i], top[i], top[i - 1]}, palette_.detector, 0.28});
    line(bottom, palette_.detector, 1, true);
    line(top, palette_.detector, 1, true);
    const int blocks = std::min(geometry_.columns(), 16), bands = std::min(geometry_.rows(), 8);
    for (int i = 0; i <= blocks; ++i) {
      const double column = -0.5 + geometry_.columns() * static_cast<double>(i) / blocks;
      const bool edge = i == 0 || i == blocks;
      line({detectorPoint(column, low), detectorPoint(column, high)}, palette_.detector,
           edge ? 1 : 0.45, edge);
    }
    for (int i = 1; i < bands; ++i)
      line(detectorRow(low + (high - low) * i / bands), palette_.detector, 0.45);
    drawDetectorArrows(low, high);
  }

  void drawDetectorArrows(double low, double high) {
    const Vec3 corner = detectorPoint(-0.5, high), u = normalized(pose_.u_mm),
               v = normalized(pose_.v_mm);
    const Vec3 out = 0.03 * unit() * (v - u);
    const double length = 0.24 * unit();
    arrow(corner + out, corner + out + length * u, palette_.columns, "u");
    arrow(detectorPoint(-0.5, low) - 0.06 * unit() * u,
          detectorPoint(-0.5, low) - 0.06 * unit() * u + length * v, palette_.rows, "v");
    sketch_.labels.push_back({"D", detectorPoint(lastColumn(), high),
                              detectorPoint(0.4 * lastColumn(), low), palette_.detector});
  }

  void drawBeam() {
    const double middle = geometry_.spec().central_row;
    const double row =
        middle >= -0.5 && middle <= lastRow() ? middle : 0.5 * (geometry_.rows() - 1);
    if (geometry_.beam() == Beam::parallel) {
      drawParallelRays(row);
      return;
    }
    const Vec3 source = pose_.source_mm;
    const std::vector<Vec3> ends = detectorRow(row);
    for (std::size_t i = 1; i < ends.size(); ++i)
      sketch_.faces.push_back({{source, ends[i - 1], ends[i]}, palette_.source, 0.13});
    if (geometry_.beam() == Beam::cone)
      for (const double r : {-0.5, lastRow()})
        for (const double c : {-0.5, lastColumn()})
          line({source, detectorPoint(c, r)}, palette_.source, 0.85);
    else
      for (const double c : {-0.5, lastColumn()})
        line({source, detectorPoint(c, row)}, palette_.source, 0.9);
    line({source, detectorPoint(geometry_.spec().central_column, row)}, palette_.source, 0.5);
    sketch_.balls.push_back({source, 0.022 * unit(), palette_.source});
    sketch_.labels.push_back({"S", source, pose_.detector_mm, palette_.source});
  }

  void drawParallelRays(double row) {
    constexpr int rays = 9;
    for (int i = 0; i < rays; ++i) {
      const Vec3 end =
          detectorPoint(-0.5 + geometry_.columns() * static_cast<double>(i) / (rays - 1), row);
      const bool edge = i == 0 || i == rays - 1;
      line({end + back_, end}, palette_.source, edge ? 0.9 : 0.5);
      sketch_.heads.push_back(
          {end + 0.78 * back_, normalized(-1.0 * back_), 0.05 * unit(), palette_.source});
    }
    const Vec3 left = detectorPoint(-0.5, row), right = detectorPoint(lastColumn(), row);
    sketch_.faces.push_back({{left, right, right + back_, left + back_}, palette_.source, 0.10});
  }

  /// Draws an arc ahead of the source in the direction of growing gantry angle.
  void drawAngle() {
    const bool parallel = geometry_.beam() == Beam::parallel;
    const double radius = parallel ? norm(shift_) : 1.06 * geometry_.spec().source_to_isocenter_mm;
    const double from = angle_ + radians(7), to = angle_ + radians(32), z = pose_.source_mm.z;
    std::vector<Vec3> points;
    for (int i = 0; i <= 16; ++i)
      points.push_back(onCircle(radius, from + (to - from) * i / 16, z));
    const Vec3 along{std::cos(to), std::sin(to), 0};
    line(std::move(points), palette_.angle, 1, true);
    const Vec3 tip = onCircle(radius, to, z) + 0.04 * unit() * along;
    sketch_.heads.push_back({tip, along, 0.06 * unit(), palette_.angle});
    sketch_.labels.push_back({"t", tip, tip - 0.2 * unit() * along, palette_.angle});
  }

  const ScanGeometry& geometry_;
  const VolumeGrid& grid_;
  ViewRays rays_;
  View pose_;
  double angle_;
  Palette palette_;
  SketchBounds bounds_;
  Vec3 shift_, back_;  ///< of a parallel beam: ParallelBeam's to_detector and back
  Sketch sketch_;
};

}  // namespace

double parallelReach(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const Vec3 a = grid.lower_corner_mm(), b = grid.upper_corner_mm();
  const double half_diagonal = 0.5 * std::hypot(b.x - a.x, b.y - a.y);
  return 1.5 * std::max({half_diagonal, geometry.field_of_view_radius_mm(), 1e-3});
}

SketchBounds sketchBounds(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const Vec3 a = grid.lower_corner_mm(), b = grid.upper_corner_mm();
  SketchBounds bounds{std::max({std::hypot(a.x, a.y), std::hypot(b.x, b.y), 1e-3}), a.z, b.z};
  const auto hold = [&](Vec3 p) {
    bounds.radius = std::max(bounds.radius, std::hypot(p.x, p.y));
    bounds.low_z = std::min(bounds.low_z, p.z);
    bounds.high_z = std::max(bounds.high_z, p.z);
  };
  const bool parallel = geometry.beam() == Beam::parallel;
  if (parallel) {
    const double half_width = 0.5 * geometry.columns() * geometry.spec().column_pitch_mm;
    bounds.radius = std::max(bounds.radius, std::hypot(parallelReach(geometry, grid), half_width));
  }
  const int views = geometry.views(), step = std::max(1, views / 64);
  for (int i = 0; i < views + step; i += step) {  // includes the last view
    const int view = std::min(i, views - 1);
    const ViewRays rays(geometry, view);
    if (!parallel) hold(geometry.view(view).source_mm);
    for (const double column : {-0.5, geometry.columns() - 0.5})
      for (const double row : {-0.5, geometry.rows() - 0.5}) {
        const Vec3 corner = rays.detector_point_mm(column, row);
        hold(corner);
        if (!parallel) continue;
        const ParallelBeam beam(geometry, grid, geometry.view(view));
        hold(corner + beam.to_detector);
        hold(corner + beam.to_detector + beam.back);
      }
  }
  return bounds;
}

Sketch sketchScan(const ScanGeometry& geometry, const VolumeGrid& grid, int view,
                  const Theme& theme) {
  return SketchArtist(geometry, grid, std::clamp(view, 0, geometry.views() - 1), theme).draw();
}

}  // namespace gantry
