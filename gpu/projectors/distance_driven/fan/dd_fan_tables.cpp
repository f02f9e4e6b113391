#include "gpu/projectors/distance_driven/fan/dd_fan_tables.hpp"

#include "core/geometry/symmetry.hpp"

#include <cmath>

namespace gantry {

using device::DdFanView;
using device::FanKind;
using device::FanLocate;
using device::LayerSums;
using device::Linear;

namespace {

/// Scale and shift of a table at the middle of its layers, which may lie between two of them.
struct Middle {
  double scale, shift;
  explicit Middle(const DdView& table)
      : scale(table.scale_first + 0.5 * (table.slices.count - 1) * table.scale_step),
        shift(table.shift_first + 0.5 * (table.slices.count - 1) * table.shift_step) {}
};

Linear scaled(double factor, double constant, double per_i, double per_k) {
  return {static_cast<float>(factor * constant), static_cast<float>(factor * per_i),
          static_cast<float>(factor * per_k)};
}

LayerSums layer_sums(int width, int count) {
  const int padded = (count + 3) / 4 * 4, stride = (width + 2 + 3) / 4 * 4;
  return {.width = width,
          .count = count,
          .stride = stride,
          .begin = 0,
          .end = padded,
          .first = 0,
          .size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(padded)};
}

}  // namespace

FanKind fan_kind(const ScanGeometry& geometry) {
  if (geometry.beam() == Beam::parallel) return FanKind::parallel;
  return geometry.spec().detector == DetectorShape::arc ? FanKind::arc : FanKind::flat;
}

// With e the pixel edge and k the layer, both from the middle, the edge's value in the table is
// s = (e + width / 2 - shift_k) / scale_k, and DdLocate takes it to
//   q = (a s + b) / (c s + d) = (a E + b scale_k) / (c E + d scale_k),  E = e + width / 2 -
//   shift_k.
DdFanView describe_fan_view(const DdView& table, FanKind kind) {
  const ExactLocate& at = table.exact_locate;
  const Middle middle(table);
  const double cells = table.cells(), start = 0.5 * table.slices.width - middle.shift;
  DdFanView view{};
  view.along_y = table.slices.along_y ? 1 : 0;
  view.reversed = table.reversed ? 1 : 0;
  FanLocate& locate = view.locate;
  locate.scale = static_cast<float>(middle.scale);
  locate.scale_step = static_cast<float>(table.scale_step);
  if (kind == FanKind::parallel) {
    const double per_pixel = at.gain * at.a / cells;
    locate.numerator =
        scaled(1, per_pixel * start + at.bias / cells, per_pixel, -per_pixel * table.shift_step);
    return view;
  }
  // Numerator and denominator are divided by the denominator in the middle, which is then near 1.
  const double over = at.c * start + at.d * middle.scale;
  // All views of an arc have the same gain (DdFanScan::gain) except for its sign.
  const double gain = kind == FanKind::flat ? at.gain / cells : std::copysign(1.0, at.gain);
  locate.numerator =
      scaled(gain / over, at.a * start + at.b * middle.scale, at.a, at.b * table.scale_step);
  locate.denominator = scaled(1 / over, over, at.c, at.d * table.scale_step);
  locate.bias = static_cast<float>(at.bias / cells);
  if (kind == FanKind::flat)
    locate.bend = static_cast<float>(-at.c * over / (at.gain * (at.a * at.d - at.b * at.c)));
  else
    locate.bend = static_cast<float>(-1 / std::abs(at.gain));
  locate.start = static_cast<float>(start);
  return view;
}

device::DdFanScan fan_shape(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const FanKind kind = fan_kind(geometry);
  const int columns = geometry.columns();
  const ScanSpec& spec = geometry.spec();
  const double angle = kind == FanKind::arc ? spec.column_pitch_mm / spec.source_to_detector_mm : 1;
  return {.view = nullptr,
          .edge = nullptr,
          .cell = nullptr,
          .length_mm = nullptr,
          .columns = columns,
          .row_stride = (columns + 2 + 3) / 4 * 4,
          .views = geometry.views(),
          .gain = static_cast<float>(1 / (angle * columns)),
          .angle_square_third = static_cast<float>(angle * angle / 3),
          .along_y = layer_sums(grid.nx, grid.ny),
          .along_x = layer_sums(grid.ny, grid.nx),
          .add = 0};
}

DdFanTables::DdFanTables(const CudaBackend& backend, const ScanGeometry& geometry,
                         const VolumeGrid& grid)
    : kind_(fan_kind(geometry)) {
  for (int v = 0; v < geometry.views(); ++v) append(DdView(geometry, grid, v));
  view_ = DeviceBuffer<DdFanView>(backend, host_view_);
  edge_ = DeviceBuffer<float2>(backend, host_edge_);
  cell_ = DeviceBuffer<float>(backend, host_cell_);
  length_ = DeviceBuffer<float>(backend, host_length_);
  host_edge_ = {};
  host_cell_ = host_length_ = {};
  shape_ = fan_shape(geometry, grid);
  shape_.view = view_.data();
  shape_.edge = edge_.data();
  shape_.cell = cell_.data();
  shape_.length_mm = length_.data();
}

void DdFanTables::append(const DdView& table) {
  host_view_.push_back(describe_fan_view(table, kind_));
  const Middle middle(table);
  const double width = table.slices.width;
  for (const float edge : table.edge) {
    const double s = edge;
    host_edge_.push_back({static_cast<float>((middle.scale * s + middle.shift) / width),
                          static_cast<float>((table.scale_step * s + table.shift_step) / width)});
  }
  const float2* edge = host_edge_.data() + host_edge_.size() - table.edge.size();
  for (std::size_t c = 0; c < table.length_mm.size(); ++c) {
    // The cell's width as the kernel computes it in float32, so that its fractions add up to one.
    const double seen = (static_cast<double>(edge[c + 1].x) - edge[c].x) * width / middle.scale,
                 length = table.length_mm[c];
    host_cell_.push_back(
        static_cast<float>(seen > 0 ? length / seen : length * table.inverse_width[c]));
    host_length_.push_back(table.length_mm[c]);
  }
}

device::DdFanScan DdFanTables::scan(int views) const {
  device::DdFanScan some = shape_;
  some.views = views;
  return some;
}

DdFanTables::KindsSeen DdFanTables::kinds_seen(ViewSubset subset) const {
  KindsSeen seen;
  for (int nth = 0; nth < subset.count; ++nth) {
    const bool along_y = host_view_[static_cast<std::size_t>(subset.view(nth))].along_y != 0;
    (along_y ? seen.along_y : seen.along_x) = true;
  }
  return seen;
}

DdFanTables::Kinds DdFanTables::kinds(ViewSubset subset) const {
  std::vector<int> views;
  for (int nth = 0; nth < subset.count; ++nth) views.push_back(subset.view(nth));
  return kinds(views);
}

DdFanTables::Kinds DdFanTables::kinds(std::span<const int> views) const {
  Kinds kinds;
  unsigned row = 0;
  for (const int v : views) {
    const DdFanView& view = host_view_[static_cast<std::size_t>(v)];
    (view.along_y != 0 ? kinds.along_y : kinds.along_x).push_back({view.locate, row});
    row += static_cast<unsigned>(shape_.row_stride);
  }
  return kinds;
}

std::size_t DdFanTables::bytes(const ScanGeometry& geometry) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  return static_cast<std::size_t>(geometry.views()) *
         (sizeof(DdFanView) + (columns + 1) * sizeof(float2) + 2 * columns * sizeof(float));
}

