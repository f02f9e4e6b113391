// The 2D products, layer by layer: a kernel computes the footprints of the pixels of a layer as
// vectors; the forward product adds the pixels to the cells by these weights, the transpose gathers
// the cells. Footprints wider than the kernels' four cells are computed by a plain loop in float64.
#include "core/projectors/separable_footprint/separable_footprint.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/common/layer_rows.hpp"
#include "core/projectors/common/prefix_sums.hpp"
#include "core/projectors/separable_footprint/separable_footprint_3d.hpp"
#include "core/projectors/separable_footprint/sf_rows.hpp"
#include "core/projectors/separable_footprint/sf_sums.hpp"
#include "core/projectors/separable_footprint/sf_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr int view_batch = 64;   // views that are processed between two checks for an interrupt
constexpr int layer_block = 16;  // layers that a task owns in the transpose

/// Projections of the pixels' corners, in cells, on the planes between the layers of a view. The
/// three planes that were used last are kept.
class Planes {
 public:
  explicit Planes(const SfView& view) : view_(view) {
    for (Plane& plane : recent_)
      plane.corners.resize(static_cast<std::size_t>(view.slices().width) + 1 + sf_pair_padding);
  }
  const float* at(int number) {
    Plane& plane = recent_[static_cast<std::size_t>(number % 3)];
    if (plane.number != number)
      kernels_.project(view_.corners(number), view_.slices().width + 1, plane.corners.data());
    plane.number = number;
    return plane.corners.data();
  }

 private:
  struct Plane {
    int number = -1;
    std::vector<float> corners;
  };
  const SfView& view_;
  const SfKernels& kernels_ = sf_kernels();
  std::array<Plane, 3> recent_;
};

/// An image as layers of one kind, and the unit in which sums over the image are counted: six times
/// the longest chord times the largest sum of one pixel per layer stays below 2^30 units, which
/// bounds three differences of two such products.
struct SfImage {
  LayerRows layout;
  std::vector<float> pixels, nothing;  // `nothing` is a layer of zeros
  PrefixUnit unit;

  SfImage(const VolumeGrid& grid, bool along_y, const float* image)
      : layout(grid, along_y),
        pixels(layout.load(image, sf_pair_padding)),
        nothing(layout.size(1) + sf_pair_padding, 0.0F),
        unit(most(layout, pixels)) {}

  const float* row(int k) const {
    return (k < layout.slices().count ? pixels.data() + layout.size(k) : nothing.data()) + 1;
  }

 private:
  static PrefixUnit most(const LayerRows& layout, const std::vector<float>& pixels) {
    // At least 1e-25, so that 1 / unit is finite in float32.
    const float line =
        std::max(largest_line(pixels.data(), layout.slices().count, layout.size(1)), 1e-25F);
    return {&line, 1, 6 * std::sqrt(2.0) * layout.slices().w_spacing_mm};
  }
};

