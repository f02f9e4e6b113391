#include "core/base/error.hpp"
#include "core/base/named_value.hpp"
#include "core/matrix/scsr_blocks.hpp"
#include "gpu/kernels/zone_colours.cuh"
#include "gpu/kernels/zone_columns.cuh"
#include "gpu/kernels/zone_fused.cuh"
#include "gpu/kernels/zone_magnitude.cuh"
#include "gpu/kernels/zone_products.cuh"
#include "gpu/matrix/cuda_format.hpp"
#include "gpu/matrix/device_rows.hpp"
#include "gpu/matrix/scsr.hpp"
#include "gpu/matrix/scsr_dense.hpp"
#include "gpu/matrix/zone.hpp"
#include "gpu/matrix/zone_columns.hpp"
#include "gpu/matrix/zone_tables.hpp"
#include "gpu/matrix/zone_tiles.hpp"
#include "gpu/matrix/zone_views.hpp"
#include "gpu/projectors/launch.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// How W^T y is summed.
enum class Transpose { gather, atomics, colouring, unsafe };
constexpr std::pair<const char*, Transpose> transposes[] = {{"gather", Transpose::gather},
                                                            {"atomics", Transpose::atomics},
                                                            {"colouring", Transpose::colouring},
                                                            {"unsafe", Transpose::unsafe}};

struct ScsrOptions {
  bool half, fused;
  Transpose transpose;
};

constexpr const char* racing_transpose =
    "its transpose races, as cuART's does: what threads add at once gets lost, and results are "
    "wrong";
constexpr int forward_threads = 512;
/// What is slower view by view than in a pass over the whole zone: more views than this part of
/// all, and of a transpose in a fixed order more launches.
constexpr int share_of_views = 4, most_single_views = 32;
/// Blocks that keep a GPU busy; no GPU's own number, on which the order of sums would depend.
constexpr int many_blocks = 1024, most_colour_parts = 8;
/// The views of a tile are gone through in so many parts.
int colour_parts(int tiles) { return std::clamp(many_blocks / tiles, 1, most_colour_parts); }

device::ZoneSubset part(ViewSubset subset) { return {subset.first, subset.stride, subset.count}; }

/// Products through a zone; Count columns, of which as many are used as there are elements.
template <int Count, bool Half>
class Scsr final : public Matrix {
  using Word = typename device::Copies<Count, Half>::Word;

 public:
  Scsr(const CudaBackend& cuda, const Projector& weights, Zone zone, const ScsrOptions& options)
      : Scsr(cuda, weights, DeviceRows(cuda, weights, zone.views), zone, options) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const override {
    give.give_way();
    const DeviceScope scope(cuda_.device());
    if (share_of_views * subset.count < views_)
      by_views_->forward(x.data(), y.data(), subset);
    else
      forward_zone(x.data(), y.data(), subset);
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const override {
    give.give_way();
    const DeviceScope scope(cuda_.device());
    const bool few =
        in_order() ? subset.count <= most_single_views : share_of_views * subset.count < views_;
    if (!few)
      adjoint_zone(y.data(), x.data(), subset);
    else if (in_order())
      by_views_->transposed(y.data(), x.data(), subset);
    else
      spread_views(y.data(), x.data(), subset);
  }

  std::optional<double> residual_transposed(const Array& x, const Array& b, const Array* row_weight,
                                            Array& r, Array& out,
                                            ViewSubset subset) const override {
    if (of_sums_.empty() || !(subset == ViewSubset::all(views_))) return std::nullopt;
    const DeviceScope scope(cuda_.device());
    return fused(
        x.data(),
        {b.data(), row_weight != nullptr ? row_weight->data() : nullptr, r.data(), rows_.unit()},
        out.data());
  }

  /// By single views, whose pixels have one order of sums however the transpose is made.
  std::optional<UpdateNorms> weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                                            const WeightedUpdate& update, Array& r,
                                            std::span<const ViewSubset> subsets,
                                            const LinearOperator& give) const override {
    give.give_way();
    if (!std::ranges::all_of(subsets, [](const ViewSubset& one) { return one.count == 1; }))
      return std::nullopt;
    return by_views_->sweep(sweep_data(x, b, row_weight, r, update), subsets);
  }
  int updates_at_once() const override { return views_; }