namespace {

/// Linear index of a pixel of a square slice.
std::ptrdiff_t index_of(VoxelIndex at, int width) {
  return at.x + at.y * static_cast<std::ptrdiff_t>(width);
}

/// Returns where an element takes pixel (x, y), which is an affine function of x and y.
device::FoldTerm steps_of(const ScanSymmetry& symmetry, const SymmetryElement& g, int width) {
  const std::ptrdiff_t first = index_of(symmetry.voxel(g, {0, 0, 0}), width);
  return {first, index_of(symmetry.voxel(g, {1, 0, 0}), width) - first,
          index_of(symmetry.voxel(g, {0, 1, 0}), width) - first};
}

std::vector<int> stored_views_along_y(const ScanSymmetry& symmetry, const ScanGeometry& geometry) {
  const int views = geometry.views();
  if (symmetry.elements().size() != 8 ||
      8 * symmetry.stored_views().size() != static_cast<std::size_t>(views))
    return {};
  std::vector<int> stored;
  for (const int v : symmetry.stored_views())
    for (const SymmetryElement& g : symmetry.elements()) {
      const int image = symmetry.view(g, v);
      if (!looks_along_y(geometry.angle_rad(image))) continue;
      stored.push_back(image);
      break;
    }
  return stored;
}

}  // namespace