class SeparableFootprint2d final : public Projector {
 public:
  SeparableFootprint2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid), rows_(make_sf_rows(geometry, grid)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override { return bytes(grid()); }
  /// The workspace_bytes() of a projector for this grid.
  static std::size_t bytes(const VolumeGrid& grid) { return sizeof(float) * grid.voxels(); }

 private:
  int cells() const { return geometry().columns(); }
  std::size_t padded_cells() const { return static_cast<std::size_t>(cells()) + 2 * sf_padding; }

  /// Calls use(cell, weight) for the cells that the footprint of pixel i of layer k touches.
  template <class Use>
  void for_cells(const SfView& view, int i, int k, const Use& use) const {
    const Trapezoid footprint = view.footprint(i, k);
    const double last = std::min<double>(cells(), footprint.corner[3]);
    for (int c = static_cast<int>(std::max(0.0, footprint.corner[0])); c < last; ++c)
      use(c, footprint.weight_mm(c));
  }

  // ---- Forward

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    for (const bool along_y : {true, false}) {
      std::unique_ptr<const SfImage> image;  // created for the first view of this kind
      // Where there are few views, a task takes a part of the layers. The number of parts does not
      // depend on the threads, so that the sums do not depend on them either.
      const int parts = subset.count >= 8 ? 1 : 8;
      const int batch = std::max(view_batch, 16 * cpu_threads());
      for (int first = 0; first < subset.count; first += batch) {
        const int count = std::min(batch, subset.count - first);
        const std::vector<int> indices =
            indices_of_kind({subset.view(first), subset.stride, count}, along_y);
        if (indices.empty()) continue;
        if (!image) image = std::make_unique<const SfImage>(grid(), along_y, x.data());
        forward_views(*image, indices, parts, y.data());
        check_interrupt();
      }
    }
  }

  std::vector<int> indices_of_kind(ViewSubset subset, bool along_y) const {
    std::vector<int> indices;
    for (int i = 0; i < subset.count; ++i)
      if (SfView(geometry(), grid(), subset.view(i)).slices().along_y == along_y)
        indices.push_back(subset.view(i));
    return indices;
  }

  void forward_views(const SfImage& image, const std::vector<int>& indices, int parts,
                     float* rays) const {
    const int views = static_cast<int>(indices.size());
    std::vector<std::vector<SfSums>> sums(indices.size(),
                                          std::vector<SfSums>(static_cast<std::size_t>(parts)));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int v = 0; v < views; ++v)
      for (int part = 0; part < parts; ++part)
        errors.run([&] {
          const auto at = static_cast<std::size_t>(v);
          SfSums& own = sums[at][static_cast<std::size_t>(part)];
          own.start(cells());
          if (!interrupted())
            forward_part(image, SfView(geometry(), grid(), indices[at]), part, parts, own);
        });
    errors.rethrow();