  MatrixStorage storage() const override {
    MatrixStorage all;
    all.stored = static_cast<std::uint64_t>(rows_.nonzeros());
    all.nonzeros = nonzeros_;
    all.padding = static_cast<std::uint64_t>(rows_.padding());
    all.parts = rows_.parts();
    if (columns_) {
      all.padding += static_cast<std::uint64_t>(columns_->padding());
      for (const MatrixPart& part : columns_->parts()) all.parts.push_back(part);
    }
    all.parts.push_back(tables_.part());
    all.parts.push_back({"work space",
                         (of_pixels_.size() + of_rays_.size() + of_sums_.size()) * sizeof(float) +
                             squares_.size() * sizeof(double),
                         PartOf::workspace});
    return all;
  }

 private:
  Scsr(const CudaBackend& cuda, const Projector& weights, const DeviceRows& rows, const Zone& zone,
       const ScsrOptions& options);

  void count_nonzeros(const Zone& zone);
  int find_colours(const DeviceRows& rows) const;
  void make_room_for_fused(const CudaBackend& cuda);
  /// With sums in shared memory a multiprocessor has room for two blocks, or of larger tiles one.
  static constexpr int colour_threads = Half ? 1024 : 512;
  std::size_t colour_bytes() const {
    return device::colour_bytes<Count>(rows_.grid().places(), maps_.views / colour_parts_ + 1);
  }
  bool in_order() const {
    return transpose_ == Transpose::gather || transpose_ == Transpose::colouring;
  }
  std::size_t pixels() const { return static_cast<std::size_t>(maps_.nx) * maps_.ny; }
  std::size_t zone_rays() const { return static_cast<std::size_t>(maps_.views) * maps_.columns; }
  dim3 image_grid() const { return {blocks(maps_.nx, 32), blocks(maps_.ny, 8)}; }

  /// The scale that copies of a vector are stored in; of `runs` of `length` values.
  device::Scale scale_of(const float* values, std::size_t length, ViewSubset runs) const;
  void forward_zone(const float* x, float* y, ViewSubset subset) const;
  void adjoint_zone(const float* y, float* x, ViewSubset subset) const;
  void spread_zone(const Word* rays) const;
  void spread_views(const float* y, float* x, ViewSubset subset) const;
  double fused(const float* x, const device::FusedRays& rays, float* out) const;

  const CudaBackend& cuda_;
  Transpose transpose_;
  int views_, parts_, colour_parts_ = 1, colours_ = 0;
  std::size_t shared_bytes_, longest_row_ = 0;
  std::uint64_t nonzeros_ = 0;
  ZoneTables tables_;
  device::ZoneMaps maps_;
  TiledRows<Half> rows_;
  std::unique_ptr<SlicedColumns<Half>> columns_;
  // Copies of an image or its transposed sums, partial sums of segments or copies of rays.
  mutable DeviceBuffer<float> of_pixels_, of_rays_;
  // Of the fused iteration: sums beside the copies, squared residuals and their sum.
  mutable DeviceBuffer<float> of_sums_;
  mutable DeviceBuffer<double> squares_;
  mutable PinnedBuffer<double> square_;
  mutable DeviceBuffer<int> magnitude_;
  std::unique_ptr<ZoneViews<Count, Half>> by_views_;
};

template <int Count, bool Half>
Scsr<Count, Half>::Scsr(const CudaBackend& cuda, const Projector& weights, const DeviceRows& rows,
                        const Zone& zone, const ScsrOptions& options)
    : cuda_(cuda),
      transpose_(options.transpose),
      views_(weights.views()),
      tables_(cuda, zone, weights),
      maps_(tables_.maps()),
      rows_(cuda, rows, static_cast<int>(zone.views.size()), weights.geometry().columns(),
            device::TileGrid::of(weights.grid().nx, weights.grid().ny, device::tile_size<Half>)),
      magnitude_(cuda, 1) {
  const DeviceScope scope(cuda.device());
  weights.give_way();
  if (transpose_ == Transpose::gather)
    columns_ = std::make_unique<SlicedColumns<Half>>(cuda, rows, maps_.nx, maps_.ny);
  colours_ = find_colours(rows);
  weights.give_way();
  if (transpose_ == Transpose::colouring) colour_parts_ = colour_parts(rows_.grid().tiles);
  of_pixels_ = DeviceBuffer<float>(cuda, pixels() * Count * static_cast<std::size_t>(colour_parts_),
                                   "copies of the image");
  of_rays_ = DeviceBuffer<float>(
      cuda, std::max(static_cast<std::size_t>(rows_.segments()), zone_rays()) * Count,
      "partial sums of rays");
  shared_bytes_ = device::tile_room<Half> * device::Copies<Count, Half>::bytes;
  ask_for_shared(cuda, device::zone_forward<Count, Half, forward_threads>, shared_bytes_);
  if (transpose_ == Transpose::colouring)
    ask_for_shared(cuda, device::zone_colours<Count, Half, colour_threads>, colour_bytes());
  by_views_ =
      std::make_unique<ZoneViews<Count, Half>>(cuda, rows_, maps_, colours_, of_rays_.data());
  if (options.fused) make_room_for_fused(cuda);
  // Several blocks for each place that one can run in, so that these end together.
  parts_ = static_cast<int>(blocks(8 * cuda.multiprocessors(), rows_.grid().tiles));
  count_nonzeros(zone);
}