std::vector<int> symmetric_fan_views(const ScanGeometry& geometry, const VolumeGrid& grid) {
  if (grid.nz != 1 || geometry.rows() != 1) return {};
  return stored_views_along_y(ScanSymmetry(geometry, grid), geometry);
}

DdFanSymmetry::DdFanSymmetry(const CudaBackend& backend, const ScanGeometry& geometry,
                             const VolumeGrid& grid) {
  if (grid.nz != 1 || geometry.rows() != 1) return;
  const ScanSymmetry symmetry(geometry, grid);
  host_stored_ = stored_views_along_y(symmetry, geometry);
  if (host_stored_.empty()) return;
  width_ = grid.nx;
  for (int value = 0; value < 8; ++value) {
    const SymmetryElement& g = symmetry.elements()[static_cast<std::size_t>(value)];
    const device::FoldTerm to = steps_of(symmetry, g, width_),
                           from = steps_of(symmetry, inverse(g), width_);
    layout_.pixel_map[value] = {to.first, to.per_x, to.per_y};
    image_of_[value] = {g.quarter_turns % 2 != 0, from.per_x < 0, from.per_y < 0};
  }
  std::vector<device::RayLine> lines;
  const int columns = geometry.columns();
  for (const int v : host_stored_) {
    const bool reversed = DdView(geometry, grid, v).reversed;
    for (const SymmetryElement& g : symmetry.elements()) {
      const RayIndex first = symmetry.ray(g, {v, reversed ? columns - 1 : 0, 0}),
                     last = symmetry.ray(g, {v, reversed ? 0 : columns - 1, 0});
      lines.push_back({static_cast<std::ptrdiff_t>(first.view) * columns + first.column,
                       last.column < first.column ? -1 : 1});
    }
  }
  stored_ = DeviceBuffer<int>(backend, host_stored_);
  ray_line_ = DeviceBuffer<device::RayLine>(backend, lines);
  layout_.stored_view = stored_.data();
  layout_.ray_line = ray_line_.data();
}

device::SymmetricLayout DdFanSymmetry::layout() const { return layout_; }

device::Fold DdFanSymmetry::fold(const device::Span& x, const device::Span& y, std::size_t size,
                                 std::size_t direct, std::size_t exchanged) const {
  device::Fold fold{};
  fold.x = x;
  fold.y = y;
  const std::ptrdiff_t nx = x.count, ny = y.count;
  int directs = 0, turns = 0;
  for (int value = 0; value < 8; ++value) {
    const ImageOf& image = image_of_[value];
    const auto before = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(value) * size +
                                                    (image.exchanged ? exchanged : direct));
    // Steps along x and along y in the image, and the offset of the pixel (0, 0).
    const std::ptrdiff_t along_x = image.exchanged ? ny : 1, along_y = image.exchanged ? 1 : nx;
    (image.exchanged ? fold.exchanged[turns++] : fold.direct[directs++]) = {
        before + (image.x_back ? (nx - 1) * along_x : 0) + (image.y_back ? (ny - 1) * along_y : 0),
        image.x_back ? -along_x : along_x, image.y_back ? -along_y : along_y};
  }
  return fold;
}

std::size_t DdFanSymmetry::bytes(int stored_views) {
  return static_cast<std::size_t>(stored_views) * (sizeof(int) + 8 * sizeof(device::RayLine));
}

}  // namespace gantry
