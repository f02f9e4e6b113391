// The rays of an upright detector column share one projection onto the plane of rotation, and in
// every layer their heights are affine in the row. In a layer, a detector column thus meets one or
// two voxel lines f_i, each of which one kernel call resamples onto the rows. With t the weight of
// the first of the two pixels in the layer:
//   Joseph: the line t f_i + (1 - t) f_i+1 is interpolated at the heights of the rows on the middle
//           plane of the layer.
//   Siddon: each voxel line that is crossed is resampled on its own; while the ray to row q is
//           inside that line, its height runs through an interval no longer than a voxel.
// A task of the forward product owns detector columns, a task of the transpose owns layers.
#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/common/prefix_sums.hpp"
#include "core/projectors/common/voxel_lines.hpp"
#include "core/projectors/siddon_joseph/plane_lines.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr int view_batch = 8;   // views that are processed together in a pass over the layers
constexpr int layer_block = 8;  // layers of a pass

/// One LineGroup of one view with the data of its detector columns, [line][row].
struct ColumnGroup {
  LineGroup lines;
  std::vector<float> data;
  /// Prefix sums of the data, one RowSums per line; empty for projectors that do not use them.
  std::vector<std::int32_t> sums = {};
  double unit = 1;
};

/// Memory of a task of the transpose, for one voxel line.
struct LineScratch {
  std::vector<ValuePair> pairs;
  std::vector<std::int32_t> edges;

  explicit LineScratch(int length)
      : pairs(static_cast<std::size_t>(length), ValuePair{0, 0}),
        edges(static_cast<std::size_t>(length)) {}
};

