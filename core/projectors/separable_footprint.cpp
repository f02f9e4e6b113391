// The 2D products, slice by slice: a kernel makes the footprints of a slice's pixels as vectors;
// the forward product spreads them over the cells, the transpose gathers. Footprints wider than the
// kernel's four cells take a plain loop in float64.
#include "core/projectors/separable_footprint.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/separable_footprint_3d.hpp"
#include "core/projectors/sf_rows.hpp"
#include "core/projectors/sf_view.hpp"
#include "core/projectors/slice_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int view_batch = 64;   // views whose data are prepared at once, and between two chances
                                 // to give way
constexpr int slice_block = 16;  // slices that a task owns in the transpose

/// Corner coordinates of a slice's pixels on both sides; going up, a side is computed once.
class Corners {
 public:
  explicit Corners(const SfView& view)
      : view_(view), low_(static_cast<std::size_t>(view.slices().width) + 1), high_(low_.size()) {}
  void at(int k) {
    if (k == slice_ + 1)
      low_.swap(high_);
    else
      project(k, 0, low_);
    project(k, 1, high_);
    slice_ = k;
  }
  const float* low() const { return low_.data(); }
  const float* high() const { return high_.data(); }

 private:
  void project(int k, int side, std::vector<float>& out) const {
    sf_kernels().project(view_.corners(k, side), static_cast<int>(out.size()), out.data());
  }
  const SfView& view_;
  std::vector<float> low_, high_;
  int slice_ = -2;
};

class SeparableFootprint2d final : public Projector {
 public:
  SeparableFootprint2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid), rows_(make_sf_rows(geometry, grid)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override { return sizeof(float) * grid().voxels(); }

 private:
  int cells() const { return geometry().columns(); }
  std::size_t padded_cells() const { return static_cast<std::size_t>(cells()) + 2 * sf_padding; }

  /// Calls use(cell, weight) for the cells that a pixel touches.
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
      const SliceRows layout(grid(), along_y);
      std::vector<float> pixels;  // made when the first view of this kind comes
      // Few views: tasks share a view, each with a part of its slices. Not a function of the
      // threads: neither are the sums.
      const int parts = subset.count >= 8 ? 1 : 8;
      for (int first = 0; first < subset.count; first += view_batch) {
        const int count = std::min(view_batch, subset.count - first);
        const std::vector<int> indices =
            indices_of_kind({subset.view(first), subset.stride, count}, along_y);
        if (indices.empty()) continue;
        if (pixels.empty()) pixels = layout.load(x.data());
        forward_views(layout, pixels.data(), indices, parts, y.data());
        give_way();
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

  void forward_views(const SliceRows& layout, const float* pixels, const std::vector<int>& indices,
                     int parts, float* rays) const {
    const int views = static_cast<int>(indices.size());
    std::vector<std::vector<CellQuad>> sums(indices.size() * static_cast<std::size_t>(parts));
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int v = 0; v < views; ++v)
      for (int part = 0; part < parts; ++part) {
        auto& quads = sums[static_cast<std::size_t>(v) * static_cast<std::size_t>(parts) +
                           static_cast<std::size_t>(part)];
        quads.assign(padded_cells(), CellQuad{});
        if (!interrupted())
          forward_part(layout, pixels,
                       SfView(geometry(), grid(), indices[static_cast<std::size_t>(v)]), part,
                       parts, quads.data());
      }
#pragma omp parallel for schedule(static)
    for (int v = 0; v < views; ++v)
      store(
          &sums[static_cast<std::size_t>(v) * static_cast<std::size_t>(parts)], parts,
          rays + static_cast<std::size_t>(indices[static_cast<std::size_t>(v)]) * cells_per_view());
  }

  void forward_part(const SliceRows& layout, const float* pixels, const SfView& view, int part,
                    int parts, CellQuad* quads) const {
    const int slices = layout.slices().count, width = layout.slices().width;
    const int first = static_cast<int>(static_cast<long>(slices) * part / parts);
    const int last = static_cast<int>(static_cast<long>(slices) * (part + 1) / parts);
    Corners corners(view);
    for (int k = first; k < last; ++k) {
      const float* row = pixels + layout.size(k) + 1;
      const int taps = view.taps(k);
      if (taps > sf_taps) {
        for (int i = 0; i < width; ++i)
          for_cells(view, i, k, [&](int c, double weight) {
            quads[c + sf_padding].cell[0] += static_cast<float>(weight * row[i]);
          });
        continue;
      }
      corners.at(k);
      sf_kernels().forward[taps - 2](corners.low(), corners.high(), view.chords(k), row, width,
                                     cells(), quads);
    }
  }

  void store(const std::vector<CellQuad>* parts, int count, float* rays) const {
    std::fill_n(rays, cells(), 0.0F);
    for (int part = 0; part < count; ++part)
      for (int c = 0; c < cells(); ++c) {
        const CellQuad* own = parts[part].data() + c + sf_padding;
        rays[c] += own[0].cell[0] + own[-1].cell[1] + own[-2].cell[2] + own[-3].cell[3];
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
          adjoint_views(y.data(), indices, SliceRows(grid(), along_y), x.data());
        give_way();
      }
  }

  void adjoint_views(const float* rays, const std::vector<int>& indices, const SliceRows& layout,
                     float* image) const {
    std::vector<SfView> views;
    std::vector<float> data(indices.size() * padded_cells(), 0.0F);
    for (std::size_t v = 0; v < indices.size(); ++v) {
      views.emplace_back(geometry(), grid(), indices[v]);
      std::copy_n(rays + static_cast<std::size_t>(indices[v]) * cells_per_view(), cells(),
                  data.data() + v * padded_cells() + sf_padding);
    }
    const int slices = layout.slices().count;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < slices; k += slice_block) {
      if (interrupted()) continue;
      const int end = std::min(slices, k + slice_block);
      std::vector<float> block(layout.size(end - k), 0.0F);
      for (std::size_t v = 0; v < views.size(); ++v)
        adjoint_block(views[v], data.data() + v * padded_cells(), layout, k, end, block.data());
      layout.add(
          k, end, [&](std::size_t place) { return block[place]; }, image);
    }
  }

  void adjoint_block(const SfView& view, const float* row, const SliceRows& layout, int first,
                     int last, float* block) const {
    Corners corners(view);
    const int width = layout.slices().width;
    for (int k = first; k < last; ++k) {
      float* pixels = block + layout.size(k - first) + 1;
      const int taps = view.taps(k);
      if (taps > sf_taps) {
        for (int i = 0; i < width; ++i)
          for_cells(view, i, k, [&](int c, double weight) {
            pixels[i] += static_cast<float>(weight * row[c + sf_padding]);
          });
        continue;
      }
      corners.at(k);
      sf_kernels().adjoint[taps - 2](corners.low(), corners.high(), view.chords(k), row, width,
                                     cells(), pixels);
    }
  }

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

}  // namespace gantry