#pragma omp parallel for schedule(static)
    for (int v = 0; v < views; ++v)
      errors.run([&] {
        const auto at = static_cast<std::size_t>(v);
        store_sums(sums[at], image.unit.value(), cells(),
                   rays + static_cast<std::size_t>(indices[at]) * cells_per_view());
      });
    errors.rethrow();
  }

  void forward_part(const SfImage& image, const SfView& view, int part, int parts,
                    SfSums& sums) const {
    const int slices = view.slices().count, width = view.slices().width;
    const int turning = view.turning_pixel();
    const int first = static_cast<int>(static_cast<long>(slices) * part / parts);
    const int last = static_cast<int>(static_cast<long>(slices) * (part + 1) / parts);
    Planes planes(view);
    for (int k = first; k < last; k += 2) {
      const int end = std::min(last, k + 2);
      const PixelRun seen = view.seen(k, end), run = common(seen, view.pair(k));
      forward_pair(image, view, planes, k, end, common(run, {0, turning}), sums);
      forward_pair(image, view, planes, k, end, common(run, {turning + 1, width}), sums);
      const std::array<PixelRun, 3> rest = {
          {{seen.first, run.first}, common(run, {turning, turning + 1}), {run.last, seen.last}}};
      if (std::ranges::any_of(rest, [](PixelRun r) { return r.first < r.last; }))
        for (int slice = k; slice < end; ++slice)
          spread(view, planes, slice, rest, image.row(slice), sums.quads);
    }
  }

  /// Adds a run of pixels of two neighbouring layers by SfKernels::forward_pair. Across the layers,
  /// the projections of all corners of the run must ascend or all descend.
  void forward_pair(const SfImage& image, const SfView& view, Planes& planes, int k, int end,
                    PixelRun run, SfSums& sums) const {
    if (run.first >= run.last) return;
    const float *low = planes.at(k), *high = planes.at(k + 2);
    const float* far = end > k + 1 ? image.row(k + 1) : image.nothing.data() + 1;
    SfPair pair{{low, planes.at(k + 1), high},
                {image.row(k), far},
                {view.chords(k), view.chords(k + 1)},
                static_cast<float>(image.unit.per_value())};
    if (low[run.first] + low[run.last] > high[run.first] + high[run.last]) {
      std::swap(pair.plane[0], pair.plane[2]);
      std::swap(pair.pixels[0], pair.pixels[1]);
      std::swap(pair.chords[0], pair.chords[1]);
    }
    kernels_.forward_pair(pair, run.first, run.last, cells(), sums.counts.data());
  }

  /// Returns the intersection of two runs; if there is none, an empty run inside the first.
  static PixelRun common(PixelRun a, PixelRun b) {
    const int first = std::clamp(b.first, a.first, std::max(a.first, a.last));
    return {first, std::max(first, std::min(a.last, b.last))};
  }

  /// Adds runs of pixels of one layer, for pixels that forward_pair() does not cover.
  void spread(const SfView& view, Planes& planes, int k, const std::array<PixelRun, 3>& runs,
              const float* row, std::vector<CellQuad>& quads) const {
    const int taps = view.taps(k);
    for (const PixelRun run : runs) {
      if (run.first >= run.last) continue;
      if (taps > sf_taps)
        for (int i = run.first; i < run.last; ++i)
          for_cells(view, i, k, [&](int c, double weight) {
            quads[static_cast<std::size_t>(c + sf_padding)].cell[0] +=
                static_cast<float>(weight * row[i]);
          });
      else
        kernels_.forward[taps - 2](planes.at(k) + run.first, planes.at(k + 1) + run.first,
                                   view.chords(k, run.first), row + run.first, run.last - run.first,
                                   cells(), quads.data());
    }
  }

  // ---- Transpose

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    for (const bool along_y : {true, false})
      for (int first = 0; first < subset.count; first += view_batch) {
        const int count = std::min(view_batch, subset.count - first);
        const std::vector<int> indices =
            indices_of_kind({subset.view(first), subset.stride, count}, along_y);
        if (!indices.empty())
          adjoint_views(y.data(), indices, LayerRows(grid(), along_y), x.data());
        check_interrupt();
      }
  }

  void adjoint_views(const float* rays, const std::vector<int>& indices, const LayerRows& layout,
                     float* image) const {
    std::vector<SfView> views;
    std::vector<float> data(indices.size() * padded_cells(), 0.0F);
    for (std::size_t v = 0; v < indices.size(); ++v) {
      views.emplace_back(geometry(), grid(), indices[v]);
      std::copy_n(rays + static_cast<std::size_t>(indices[v]) * cells_per_view(), cells(),
                  data.data() + v * padded_cells() + sf_padding);
    }
    const int slices = layout.slices().count;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < slices; k += layer_block)
      errors.run([&] {
        if (interrupted()) return;
        const int end = std::min(slices, k + layer_block);
        std::vector<float> block(layout.size(end - k), 0.0F);
        for (std::size_t v = 0; v < views.size(); ++v)
          adjoint_block(views[v], data.data() + v * padded_cells(), layout, k, end, block.data());
        layout.add(
            k, end, [&](std::size_t place) { return block[place]; }, image);
      });
    errors.rethrow();
  }

  void adjoint_block(const SfView& view, const float* row, const LayerRows& layout, int first,
                     int last, float* block) const {
    Planes planes(view);
    for (int k = first; k < last; ++k) {
      float* pixels = block + layout.size(k - first) + 1;
      const int taps = view.taps(k);
      const PixelRun seen = view.seen(k, k + 1);
      if (seen.first >= seen.last) continue;
      if (taps > sf_taps)
        for (int i = seen.first; i < seen.last; ++i)
          for_cells(view, i, k, [&](int c, double weight) {
            pixels[i] += static_cast<float>(weight * row[c + sf_padding]);
          });
      else
        kernels_.adjoint[taps - 2](planes.at(k) + seen.first, planes.at(k + 1) + seen.first,
                                   view.chords(k, seen.first), row, seen.last - seen.first, cells(),
                                   pixels + seen.first);
    }
  }

  const SfKernels& kernels_ = sf_kernels();
  std::unique_ptr<RowSource> rows_;
};

}  // namespace

std::unique_ptr<Projector> make_separable_footprint(Backend& backend,
                                                    std::shared_ptr<const ScanGeometry> geometry,
                                                    const VolumeGrid& grid, const Params&) {
  require_turning(*geometry, "the separable footprint");
  if (is_planar(*geometry, grid))
    return std::make_unique<SeparableFootprint2d>(backend, std::move(geometry), grid);
  return make_separable_footprint_3d(backend, std::move(geometry), grid);
}

ProductMemory separable_footprint_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                         int) {
  return {is_planar(geometry, grid) ? SeparableFootprint2d::bytes(grid)
                                    : sf_3d_bytes(geometry, grid)};
}

}  // namespace gantry
