#include "core/matrix/stacked_matrix.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/scsr/scsr_colours.cuh"
#include "gpu/matrix/scsr/scsr_columns.cuh"
#include "gpu/matrix/scsr/scsr_columns.hpp"
#include "gpu/matrix/scsr/scsr_fused.cuh"
#include "gpu/matrix/scsr/scsr_magnitude.cuh"
#include "gpu/matrix/scsr/scsr_products.cuh"
#include "gpu/matrix/scsr/scsr_tables.hpp"
#include "gpu/matrix/scsr/scsr_tiled.hpp"
#include "gpu/matrix/scsr/scsr_tiles.hpp"
#include "gpu/matrix/scsr/scsr_views.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int forward_threads = 512;
/// What is slower view by view than in a pass over the whole stored views: more views than this
/// part of all, and of a transpose in a fixed order more launches.
constexpr int share_of_views = 4, most_single_views = 32;
/// So many slices of a stack go through the stored views together, whose bytes are read once for
/// them all.
constexpr int most_slices = 4;

/// Slices that go through together, one behind the other; views of their rays lie so far apart.
struct Slices {
  unsigned count;
  std::size_t view_pitch;
};

device::StoredViewSubset part(ViewSubset subset) {
  return {subset.first, subset.stride, subset.count};
}

/// Products through a stored views; Count columns, of which as many are used as there are elements.
template <int Count, bool Half>
class ScsrTiled final : public TiledStoredViews {
  using Word = typename device::Copies<Count, Half>::Word;