template <int Count, bool Half>
void Scsr<Count, Half>::make_room_for_fused(const CudaBackend& cuda) {
  DeviceBuffer<int> longest(cuda, 1);
  check(cudaMemsetAsync(longest.data(), 0, sizeof(int), cuda.stream()),
        "building a matrix on the GPU");
  device::find_longest_row<<<blocks(static_cast<std::int64_t>(zone_rays()), 256), 256, 0,
                             cuda.stream()>>>(rows_.view(), longest.data());
  check_launch("find_longest_row");
  longest_row_ = static_cast<std::size_t>(longest.download().front());
  ask_for_shared(cuda, device::zone_fused<Count, Half>, device::fused_bytes(longest_row_));
  of_sums_ = DeviceBuffer<float>(cuda, pixels() * Count, "sums of the image");
  squares_ = DeviceBuffer<double>(cuda, zone_rays(), "norms on the GPU");
  square_ = PinnedBuffer<double>(1);
}

/// Of A: each stored row as often as it is used.
template <int Count, bool Half>
void Scsr<Count, Half>::count_nonzeros(const Zone& zone) {
  std::vector<std::uint64_t> times(zone.views.size(), 0), in_view(zone.views.size(), 0);
  for (const device::ZoneView& from : zone.source) ++times[static_cast<std::size_t>(from.view)];
  DeviceBuffer<unsigned long long> counts(cuda_, zone.views.size());
  check(
      cudaMemsetAsync(counts.data(), 0, counts.size() * sizeof(unsigned long long), cuda_.stream()),
      "building a matrix on the GPU");
  device::count_views<<<blocks(std::int64_t{rows_.grid().tiles} * maps_.views, 256), 256, 0,
                        cuda_.stream()>>>(rows_.view(), counts.data());
  check_launch("count_views");
  const auto found = counts.download();
  for (std::size_t v = 0; v < times.size(); ++v) nonzeros_ += times[v] * found[v];
}

/// As many as keep rays of a view apart that share a pixel.
template <int Count, bool Half>
int Scsr<Count, Half>::find_colours(const DeviceRows& rows) const {
  DeviceBuffer<int> widest(cuda_, 1);
  check(cudaMemsetAsync(widest.data(), 0, sizeof(int), cuda_.stream()),
        "building a matrix on the GPU");
  const device::RowScan& scan = std::visit(
      [](const auto& model) -> const device::RowScan& { return model.scan; }, rows.model());
  device::find_widest<<<blocks(static_cast<std::int64_t>(pixels()), 256), 256, 0, cuda_.stream()>>>(
      scan, widest.data());
  check_launch("find_widest");
  return std::max(widest.download().front(), 1);
}

template <int Count, bool Half>
device::Scale Scsr<Count, Half>::scale_of(const float* values, std::size_t length,
                                          ViewSubset runs) const {
  if (!Half) return {nullptr};
  check(cudaMemsetAsync(magnitude_.data(), 0, sizeof(int), cuda_.stream()), "a product");
  const auto count = static_cast<std::int64_t>(length) * runs.count;
  const unsigned grid = std::min(blocks(count, 1024), 4U * cuda_.multiprocessors());
  device::find_magnitude<<<std::max(grid, 1U), 256, 0, cuda_.stream()>>>(values, length, part(runs),
                                                                         magnitude_.data());
  check_launch("find_magnitude");
  return {magnitude_.data()};
}

// ---- y = W x

template <int Count, bool Half>
void Scsr<Count, Half>::forward_zone(const float* x, float* y, ViewSubset subset) const {
  const device::Scale scale = scale_of(x, pixels(), {0, 1, 1});
  auto* copies = reinterpret_cast<Word*>(of_pixels_.data());
  device::gather_image<Count, Half>
      <<<image_grid(), 256, 0, cuda_.stream()>>>(maps_, x, scale, copies);
  check_launch("gather_image");
  const device::ZoneTiles zone = rows_.view();
  device::zone_forward<Count, Half, forward_threads>
      <<<static_cast<unsigned>(zone.grid.tiles * parts_), forward_threads, shared_bytes_,
         cuda_.stream()>>>(zone, rows_.entries(), parts_, copies, of_rays_.data());
  check_launch("zone_forward");
  device::gather_segments<Count>
      <<<blocks(static_cast<std::int64_t>(zone_rays()) * Count, 256), 256, 0, cuda_.stream()>>>(
          zone, maps_, of_rays_.data(), part(subset), rows_.unit(), scale, y);
  check_launch("gather_segments");
}