class SiddonJoseph3d : public Projector {
 public:
  SiddonJoseph3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, std::unique_ptr<RowSource> rows)
      : Projector(backend, std::move(geometry), grid), rows_(std::move(rows)) {
    const int count = this->geometry().rows();
    for (int q = 0; q < count; ++q)
      distance_.push_back(static_cast<float>(std::abs(q - central_row())));
    for (const float d : distance_) inverse_distance_.push_back(1 / std::max(d, 1e-6F));
    ones_.assign(static_cast<std::size_t>(count), 1.0F);
  }

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override {
    return siddon_joseph_3d_bytes(geometry(), grid());
  }

 protected:
  /// Adds the voxels that one projected ray (`line`) meets in one layer to the rays `rows` of its
  /// detector column; spread() is the transpose and adds the column's data to these voxels.
  virtual void project(const LineGroup& group, std::size_t line, int slice,
                       const VoxelLines& columns, float* scratch, float* rows) const = 0;
  virtual void spread(const ColumnGroup& group, std::size_t line, int slice, LineScratch& scratch,
                      VoxelLines& columns) const = 0;
  /// Computes what spread() needs besides the data of a group.
  virtual void prepare(ColumnGroup& /*group*/) const {}
  const float* rows_of(const ColumnGroup& group, std::size_t line) const {
    return group.data.data() + line * static_cast<std::size_t>(geometry().rows());
  }

  double central_row() const { return geometry().spec().central_row; }

  /// Returns intervals of length 1 that begin at the heights of the rays to all rows on layer
  /// `slice`, which may be fractional.
  RowIntervals heights(const LineGroup& group, std::size_t line, double slice) const {
    const double zoom = group.zoom[line] + slice * group.zoom_step[line];
    const double bottom = group.base - zoom * central_row();
    // Rows whose height lies inside the volume, with a margin of two voxels and a row.
    const auto row = [&](double height) {
      return static_cast<int>(std::clamp((height - bottom) / zoom, -1.0, geometry().rows() + 1.0));
    };
    const auto [low, high] = std::minmax({row(-2), row(grid().nz + 2)});
    return {static_cast<float>(bottom),
            static_cast<float>(zoom),
            0,
            1,
            ones_.data(),
            ones_.data(),
            std::max(0, low - 1),
            std::min(geometry().rows(), high + 2)};
  }

  /// Returns the voxel line of a pixel of a layer.
  static const float* voxels(const LineGroup& group, int slice, int pixel,
                             const VoxelLines& columns) {
    return group.slices.along_y ? columns.line(pixel, slice) : columns.line(slice, pixel);
  }
  static float* voxels(const LineGroup& group, int slice, int pixel, VoxelLines& columns) {
    return group.slices.along_y ? columns.line(pixel, slice) : columns.line(slice, pixel);
  }

  std::vector<float> distance_, inverse_distance_, ones_;  // one entry per detector row

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    VoxelLines columns(backend(), grid());
    columns.load(x.data());
    // Where there are many views, a task takes several; of few, a task takes a part of the columns.
    const int batch = std::clamp(subset.count / (2 * cpu_threads()), 1, view_batch);
    const int view_tasks = (subset.count + batch - 1) / batch;
    const int parts = std::clamp(8 / view_tasks, 1, geometry().columns());
    const int tasks = view_tasks * parts, group = 2 * cpu_threads();
    for (int first = 0; first < tasks; first += group) {
      check_interrupt();
      ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
      for (int task = first; task < std::min(tasks, first + group); ++task)
        errors.run([&] {
          const int view = task / parts * batch;
          for (const std::size_t kind : {0, 1})
            forward_task(columns, y.data(), subset, view, std::min(subset.count, view + batch),
                         kind, task % parts, parts);
        });
      errors.rethrow();
    }
  }

  void forward_task(const VoxelLines& columns, float* rays, ViewSubset subset, int first, int last,
                    std::size_t kind, int part, int parts) const {
    const auto rows = static_cast<std::size_t>(geometry().rows());
    std::vector<ColumnGroup> views;
    for (int i = first; i < last; ++i) {
      views.push_back({std::move(PlaneLines(geometry(), grid(), subset.view(i)).groups[kind]), {}});
      views.back().data.assign(views.back().lines.column.size() * rows, 0.0F);
    }
    const auto begin = [&](const ColumnGroup& v) { return v.lines.column.size() * part / parts; };
    const auto end = [&](const ColumnGroup& v) {
      return v.lines.column.size() * (static_cast<std::size_t>(part) + 1) / parts;
    };
    std::vector<float> scratch(static_cast<std::size_t>(columns.line_length()));
    const int slices = views.front().lines.slices.count;
    for (int k = 0; k < slices && !interrupted(); k += layer_block)
      for (ColumnGroup& view : views)
        for (std::size_t line = begin(view); line < end(view); ++line)
          for (int slice = k; slice < std::min(slices, k + layer_block); ++slice)
            project(view.lines, line, slice, columns, scratch.data(),
                    view.data.data() + line * rows);
    for (std::size_t i = 0; i < views.size(); ++i) {
      float* out = rays + static_cast<std::size_t>(subset.view(first + static_cast<int>(i))) *
                              cells_per_view();
      for (std::size_t line = begin(views[i]); line < end(views[i]); ++line)
        for (std::size_t q = 0; q < rows; ++q)
          out[q * static_cast<std::size_t>(geometry().columns()) +
              static_cast<std::size_t>(views[i].lines.column[line])] =
              views[i].data[line * rows + q] * path_mm(views[i].lines, line, static_cast<int>(q));
    }
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    VoxelLines columns(backend(), grid());
    for (int first = 0; first < subset.count; first += view_batch) {
      const int count = std::min(view_batch, subset.count - first);
      for (const std::size_t kind : {0, 1})
        adjoint_kind(y.data(), {subset.view(first), subset.stride, count}, kind, columns);
      check_interrupt();
    }
    columns.store(x.data());
  }

  void adjoint_kind(const float* rays, ViewSubset subset, std::size_t kind,
                    VoxelLines& columns) const {
    std::vector<std::unique_ptr<ColumnGroup>> views(static_cast<std::size_t>(subset.count));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) if (subset.count > 1)
    for (int i = 0; i < subset.count; ++i)
      errors.run([&] { views[static_cast<std::size_t>(i)] = load(rays, subset.view(i), kind); });
    errors.rethrow();
    if (std::ranges::all_of(views, [](const auto& v) { return v->lines.count() == 0; })) return;
    const int slices = views.front()->lines.slices.count;
    // Several tasks per thread, since the cost of a layer varies.
    const int block = std::clamp(slices / (4 * cpu_threads()), 1, layer_block);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < slices; k += block)
      errors.run([&] {
        if (interrupted()) return;
        LineScratch scratch(columns.line_length());
        for (const auto& view : views)
          for (std::size_t line = 0; line < view->lines.column.size(); ++line)
            for (int slice = k; slice < std::min(slices, k + block); ++slice)
              spread(*view, line, slice, scratch, columns);
      });
    errors.rethrow();
  }

  std::unique_ptr<ColumnGroup> load(const float* rays, int view, std::size_t kind) const {
    auto group = std::make_unique<ColumnGroup>();
    group->lines = std::move(PlaneLines(geometry(), grid(), view).groups[kind]);
    const auto rows = static_cast<std::size_t>(geometry().rows()),
               columns = static_cast<std::size_t>(geometry().columns());
    group->data.resize(group->lines.column.size() * rows);
    const float* data = rays + static_cast<std::size_t>(view) * cells_per_view();
    for (std::size_t line = 0; line < group->lines.column.size(); ++line)
      for (std::size_t q = 0; q < rows; ++q)
        group->data[line * rows + q] =
            data[q * columns + static_cast<std::size_t>(group->lines.column[line])] *
            path_mm(group->lines, line, static_cast<int>(q));
    prepare(*group);
    return group;
  }

  /// Returns the path from layer to layer of the ray to row q, mm.
  float path_mm(const LineGroup& group, std::size_t line, int q) const {
    const double rise =
        group.zoom_step[line] * (q - central_row()) * grid().spacing_mm.z;  // per layer, mm
    const double length = group.length_mm[line];
    return static_cast<float>(std::sqrt(length * length + rise * rise));
  }

  std::unique_ptr<RowSource> rows_;
};

