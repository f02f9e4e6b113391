#include "core/projectors/area/area_view.hpp"

namespace gantry {

AreaEdge AreaView::edge(double normal_x, double normal_y, double offset_mm, Vec3 spacing_mm) const {
  const double a = std::abs(normal_x) * spacing_mm.x, b = std::abs(normal_y) * spacing_mm.y;
  const double longer = std::max(a, b), shorter = std::min(a, b);
  return {normal_x,
          normal_y,
          offset_mm,
          0.5 * (longer + shorter),
          0.5 * (longer - shorter),
          1 / longer,
          shorter > 0 ? 0.5 / (longer * shorter) : 0};
}

AreaStrip AreaView::strip_between(const AreaEdge& low, const AreaEdge& high, double opening) const {
  // The direction of an edge, away from the source, is (-ny, nx); this is the sum of both edges.
  const double along_x = -low.ny - high.ny, along_y = low.nx + high.nx;
  AreaStrip strip{};
  strip.along_y = std::abs(along_x) <= std::abs(along_y);
  strip.per_width = 1 / opening;
  const Layers& grid = slices(strip.along_y);
  const double face_mm = grid.w_first_mm - 0.5 * grid.w_spacing_mm;
  for (const AreaEdge* e : {&low, &high}) {
    const int i = e == &low ? 0 : 1;
    const double nu = strip.along_y ? e->nx : e->ny, nw = strip.along_y ? e->ny : e->nx;
    // Only if the edge runs forwards along axis w do its crossings with the layers bound the strip.
    const double forwards = strip.along_y ? nu * along_y : -nu * along_x;
    if (forwards < 0.05 * std::hypot(along_x, along_y)) strip.wide = true;
    const double slope = -nw / nu;
    strip.start[i] = (e->offset_mm / nu + slope * face_mm - grid.u_lower_mm) / grid.u_spacing_mm;
    strip.step[i] = slope * grid.w_spacing_mm / grid.u_spacing_mm;
  }
  return strip;
}

AreaView::AreaView(const ScanGeometry& geometry, const VolumeGrid& grid, int view,
                   AreaWeights weights)
    : weights_(weights),
      parallel_(geometry.beam() == Beam::parallel),
      pixel_area_(grid.spacing_mm.x * grid.spacing_mm.y),
      slices_{Layers::of(grid, false), Layers::of(grid, true)} {
  const ScanSpec& spec = geometry.spec();
  const double t = geometry.angle_rad(view), cos_t = std::cos(t), sin_t = std::sin(t);
  if (!parallel_) {
    source_x_ = spec.source_to_isocenter_mm * sin_t;
    source_y_ = -spec.source_to_isocenter_mm * cos_t;
  }
  // Columns grow along (cos t, sin t), rays run along (-sin t, cos t).
  std::vector<double> place;  // of the edges along the detector: fan angle, rad; parallel beam: mm
  for (int c = 0; c <= geometry.columns(); ++c) {
    place.push_back(parallel_ ? (c - 0.5 - spec.central_column) * spec.column_pitch_mm
                              : geometry.fan_angle_rad(c - 0.5));
    const double b = parallel_ ? 0 : place.back();
    edges_.push_back(edge(
        std::cos(b) * cos_t + std::sin(b) * sin_t, std::cos(b) * sin_t - std::sin(b) * cos_t,
        parallel_ ? place.back() : spec.source_to_isocenter_mm * std::sin(b), grid.spacing_mm));
  }
  for (std::size_t c = 0; c + 1 < edges_.size(); ++c)
    strips_.push_back(strip_between(edges_[c], edges_[c + 1], place[c + 1] - place[c]));
  find_runs();
}

void AreaView::find_runs() {
  const auto crossing = [](const AreaStrip& strip, int edge) {
    const double step = strip.step[edge], length = std::abs(step), per = 0.5 / length;
    return AreaCrossing{strip.start[edge] + std::min(step, 0.0), step, 0.5 * length,
                        std::isfinite(per) ? per : 0};
  };
  for (int column = 0; column < columns(); ++column) {
    const AreaStrip& strip = this->strip(column);
    if (strip.wide || std::abs(strip.step[0]) > 1 || std::abs(strip.step[1]) > 1) {
      single_columns_.push_back(column);
      continue;
    }
    const AreaEdge& edge = edges_[static_cast<std::size_t>(column)];
    const double sign = (strip.along_y ? edge.nx : edge.ny) > 0 ? 1 : -1;
    if (runs_.empty() || runs_.back().along_y != strip.along_y || runs_.back().sign != sign ||
        runs_.back().first_column + runs_.back().columns != column)
      runs_.push_back({strip.along_y, sign, column, 0, {crossing(strip, 0)}});
    ++runs_.back().columns;
    runs_.back().edges.push_back(crossing(strip, 1));
  }
}

AreaDistance AreaView::distance(bool along_y, int first_layer) const {
  const Layers& grid = slices(along_y);
  const double u = grid.u_lower_mm + 0.5 * grid.u_spacing_mm,
               w = grid.w_first_mm + first_layer * grid.w_spacing_mm;
  return {weights_ == AreaWeights::length && !parallel_, u - (along_y ? source_x_ : source_y_),
          grid.u_spacing_mm, w - (along_y ? source_y_ : source_x_), grid.w_spacing_mm};
}

std::int64_t AreaView::count(int column) const {
  constexpr double touch = 1e-9;
  const AreaStrip& strip = this->strip(column);
  const Layers& grid = slices(strip.along_y);
  std::int64_t pixels = 0;
  if (strip.wide) {
    visit(column, [&](int, int, double) { ++pixels; });
    return pixels;
  }
  const double width = grid.width;
  for (int slice = 0; slice < grid.count; ++slice) {
    const Interval extent = this->extent(strip, slice, grid.width);
    const double low = std::min(extent.low, width), high = std::max(extent.high, 0.0);
    // Truncation equals floor, since the numbers are positive; the same on width - high gives ceil.
    const int begin = static_cast<int>(low + touch),
              end = grid.width - static_cast<int>(width - std::max(high - touch, 0.0));
    if (high - low >= 1e-12) pixels += std::max(end - begin, 0);
  }
  return pixels;
}

}  // namespace gantry