// ---- x = W^T y

template <int Count, bool Half>
void Scsr<Count, Half>::adjoint_zone(const float* y, float* x, ViewSubset subset) const {
  const device::Scale scale = scale_of(y, static_cast<std::size_t>(maps_.columns), subset);
  auto* rays = reinterpret_cast<Word*>(of_rays_.data());
  device::gather_rays<Count, Half>
      <<<blocks(static_cast<std::int64_t>(zone_rays()), 256), 256, 0, cuda_.stream()>>>(
          maps_, y, part(subset), scale, rays);
  check_launch("gather_rays");
  if (columns_) {
    const device::ColumnSlices slices = columns_->slices();
    device::zone_gather<Count, Half><<<blocks(slices.count, 8), 256, 0, cuda_.stream()>>>(
        slices, columns_->start(), columns_->entries(), zone_rays(), rays, of_pixels_.data());
    check_launch("zone_gather");
    device::fold_image<Count, true><<<image_grid(), 256, 0, cuda_.stream()>>>(
        maps_, of_pixels_.data(), 1, rows_.unit(), scale, x);
  } else {
    spread_zone(rays);
    device::fold_image<Count, false><<<image_grid(), 256, 0, cuda_.stream()>>>(
        maps_, of_pixels_.data(), colour_parts_, rows_.unit(), scale, x);
  }
  check_launch("fold_image");
}

/// Adds up along rows: tile by tile in the order of the colours, or all at once.
template <int Count, bool Half>
void Scsr<Count, Half>::spread_zone(const Word* rays) const {
  const device::ZoneTiles zone = rows_.view();
  if (transpose_ == Transpose::colouring) {
    device::zone_colours<Count, Half, colour_threads>
        <<<static_cast<unsigned>(zone.grid.tiles * colour_parts_), colour_threads, colour_bytes(),
           cuda_.stream()>>>(zone, rows_.entries(), colours_, colour_parts_, rays,
                             of_pixels_.data());
    return check_launch("zone_colours");
  }
  check(cudaMemsetAsync(of_pixels_.data(), 0, of_pixels_.size() * sizeof(float), cuda_.stream()),
        "a product");
  const auto kernel = transpose_ == Transpose::atomics ? device::zone_spread<Count, Half, true>
                                                       : device::zone_spread<Count, Half, false>;
  kernel<<<blocks(static_cast<std::int64_t>(zone_rays()), 8), 256, 0, cuda_.stream()>>>(
      zone, rows_.entries(), rays, of_pixels_.data());
  check_launch("zone_spread");
}

template <int Count, bool Half>
void Scsr<Count, Half>::spread_views(const float* y, float* x, ViewSubset subset) const {
  check(cudaMemsetAsync(x, 0, pixels() * sizeof(float), cuda_.stream()), "a product");
  const auto kernel = transpose_ == Transpose::atomics ? device::zone_spread_views<Half, true>
                                                       : device::zone_spread_views<Half, false>;
  for_parts(subset, most_along_grid, [&](ViewSubset views) {
    const dim3 grid(blocks(maps_.columns, 8), static_cast<unsigned>(views.count));
    kernel<<<grid, 256, 0, cuda_.stream()>>>(rows_.view(), rows_.entries(), maps_, part(views), y,
                                             rows_.unit(), x);
    check_launch("zone_spread_views");
  });
}

// ---- r = C (b - W x), out = W^T r

