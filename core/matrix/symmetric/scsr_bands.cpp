// CSR of the stored views in tiles. A tile is the part of a view's matrix rows that lies in a band
// of at most 32768 consecutive voxels. Matrix columns are counted from the band's first voxel, so
// that 16 bits suffice. Weights are float32, or half precision in a unit for each view: the power
// of two for which the largest weight of the view lies between 1/2 and 1. Halves deviate by
//   |w' - w| <= 2^-11 w,  and 2^-24 units for w below 2^-14 units;  no weight becomes zero.
// Both products go band by band. The forward product takes a few views at a time, whose sums stay
// in the cache together with the band's part of X. In the transposed product each thread takes
// whole bands, so that the contributions to a voxel are added in the order of the rays.
#include "core/matrix/symmetric/scsr_bands.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/matrix/half.hpp"
#include "core/matrix/symmetric/scsr_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gantry {

namespace {

/// Returns the number of voxels of a band, a power of two: about a sixteenth of a small image, so
/// that there are enough bands for the threads.
std::size_t band_size(std::size_t voxels) {
  return std::clamp<std::size_t>(std::bit_ceil((voxels + 15) / 16), 1024, 32768);
}

/// The matrix rows of cells first_cell .. first_cell + cells - 1 of a view inside a band.
struct Tile {
  std::uint32_t first_cell = 0, cells = 0;
  std::size_t first_start = 0;  ///< index of the first of cells + 1 values in StoredView::start
};

struct StoredView {
  std::vector<float> weight;
  std::vector<std::uint16_t> half_weight, column;
  std::vector<std::uint32_t> start;
  std::vector<Tile> tiles;  ///< by band
  double unit = 1;

  std::uint64_t nonzeros() const { return column.size(); }
  ScsrRows rows(const Tile& tile) const {
    ScsrRows rows;
    rows.weight = weight.data();
    rows.half_weight = half_weight.empty() ? nullptr : half_weight.data();
    rows.short_column = column.data();
    rows.start = start.data() + tile.first_start;
    rows.rows = tile.cells;
    rows.unit = unit;
    return rows;
  }
};

double power_of_two_above(const std::vector<float>& weights) {
  int exponent = 0;
  if (!weights.empty()) std::frexp(*std::ranges::max_element(weights), &exponent);
  return std::ldexp(1.0, exponent);
}

/// Distributes the matrix rows of a view to tiles, band after band.
class Tiler {
 public:
  Tiler(const ViewCsr& rows, std::size_t voxels, ScsrWeights kind)
      : rows_(rows), at_(rows.row_start), compact_(kind == ScsrWeights::compact) {
    const std::size_t band = band_size(voxels);
    if (compact_) view_.unit = power_of_two_above(rows.weight);
    view_.column.reserve(rows.nonzeros());
    if (compact_)
      view_.half_weight.reserve(rows.nonzeros());
    else
      view_.weight.reserve(rows.nonzeros());
    for (std::size_t first = 0; first < voxels; first += band) add_band(first, first + band);
    view_.start.shrink_to_fit();
  }
  StoredView take() { return std::move(view_); }

 private:
  void add_band(std::size_t first, std::size_t last) {
    const auto cells = static_cast<std::uint32_t>(rows_.row_start.size() - 1);
    const auto reaches = [&](std::uint32_t cell) {
      return at_[cell] < rows_.row_start[cell + 1] && rows_.column[at_[cell]] < last;
    };
    std::uint32_t from = 0, to = cells;
    while (from < to && !reaches(from)) ++from;
    while (to > from && !reaches(to - 1)) --to;
    view_.tiles.push_back({from, to - from, view_.start.size()});
    if (from == to) return;
    view_.start.push_back(static_cast<std::uint32_t>(view_.column.size()));
    for (std::uint32_t cell = from; cell < to; ++cell) {
      for (; reaches(cell); ++at_[cell]) add(at_[cell], first);
      view_.start.push_back(static_cast<std::uint32_t>(view_.column.size()));
    }
  }
  void add(std::size_t k, std::size_t first) {
    view_.column.push_back(static_cast<std::uint16_t>(rows_.column[k] - first));
    if (compact_)
      view_.half_weight.push_back(to_half(static_cast<float>(rows_.weight[k] / view_.unit)));
    else
      view_.weight.push_back(rows_.weight[k]);
  }

  const ViewCsr& rows_;
  std::vector<std::uint32_t> at_;  ///< [cell]: first entry that is not in a tile yet
  bool compact_;
  StoredView view_;
};

class Bands final : public ScsrStoredViews {
 public:
  Bands(std::vector<StoredView> views, std::size_t voxels, std::size_t cells)
      : views_(std::move(views)), voxels_(voxels), cells_(cells), band_(band_size(voxels)) {}

  void multiply(std::span<const int> views, int vectors, const float* x, const UseSums& use,
                const LinearOperator& interruptible) const override {
    const std::size_t width = cells_ * static_cast<std::size_t>(vectors);
    // Views at a time: their sums, at most 2^16, leave part of the L2 cache to the band, and there
    // are at least two groups of views for each thread.
    const std::size_t at_once = std::clamp<std::size_t>(
        (std::size_t{1} << 16U) / width, 1,
        std::max<std::size_t>(1, views.size() / (2 * static_cast<std::size_t>(cpu_threads()))));
    const std::size_t groups = (views.size() + at_once - 1) / at_once;
    ParallelErrors errors;
#pragma omp parallel
    {
      std::vector<double> sums;
      errors.run([&] { sums.resize(at_once * width); });
#pragma omp for schedule(dynamic)
      for (std::size_t g = 0; g < groups; ++g)
        errors.run([&] {
          if (interruptible.interrupted()) return;
          const auto some =
              views.subspan(g * at_once, std::min(at_once, views.size() - g * at_once));
          std::ranges::fill(sums, 0.0);
          multiply_views(some, vectors, x, sums.data());
          for (std::size_t i = 0; i < some.size(); ++i)
            use(g * at_once + i, sums.data() + i * width);
        });
    }
    errors.rethrow();
  }