/// Pixel `first` of a layer, which covers the fraction `share` of an interval that begins at `low`;
/// the next pixel covers the rest.
struct Crossing {
  int first;
  double share;

  Crossing(double low, double length) : first(static_cast<int>(std::floor(low))) {
    share = std::min((first + 1 - low) / length, 1.0);
  }
};

class Joseph3d final : public SiddonJoseph3d {
 public:
  using SiddonJoseph3d::SiddonJoseph3d;

 private:
  /// The two voxel lines around a point of a layer, with interpolation weights. A line outside the
  /// grid is replaced by one inside, of weight zero.
  struct Pair {
    int first, second;
    float first_weight, second_weight;
    bool any() const { return first_weight > 0 || second_weight > 0; }
  };
  static Pair pair(const LineGroup& group, std::size_t line, int slice) {
    const Crossing at(group.start[line] + slice * group.step[line] - 0.5, 1);
    const int last = group.slices.width - 1;
    const auto inside = [=](int i) { return i >= 0 && i <= last; };
    return {std::clamp(at.first, 0, last), std::clamp(at.first + 1, 0, last),
            inside(at.first) ? static_cast<float>(at.share) : 0.0F,
            inside(at.first + 1) ? static_cast<float>(1 - at.share) : 0.0F};
  }
  RowIntervals middle(const LineGroup& group, std::size_t line, int slice) const {
    RowIntervals rows = heights(group, line, slice);
    rows.origin -= 0.5F;  // intervals of one voxel, centred at the heights
    return rows;
  }

  void project(const LineGroup& group, std::size_t line, int slice, const VoxelLines& columns,
               float* scratch, float* rows) const override {
    const Pair at = pair(group, line, slice);
    if (!at.any()) return;
    const SiddonJosephKernels& kernels = siddon_joseph_kernels();
    kernels.combine(at.first_weight, voxels(group, slice, at.first, columns), at.second_weight,
                    voxels(group, slice, at.second, columns), columns.line_length(), scratch);
    kernels.gather_rows(middle(group, line, slice), scratch, grid().nz, 1.0F, rows);
  }