 public:
  ScsrTiled(const CudaBackend& cuda, const Projector& weights, StoredViews stored,
            const TiledOptions& options)
      : ScsrTiled(cuda, weights, DeviceRows(cuda, weights, stored.views), stored, options) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const override {
    give.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (few(subset))
      by_views_->forward(x.data(), y.data(), subset);
    else
      forward_stored(x.data(), y.data(), subset, one_slice());
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const override {
    give.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (!few_transposed(subset))
      adjoint_stored(y.data(), x.data(), subset, one_slice());
    else if (in_order())
      by_views_->transposed(y.data(), x.data(), subset);
    else
      spread_views(y.data(), x.data(), subset);
  }

  bool multiply_stack(const Array& x, Array& y, const SliceStack& stack, ViewSubset subset,
                      const LinearOperator& give) const override {
    if (slices_ == 1 || few(subset)) return false;
    for_slices(stack, give, [&](std::size_t first, const Slices& slices) {
      forward_stored(x.data() + first * stack.pixels, y.data() + first * stack.columns, subset,
                     slices);
    });
    return true;
  }

  bool multiply_stack_transposed(const Array& y, Array& x, const SliceStack& stack,
                                 ViewSubset subset, const LinearOperator& give) const override {
    if (slices_ == 1 || !columns_ || few_transposed(subset)) return false;
    for_slices(stack, give, [&](std::size_t first, const Slices& slices) {
      adjoint_stored(y.data() + first * stack.columns, x.data() + first * stack.pixels, subset,
                     slices);
    });
    return true;
  }

  void make_room(int slices) const override {
    slices_ = std::min(slices, most_slices);
    if (slices_ == 1) return;
    const DeviceScope scope(cuda_.device());
    const auto count = static_cast<std::size_t>(slices_);
    pixels_of_slices_ = DeviceBuffer<float>(cuda_, count * pixels() * Count, "copies of slices");
    rays_of_slices_ = DeviceBuffer<float>(cuda_, count * ray_values(), "partial sums of slices");
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

  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& give) const override {
    return std::make_unique<TiledViewSweep<Count, Half>>(cuda_, *by_views_, update, give);
  }
  int subsets_at_once() const override { return views_; }

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
                         (of_pixels_.size() + of_rays_.size() + of_sums_.size() +
                          pixels_of_slices_.size() + rays_of_slices_.size()) *
                                 sizeof(float) +
                             squares_.size() * sizeof(double),
                         PartOf::workspace});
    return all;
  }

 private:
  ScsrTiled(const CudaBackend& cuda, const Projector& weights, const DeviceRows& rows,
            const StoredViews& stored, const TiledOptions& options);

  void count_nonzeros(const StoredViews& stored);
  int find_colours(const DeviceRows& rows) const;
  void make_room_for_fused(const CudaBackend& cuda);
  /// With sums in shared memory a multiprocessor has room for two blocks, or of larger tiles one.
  static constexpr int colour_threads = Half ? 1024 : 512;
  std::size_t colour_bytes() const {
    return device::colour_bytes<Count>(rows_.grid().room(), maps_.views / colour_parts_ + 1);
  }
  bool in_order() const {
    return transpose_ == ScsrTranspose::gather || transpose_ == ScsrTranspose::colouring;
  }
  std::size_t pixels() const { return static_cast<std::size_t>(maps_.nx) * maps_.ny; }
  std::size_t stored_rays() const { return static_cast<std::size_t>(maps_.views) * maps_.columns; }
  dim3 image_grid(unsigned slices = 1) const {
    return {blocks(maps_.nx, 32), blocks(maps_.ny, 8), slices};
  }

  Slices one_slice() const { return {1, static_cast<std::size_t>(maps_.columns)}; }
  /// Too few for a pass over the whole stored views.
  bool few(ViewSubset subset) const { return share_of_views * subset.count < views_; }
  bool few_transposed(ViewSubset subset) const {
    return in_order() ? subset.count <= most_single_views : few(subset);
  }
  /// Calls pass(first, slices).
  template <class Pass>
  void for_slices(const SliceStack& stack, const LinearOperator& give, const Pass& pass) const {
    const DeviceScope scope(cuda_.device());
    for (int first = 0; first < stack.slices; first += slices_) {
      give.check_interrupt();
      pass(static_cast<std::size_t>(first),
           Slices{static_cast<unsigned>(std::min(slices_, stack.slices - first)),
                  static_cast<std::size_t>(stack.slices) * stack.columns});
    }
  }
  float* pixel_values(const Slices& slices) const {
    return slices.count == 1 ? of_pixels_.data() : pixels_of_slices_.data();
  }
  float* ray_values(const Slices& slices) const {
    return slices.count == 1 ? of_rays_.data() : rays_of_slices_.data();
  }
  /// Of a slice: partial sums of segments or copies of rays.
  std::size_t ray_values() const {
    return std::max(static_cast<std::size_t>(rows_.segments()), stored_rays()) * Count;
  }

  /// The scales that copies of vectors are stored in, of each slice its own.
  device::Scale scale_of_images(const float* x, const Slices& slices) const;
  device::Scale scale_of_rays(const float* y, ViewSubset subset, const Slices& slices) const;
  void find_magnitude(const float* values, std::size_t length, std::size_t pitch, ViewSubset runs,
                      int* magnitude) const;
  void forward_stored(const float* x, float* y, ViewSubset subset, const Slices& slices) const;
  void adjoint_stored(const float* y, float* x, ViewSubset subset, const Slices& slices) const;
  void spread_stored(const Word* rays) const;
  void spread_views(const float* y, float* x, ViewSubset subset) const;
  double fused(const float* x, const device::FusedRays& rays, float* out) const;

  const CudaBackend& cuda_;
  ScsrTranspose transpose_;
  int views_, parts_, colour_parts_ = 1, colours_ = 0;
  std::size_t shared_bytes_, longest_row_ = 0;
  std::uint64_t nonzeros_ = 0;
  StoredViewTables tables_;
  device::StoredViewMaps maps_;
  TiledRows<Half> rows_;
  std::unique_ptr<SlicedColumns<Half>> columns_;
  mutable int slices_ = 1;
  mutable DeviceBuffer<float> pixels_of_slices_, rays_of_slices_;
  // Copies of an image or its transposed sums, partial sums of segments or copies of rays.
  mutable DeviceBuffer<float> of_pixels_, of_rays_;
  // Of the fused iteration: sums beside the copies, squared residuals and their sum.
  mutable DeviceBuffer<float> of_sums_;
  mutable DeviceBuffer<double> squares_;
  mutable PinnedBuffer<double> square_;
  mutable DeviceBuffer<int> magnitude_;
  std::unique_ptr<TiledViews<Count, Half>> by_views_;
};