  void multiply_transposed(std::span<const int> views, int vectors, const float* y, float* x,
                           const LinearOperator& interruptible) const override {
    const auto n = static_cast<std::size_t>(vectors);
    const std::size_t bands = (voxels_ + band_ - 1) / band_;
    ParallelErrors errors;
#pragma omp parallel
    {
      std::vector<double> sums;
      errors.run([&] { sums.resize(band_ * n); });
#pragma omp for schedule(dynamic)
      for (std::size_t b = 0; b < bands; ++b)
        errors.run([&] {
          if (interruptible.interrupted()) return;
          std::ranges::fill(sums, 0.0);
          for (std::size_t i = 0; i < views.size(); ++i) {
            const StoredView& view = views_[static_cast<std::size_t>(views[i])];
            const Tile& tile = view.tiles[b];
            if (tile.cells > 0)
              scsr_kernels().scatter(view.rows(tile), vectors,
                                     y + (i * cells_ + tile.first_cell) * n, sums.data());
          }
          const std::size_t first = b * band_ * n, count = std::min(band_ * n, voxels_ * n - first);
          for (std::size_t j = 0; j < count; ++j) x[first + j] = static_cast<float>(sums[j]);
        });
    }
    errors.rethrow();
  }

  std::uint64_t nonzeros(std::size_t view) const override { return views_[view].nonzeros(); }

  void describe(MatrixStorage& storage) const override {
    std::size_t weights = 0, columns = 0, starts = 0, tiles = 0;
    for (const StoredView& view : views_) {
      weights += view.weight.size() * sizeof(float) + view.half_weight.size() * 2;
      columns += view.column.size() * sizeof(std::uint16_t);
      starts += view.start.size() * sizeof(std::uint32_t);
      tiles += view.tiles.size() * sizeof(Tile);
    }
    storage.parts = {
        {"weights", weights}, {"columns", columns}, {"row starts", starts}, {"tiles", tiles}};
  }

  ViewCsr decode(std::size_t v) const override {
    const StoredView& view = views_[v];
    ViewCsr out;
    out.row_start.push_back(0);
    for (std::uint32_t cell = 0; cell < cells_; ++cell) {
      for (std::size_t b = 0; b < view.tiles.size(); ++b) {
        const Tile& tile = view.tiles[b];
        if (cell < tile.first_cell || cell >= tile.first_cell + tile.cells) continue;
        const std::uint32_t* start = &view.start[tile.first_start + cell - tile.first_cell];
        for (std::uint32_t k = start[0]; k < start[1]; ++k) {
          out.column.push_back(static_cast<std::uint32_t>(b * band_ + view.column[k]));
          out.weight.push_back(
              view.half_weight.empty()
                  ? view.weight[k]
                  : static_cast<float>(view.unit * from_half(view.half_weight[k])));
        }
      }
      out.row_start.push_back(static_cast<std::uint32_t>(out.column.size()));
    }
    return out;
  }

 private:
  void multiply_views(std::span<const int> views, int vectors, const float* x, double* sums) const {
    const auto n = static_cast<std::size_t>(vectors);
    for (std::size_t b = 0; b * band_ < voxels_; ++b)
      for (std::size_t i = 0; i < views.size(); ++i) {
        const StoredView& view = views_[static_cast<std::size_t>(views[i])];
        const Tile& tile = view.tiles[b];
        if (tile.cells > 0)
          scsr_kernels().multiply(view.rows(tile), vectors, x + b * band_ * n,
                                  sums + (i * cells_ + tile.first_cell) * n);
      }
  }

  std::vector<StoredView> views_;
  std::size_t voxels_, cells_, band_;
};

}  // namespace

std::unique_ptr<const ScsrStoredViews> make_scsr_bands(const Projector& weights,
                                                       const std::vector<int>& stored_views,
                                                       ScsrWeights kind, int most_rows) {
  std::vector<StoredView> views(stored_views.size());
  for_each_view_csr(
      weights, stored_views,
      [&](std::size_t i, ViewCsr rows) {
        views[i] = Tiler(rows, weights.domain_size(), kind).take();
      },
      most_rows);
  const ScanGeometry& geometry = weights.geometry();
  const int cells = std::min(most_rows, geometry.rows()) * geometry.columns();
  return std::make_unique<Bands>(std::move(views), weights.domain_size(),
                                 static_cast<std::size_t>(cells));
}

double scsr_bands_bytes(const ScsrSample& sample, std::size_t views, std::size_t voxels,
                        ScsrWeights kind) {
  const std::size_t band = band_size(voxels), bands = (voxels + band - 1) / band;
  double entries = 0, starts = 0;
  for (const ViewCsr& rows : sample.views) {
    const StoredView view = Tiler(rows, voxels, kind).take();
    entries += static_cast<double>(view.nonzeros());
    starts += static_cast<double>(view.start.size());
  }
  return sample.scale * (entries * (kind == ScsrWeights::compact ? 4 : 6) + 4 * starts) +
         static_cast<double>(views * bands * sizeof(Tile));
}

}  // namespace gantry