  void spread(const ColumnGroup& view, std::size_t line, int slice, LineScratch& scratch,
              VoxelLines& columns) const override {
    const LineGroup& group = view.lines;
    const Pair at = pair(group, line, slice);
    if (!at.any()) return;
    const SiddonJosephKernels& kernels = siddon_joseph_kernels();
    kernels.scatter_rows(middle(group, line, slice), rows_of(view, line), grid().nz, 1.0F,
                         scratch.pairs.data());
    kernels.distribute(at.first_weight, at.second_weight, scratch.pairs.data(),
                       columns.line_length(), voxels(group, slice, at.first, columns),
                       voxels(group, slice, at.second, columns));
  }
};

class Siddon3d final : public SiddonJoseph3d {
 public:
  using SiddonJoseph3d::SiddonJoseph3d;

 private:
  /// Calls use(pixel, share, rows) for the one or two pixels that a projected ray crosses in a
  /// layer: `share` is the fraction of the path in the layer, `rows` the heights that the rays of
  /// the detector column run through in that pixel.
  template <class Use>
  void for_crossed(const LineGroup& group, std::size_t line, int slice, const Use& use) const {
    const double step = group.step[line], length = std::max(std::abs(step), 1e-6);
    const Crossing at(group.start[line] + slice * step - 0.5 * length, length);
    // The layer spans -1/2 .. 1/2, with the change of pixel at `turn`; a ray of negative step meets
    // the higher pixel first.
    const double turn = step >= 0 ? at.share - 0.5 : 0.5 - at.share;
    const auto part = [&](int pixel, double share, double middle) {
      if (share <= 0 || pixel < 0 || pixel >= group.slices.width) return;
      RowIntervals rows = heights(group, line, slice + middle);
      const double climb = std::max(std::abs(group.zoom_step[line]) * share, 1e-9);
      rows.half_length = static_cast<float>(0.5 * climb);
      rows.inverse_scale = static_cast<float>(1 / climb);
      rows.distance = distance_.data();
      rows.inverse_distance = inverse_distance_.data();
      use(pixel, static_cast<float>(share), rows);
    };
    const double before = 0.5 * (turn - 0.5), after = 0.5 * (turn + 0.5);  // middle of each part
    part(at.first, at.share, step >= 0 ? before : after);
    part(at.first + 1, 1 - at.share, step >= 0 ? after : before);
  }

  void project(const LineGroup& group, std::size_t line, int slice, const VoxelLines& columns,
               float* /*scratch*/, float* rows) const override {
    for_crossed(group, line, slice, [&](int pixel, float share, const RowIntervals& at) {
      siddon_joseph_kernels().gather_rows(at, voxels(group, slice, pixel, columns), grid().nz,
                                          share, rows);
    });
  }

  void prepare(ColumnGroup& group) const override {
    const auto rows = static_cast<std::size_t>(geometry().rows());
    const PrefixUnit unit(group.data.data(), group.data.size(), rows_per_voxel(group.lines));
    group.unit = unit.value();
    group.sums.assign(group.lines.column.size() * sums_length(), 0);
    for (std::size_t line = 0; line < group.lines.column.size(); ++line) {
      std::int32_t* sums = group.sums.data() + line * sums_length();
      for (std::size_t q = 0; q < rows; ++q)
        sums[q + 2] = add_units(sums[q + 1], unit.count(rows_of(group, line)[q]));
      sums[rows + 2] = sums[rows + 1];
    }
  }
  std::size_t sums_length() const { return static_cast<std::size_t>(geometry().rows()) + 3; }
  /// Returns the largest number of rows that a voxel may meet.
  double rows_per_voxel(const LineGroup& group) const {
    double least = 1e300;
    for (std::size_t line = 0; line < group.zoom.size(); ++line)
      for (const double slice : {-0.5, group.slices.count - 0.5})
        least = std::min(least, group.zoom[line] + slice * group.zoom_step[line]);
    return least > 0 ? std::min<double>(geometry().rows(), 1 / least + 3) : geometry().rows();
  }