template <int Count, bool Half>
ScsrTiled<Count, Half>::ScsrTiled(const CudaBackend& cuda, const Projector& weights,
                                  const DeviceRows& rows, const StoredViews& stored,
                                  const TiledOptions& options)
    : cuda_(cuda),
      transpose_(options.transpose),
      views_(weights.views()),
      tables_(cuda, stored, weights),
      maps_(tables_.maps()),
      rows_(cuda, rows, static_cast<int>(stored.views.size()), weights.geometry().columns(),
            device::TileGrid::of(weights.grid().nx, weights.grid().ny, device::tile_size<Half>)),
      magnitude_(cuda, most_slices) {
  const DeviceScope scope(cuda.device());
  weights.check_interrupt();
  if (transpose_ == ScsrTranspose::gather)
    columns_ = std::make_unique<SlicedColumns<Half>>(cuda, rows, maps_.nx, maps_.ny);
  colours_ = find_colours(rows);
  weights.check_interrupt();
  if (transpose_ == ScsrTranspose::colouring) colour_parts_ = colour_parts(rows_.grid().tiles);
  of_pixels_ = DeviceBuffer<float>(cuda, pixels() * Count * static_cast<std::size_t>(colour_parts_),
                                   "copies of the image");
  of_rays_ = DeviceBuffer<float>(cuda, ray_values(), "partial sums of rays");
  shared_bytes_ = device::tile_room<Half> * device::Copies<Count, Half>::bytes;
  ask_for_shared(cuda, device::scsr_forward<Count, Half, forward_threads>, shared_bytes_);
  if (transpose_ == ScsrTranspose::colouring)
    ask_for_shared(cuda, device::scsr_colours<Count, Half, colour_threads>, colour_bytes());
  by_views_ =
      std::make_unique<TiledViews<Count, Half>>(cuda, rows_, maps_, colours_, of_rays_.data());
  if (options.fused) make_room_for_fused(cuda);
  // Several blocks for each place that one can run in, so that these end together.
  parts_ = static_cast<int>(blocks(8 * cuda.multiprocessors(), rows_.grid().tiles));
  count_nonzeros(stored);
}

template <int Count, bool Half>
void ScsrTiled<Count, Half>::make_room_for_fused(const CudaBackend& cuda) {
  DeviceBuffer<int> longest(cuda, 1);
  check(cudaMemsetAsync(longest.data(), 0, sizeof(int), cuda.stream()),
        "building a matrix on the GPU");
  device::find_longest_row<<<blocks(static_cast<std::int64_t>(stored_rays()), 256), 256, 0,
                             cuda.stream()>>>(rows_.view(), longest.data());
  check_launch("find_longest_row");
  longest_row_ = static_cast<std::size_t>(longest.download().front());
  ask_for_shared(cuda, device::scsr_fused<Count, Half>, device::fused_bytes(longest_row_));
  of_sums_ = DeviceBuffer<float>(cuda, pixels() * Count, "sums of the image");
  squares_ = DeviceBuffer<double>(cuda, stored_rays(), "norms on the GPU");
  square_ = PinnedBuffer<double>(1);
}