template <int Count, bool Half>
double Scsr<Count, Half>::fused(const float* x, const device::FusedRays& rays, float* out) const {
  const device::Scale scale = scale_of(x, pixels(), {0, 1, 1});
  auto* copies = reinterpret_cast<Word*>(of_pixels_.data());
  device::gather_image<Count, Half>
      <<<image_grid(), 256, 0, cuda_.stream()>>>(maps_, x, scale, copies);
  check_launch("gather_image");
  check(cudaMemsetAsync(of_sums_.data(), 0, of_sums_.size() * sizeof(float), cuda_.stream()),
        "a product");
  device::zone_fused<Count, Half><<<static_cast<unsigned>(zone_rays()), device::fused_threads,
                                    device::fused_bytes(longest_row_), cuda_.stream()>>>(
      rows_.view(), rows_.entries(), maps_, copies, scale, rays, of_sums_.data(), squares_.data());
  check_launch("zone_fused");
  device::fold_image<Count, false><<<image_grid(), 256, 0, cuda_.stream()>>>(
      maps_, of_sums_.data(), 1, rows_.unit(), {nullptr}, out);
  check_launch("fold_image");
  kernels::add_partials<256><<<1, 256, 0, cuda_.stream()>>>(
      squares_.data(), static_cast<int>(squares_.size()), square_.device_data());
  check_launch("add_partials");
  cuda_.synchronize();
  return *square_.data();
}

// ---- The format

class ScsrFormat final : public CudaFormat {
 public:
  explicit ScsrFormat(const Params& params)
      : options_{params.text("weights") == "compact", params.text("residual") == "fused",
                 named_value(params.text("transpose"), transposes)},
        blocking_(params.text("blocking")),
        order_(parse_column_order(params.text("permutation"))) {
    if (options_.half && dense())
      throw UsageError("compact weights are laid out in tiles of pixels, not in dense blocks",
                       "format.blocking", "use blocking none, or weights float32");
    if (options_.fused && dense())
      throw UsageError("a residual is fused over tiles of pixels, not over dense blocks",
                       "format.blocking", "use blocking none, or residual split");
  }

  void require(const Projector& weights) const override {
    require_zone(weights.geometry(), weights.grid());
    require_scsr_blocking(weights, blocking_);
  }

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const ScanSymmetry symmetry(weights.geometry(), weights.grid());
    const double share = static_cast<double>(symmetry.stored_views().size()) / estimate.views,
                 stored = estimate.nonzeros * share, entry = options_.half ? 4 : 6,
                 transposed = options_.transpose == Transpose::gather ? 1.1 : 0,
                 columns = symmetry.elements().size() > 4 ? 8 : 4;
    if (dense())
      return static_cast<std::size_t>(
          9 * stored +
          4 * columns *
              (static_cast<double>(estimate.columns) + share * static_cast<double>(estimate.rows)));
    // A ray of the zone passes some 1.5 tiles for each that lie across the image.
    const int tile = options_.half ? device::tile_size<true> : device::tile_size<false>;
    const double tiles = 1.5 * std::max(weights.grid().nx, weights.grid().ny) / tile + 2,
                 segments = tiles * share * static_cast<double>(estimate.rows);
    const auto grid = device::TileGrid::of(weights.grid().nx, weights.grid().ny, tile);
    const double images =
        (options_.transpose == Transpose::colouring ? colour_parts(grid.tiles) : 1) +
        (options_.fused ? 1 : 0);
    return static_cast<std::size_t>(stored * entry * (1 + transposed) +
                                    segments * ((options_.half ? 12 : 20) + 4 * columns) +
                                    images * 4 * columns * static_cast<double>(estimate.columns));
  }

  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    const Zone zone(ScanSymmetry(weights.geometry(), weights.grid()), weights.grid(),
                    weights.geometry().columns());
    if (dense())
      return make_scsr_dense(cuda_backend(weights.backend()), weights, zone,
                             {blocking_, order_, options_.transpose != Transpose::unsafe});
    if (options_.half) return of_size<true>(weights, zone);
    return of_size<false>(weights, zone);
  }

  /// Weights and values of 11 bits: half a unit of the last of both, where a sum has one term.
  double rounding() const override { return options_.half ? 7e-4 : 1e-6; }
  bool repeatable() const override {
    return !dense() && !options_.fused &&
           (options_.transpose == Transpose::gather || options_.transpose == Transpose::colouring);
  }
  std::string caveat() const override {
    return options_.transpose == Transpose::unsafe ? racing_transpose : "";
  }

 private:
  template <bool Half>
  std::unique_ptr<const Matrix> of_size(const Projector& weights, const Zone& zone) const {
    const CudaBackend& cuda = cuda_backend(weights.backend());
    if (zone.elements > 4) return std::make_unique<Scsr<8, Half>>(cuda, weights, zone, options_);
    return std::make_unique<Scsr<4, Half>>(cuda, weights, zone, options_);
  }

  bool dense() const { return blocking_ != "none"; }

  ScsrOptions options_;
  std::string blocking_;
  ColumnOrder order_;
};

}  // namespace

std::unique_ptr<MatrixFormat> make_cuda_scsr(const Params& params) {
  return std::make_unique<ScsrFormat>(params);
}

}  // namespace gantry