  void spread(const ColumnGroup& view, std::size_t line, int slice, LineScratch& scratch,
              VoxelLines& columns) const override {
    const SiddonJosephKernels& kernels = siddon_joseph_kernels();
    for_crossed(view.lines, line, slice, [&](int pixel, float share, const RowIntervals& at) {
      float* column = voxels(view.lines, slice, pixel, columns);
      const float longest = 2 * at.half_length * std::max(distance_.front(), distance_.back());
      if (longest < 0.999F * at.pitch) {
        kernels.spread_sums(at,
                            {view.sums.data() + line * sums_length(), geometry().rows(),
                             static_cast<float>(central_row())},
                            grid().nz, static_cast<float>(share * view.unit), scratch.edges.data(),
                            column);
        return;
      }
      // In a wide cone the intervals of neighbouring rows overlap.
      kernels.scatter_rows(at, rows_of(view, line), grid().nz, share, scratch.pairs.data());
      kernels.distribute(1.0F, 0.0F, scratch.pairs.data(), columns.line_length(), column, column);
    });
  }
};

}  // namespace

RayClimb::RayClimb(const ScanGeometry& geometry, const VolumeGrid& grid) {
  if (geometry.beam() != Beam::cone) return;
  const ScanSpec& spec = geometry.spec();
  const double rows =
      std::max(std::abs(spec.central_row), std::abs(geometry.rows() - 1 - spec.central_row));
  const Vec3 d = grid.spacing_mm;
  for (int v = 0; v < geometry.views(); ++v) {
    const View pose = geometry.view(v);
    const Vec3 normal = normalized(cross(pose.u_mm, pose.v_mm));
    const double distance_mm = std::abs(dot(normal, pose.detector_mm - pose.source_mm));
    const double climb_mm = rows * norm(pose.v_mm) / distance_mm * std::hypot(d.x, d.y);
    voxels = std::max(voxels, climb_mm / d.z);
    relative = std::max(relative, climb_mm / std::min(d.x, d.y));
  }
}

bool suits_siddon_joseph_3d(const ScanGeometry& geometry, const VolumeGrid& grid,
                            RayWeighting weighting) {
  if (!has_upright_detector(geometry)) return false;
  const RayClimb climb(geometry, grid);
  // Joseph's method samples steeper rays along z; with Siddon's weights a steeper ray may meet more
  // than two voxels of a line.
  return climb.relative < 1 && (weighting != RayWeighting::crossing || climb.voxels < 1);
}

std::size_t siddon_joseph_3d_bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::size_t line = 6 * sizeof(double) + sizeof(int);  // an entry of all LineGroup vectors
  const std::size_t view =
      sizeof(float) * geometry.cells() + line * static_cast<std::size_t>(geometry.columns());
  // At least 2 x view_batch views: the transpose of view_batch views may hold their prefix sums
  // besides the data.
  return VoxelLines::bytes(grid) +
         static_cast<std::size_t>(std::max(cpu_threads(), 2) * view_batch) * view;
}

std::unique_ptr<Projector> make_siddon_joseph_3d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid, RayWeighting weighting,
                                                 std::unique_ptr<RowSource> rows) {
  // A tilted detector is left to the caller, which makes the checks of its own projector.
  if (!has_upright_detector(*geometry)) return nullptr;
  grid.validate("grid");
  require_source_outside(*geometry, grid);
  if (!suits_siddon_joseph_3d(*geometry, grid, weighting)) return nullptr;
  if (weighting == RayWeighting::crossing)
    return std::make_unique<Siddon3d>(backend, std::move(geometry), grid, std::move(rows));
  return std::make_unique<Joseph3d>(backend, std::move(geometry), grid, std::move(rows));
}

ProductMemory siddon_joseph_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                   RayWeighting weighting) {
  if (is_planar(geometry, grid)) return {siddon_joseph_2d_bytes(geometry, grid)};
  if (suits_siddon_joseph_3d(geometry, grid, weighting))
    return {siddon_joseph_3d_bytes(geometry, grid)};
  return {};  // ray by ray
}

}  // namespace gantry