/// Of A: each stored row as often as it is used.
template <int Count, bool Half>
void ScsrTiled<Count, Half>::count_nonzeros(const StoredViews& stored) {
  std::vector<std::uint64_t> times(stored.views.size(), 0), in_view(stored.views.size(), 0);
  for (const device::StoredView& from : stored.source) ++times[static_cast<std::size_t>(from.view)];
  DeviceBuffer<unsigned long long> counts(cuda_, stored.views.size());
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
int ScsrTiled<Count, Half>::find_colours(const DeviceRows& rows) const {
  DeviceBuffer<int> widest(cuda_, 1);
  check(cudaMemsetAsync(widest.data(), 0, sizeof(int), cuda_.stream()),
        "building a matrix on the GPU");
  device::find_widest<<<blocks(static_cast<std::int64_t>(pixels()), 256), 256, 0, cuda_.stream()>>>(
      rows.scan(), widest.data());
  check_launch("find_widest");
  return std::max(widest.download().front(), 1);
}

template <int Count, bool Half>
void ScsrTiled<Count, Half>::find_magnitude(const float* values, std::size_t length,
                                            std::size_t pitch, ViewSubset runs,
                                            int* magnitude) const {
  const auto count = static_cast<std::int64_t>(length) * runs.count;
  const unsigned grid = std::min(blocks(count, 1024), 4U * cuda_.multiprocessors());
  device::find_magnitude<<<std::max(grid, 1U), 256, 0, cuda_.stream()>>>(values, length, pitch,
                                                                         part(runs), magnitude);
  check_launch("find_magnitude");
}

template <int Count, bool Half>
device::Scale ScsrTiled<Count, Half>::scale_of_images(const float* x, const Slices& slices) const {
  if (!Half) return {nullptr};
  check(cudaMemsetAsync(magnitude_.data(), 0, slices.count * sizeof(int), cuda_.stream()),
        "a product");
  for (unsigned i = 0; i < slices.count; ++i)
    find_magnitude(x + i * pixels(), pixels(), 0, {0, 1, 1}, magnitude_.data() + i);
  return {magnitude_.data()};
}

template <int Count, bool Half>
device::Scale ScsrTiled<Count, Half>::scale_of_rays(const float* y, ViewSubset subset,
                                                    const Slices& slices) const {
  if (!Half) return {nullptr};
  const auto columns = static_cast<std::size_t>(maps_.columns);
  check(cudaMemsetAsync(magnitude_.data(), 0, slices.count * sizeof(int), cuda_.stream()),
        "a product");
  for (unsigned i = 0; i < slices.count; ++i)
    find_magnitude(y + i * columns, columns, slices.view_pitch, subset, magnitude_.data() + i);
  return {magnitude_.data()};
}

// ---- y = W x

template <int Count, bool Half>
void ScsrTiled<Count, Half>::forward_stored(const float* x, float* y, ViewSubset subset,
                                            const Slices& slices) const {
  const device::Scale scale = scale_of_images(x, slices);
  auto* copies = reinterpret_cast<Word*>(pixel_values(slices));
  float* partial = ray_values(slices);
  device::gather_image<Count, Half>
      <<<image_grid(slices.count), 256, 0, cuda_.stream()>>>(maps_, x, scale, copies);
  check_launch("gather_image");
  const device::StoredTiles stored = rows_.view();
  device::scsr_forward<Count, Half, forward_threads>
      <<<static_cast<unsigned>(stored.grid.tiles * parts_) * slices.count, forward_threads,
         shared_bytes_, cuda_.stream()>>>(stored, rows_.entries(), parts_, slices.count, copies,
                                          partial);
  check_launch("scsr_forward");
  const dim3 grid(blocks(static_cast<std::int64_t>(stored_rays()) * Count, 256), slices.count);
  device::gather_segments<Count><<<grid, 256, 0, cuda_.stream()>>>(
      stored, maps_, partial, part(subset), rows_.unit(), scale, slices.view_pitch, y);
  check_launch("gather_segments");
}

// ---- x = W^T y

template <int Count, bool Half>
void ScsrTiled<Count, Half>::adjoint_stored(const float* y, float* x, ViewSubset subset,
                                            const Slices& slices) const {
  const device::Scale scale = scale_of_rays(y, subset, slices);
  auto* rays = reinterpret_cast<Word*>(ray_values(slices));
  float* sums = pixel_values(slices);
  const dim3 grid(blocks(static_cast<std::int64_t>(stored_rays()), 256), slices.count);
  device::gather_rays<Count, Half>
      <<<grid, 256, 0, cuda_.stream()>>>(maps_, y, slices.view_pitch, part(subset), scale, rays);
  check_launch("gather_rays");
  if (columns_) {
    const device::ColumnSlices pairs = columns_->slices();
    device::scsr_gather<Count, Half>
        <<<blocks(pairs.count, 8) * slices.count, 256, 0, cuda_.stream()>>>(
            pairs, columns_->start(), columns_->entries(), stored_rays(), slices.count, rays, sums);
    check_launch("scsr_gather");
    device::fold_image<Count, true><<<image_grid(slices.count), 256, 0, cuda_.stream()>>>(
        maps_, sums, 1, rows_.unit(), scale, x);
  } else {
    spread_stored(rays);
    device::fold_image<Count, false><<<image_grid(), 256, 0, cuda_.stream()>>>(
        maps_, sums, colour_parts_, rows_.unit(), scale, x);
  }
  check_launch("fold_image");
}

/// Adds up along rows: tile by tile in the order of the colours, or all at once.
template <int Count, bool Half>
void ScsrTiled<Count, Half>::spread_stored(const Word* rays) const {
  const device::StoredTiles stored = rows_.view();
  if (transpose_ == ScsrTranspose::colouring) {
    device::scsr_colours<Count, Half, colour_threads>
        <<<static_cast<unsigned>(stored.grid.tiles * colour_parts_), colour_threads, colour_bytes(),
           cuda_.stream()>>>(stored, rows_.entries(), colours_, colour_parts_, rays,
                             of_pixels_.data());
    return check_launch("scsr_colours");
  }
  check(cudaMemsetAsync(of_pixels_.data(), 0, of_pixels_.size() * sizeof(float), cuda_.stream()),
        "a product");
  const auto kernel = transpose_ == ScsrTranspose::atomics
                          ? device::scsr_spread<Count, Half, true>
                          : device::scsr_spread<Count, Half, false>;
  kernel<<<blocks(static_cast<std::int64_t>(stored_rays()), 8), 256, 0, cuda_.stream()>>>(
      stored, rows_.entries(), rays, of_pixels_.data());
  check_launch("scsr_spread");
}

template <int Count, bool Half>
void ScsrTiled<Count, Half>::spread_views(const float* y, float* x, ViewSubset subset) const {
  check(cudaMemsetAsync(x, 0, pixels() * sizeof(float), cuda_.stream()), "a product");
  const auto kernel = transpose_ == ScsrTranspose::atomics ? device::scsr_spread_views<Half, true>
                                                           : device::scsr_spread_views<Half, false>;
  for_parts(subset, most_along_grid, [&](ViewSubset views) {
    const dim3 grid(blocks(maps_.columns, 8), static_cast<unsigned>(views.count));
    kernel<<<grid, 256, 0, cuda_.stream()>>>(rows_.view(), rows_.entries(), maps_, part(views), y,
                                             rows_.unit(), x);
    check_launch("scsr_spread_views");
  });
}

// ---- r = C (b - W x), out = W^T r

template <int Count, bool Half>
double ScsrTiled<Count, Half>::fused(const float* x, const device::FusedRays& rays,
                                     float* out) const {
  const device::Scale scale = scale_of_images(x, one_slice());
  auto* copies = reinterpret_cast<Word*>(of_pixels_.data());
  device::gather_image<Count, Half>
      <<<image_grid(), 256, 0, cuda_.stream()>>>(maps_, x, scale, copies);
  check_launch("gather_image");
  check(cudaMemsetAsync(of_sums_.data(), 0, of_sums_.size() * sizeof(float), cuda_.stream()),
        "a product");
  device::scsr_fused<Count, Half><<<static_cast<unsigned>(stored_rays()), device::fused_threads,
                                    device::fused_bytes(longest_row_), cuda_.stream()>>>(
      rows_.view(), rows_.entries(), maps_, copies, scale, rays, of_sums_.data(), squares_.data());
  check_launch("scsr_fused");
  device::fold_image<Count, false><<<image_grid(), 256, 0, cuda_.stream()>>>(
      maps_, of_sums_.data(), 1, rows_.unit(), {nullptr}, out);
  check_launch("fold_image");
  kernels::add_partials<256><<<1, 256, 0, cuda_.stream()>>>(
      squares_.data(), static_cast<int>(squares_.size()), square_.device_data());
  check_launch("add_partials");
  cuda_.synchronize();
  return *square_.data();
}

}  // namespace

int tile_size(bool half) { return half ? device::tile_size<true> : device::tile_size<false>; }

/// Blocks that keep a GPU busy; no GPU's own number, on which the order of sums would depend.
int colour_parts(int tiles) {
  constexpr int many_blocks = 1024, most_colour_parts = 8;
  return std::clamp(many_blocks / tiles, 1, most_colour_parts);
}

std::unique_ptr<const TiledStoredViews> make_scsr_tiled(const CudaBackend& cuda,
                                                        const Projector& weights,
                                                        const StoredViews& stored,
                                                        const TiledOptions& options) {
  const auto made = [&]<int Count, bool Half>() -> std::unique_ptr<const TiledStoredViews> {
    return std::make_unique<ScsrTiled<Count, Half>>(cuda, weights, stored, options);
  };
  if (stored.elements > 4)
    return options.half ? made.template operator()<8, true>()
                        : made.template operator()<8, false>();
  return options.half ? made.template operator()<4, true>() : made.template operator()<4, false>();
}

}  // namespace gantry
