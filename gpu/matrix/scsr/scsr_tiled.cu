#include "core/matrix/stacked_matrix.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/scsr/scsr_colours.cuh"
#include "gpu/matrix/scsr/scsr_columns.cuh"
#include "gpu/matrix/scsr/scsr_columns.hpp"
#include "gpu/matrix/scsr/scsr_fused.cuh"
#include "gpu/matrix/scsr/scsr_fused_sums.cuh"
#include "gpu/matrix/scsr/scsr_magnitude.cuh"
#include "gpu/matrix/scsr/scsr_products.cuh"
#include "gpu/matrix/scsr/scsr_tables.hpp"
#include "gpu/matrix/scsr/scsr_tiled.hpp"
#include "gpu/matrix/scsr/scsr_tiles.hpp"
#include "gpu/matrix/scsr/scsr_views.hpp"

#include <algorithm>
#include <string>

namespace gantry {

namespace {

using scsr::forward_threads, scsr::most_slices;

/// The slices of a stack in one pass, adjacent in memory; in an array of rays, the views are
/// `view_pitch` elements apart.
struct SlicesOfPass {
  unsigned count;
  std::size_t view_pitch;
};

device::StoredViewSubset part(ViewSubset subset) {
  return {subset.first, subset.stride, subset.count};
}

/// Products with the stored views by tiles. Count (4 or 8): the vectors of a pass, one for each
/// element of the symmetry group; those beyond the group's elements are 0.
template <int Count, bool Half>
class ScsrTiled final : public TiledStoredViews {
  using Word = typename device::Copies<Count, Half>::Word;

 public:
  ScsrTiled(const CudaBackend& cuda, const Projector& weights, StoredViews stored,
            const TiledOptions& options)
      : ScsrTiled(cuda, weights, DeviceRows(cuda, weights, stored.views), stored, options) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (few(subset))
      by_views_->forward(x.data(), y.data(), subset);
    else
      forward_stored(x.data(), y.data(), subset, one_slice());
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (!few_transposed(subset))
      adjoint_stored(y.data(), x.data(), subset, one_slice());
    else if (in_order())
      by_views_->transposed(y.data(), x.data(), subset);
    else
      spread_views(y.data(), x.data(), subset);
  }

  bool multiply_stack(const Array& x, Array& y, const SliceStack& stack, ViewSubset subset,
                      const LinearOperator& interruptible) const override {
    if (slices_ == 1 || few(subset)) return false;
    for_slices(stack, interruptible, [&](std::size_t first, const SlicesOfPass& slices) {
      forward_stored(x.data() + first * stack.pixels, y.data() + first * stack.columns, subset,
                     slices);
    });
    return true;
  }

  bool multiply_stack_transposed(const Array& y, Array& x, const SliceStack& stack,
                                 ViewSubset subset,
                                 const LinearOperator& interruptible) const override {
    if (slices_ == 1 || !columns_ || few_transposed(subset)) return false;
    for_slices(stack, interruptible, [&](std::size_t first, const SlicesOfPass& slices) {
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
    if (fused_sums_.empty() || !(subset == ViewSubset::all(views_))) return std::nullopt;
    const DeviceScope scope(cuda_.device());
    return fused(
        x.data(),
        {b.data(), row_weight != nullptr ? row_weight->data() : nullptr, r.data(), rows_.unit()},
        out.data());
  }

  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& interruptible) const override {
    return std::make_unique<TiledViewSweep<Count, Half>>(*by_views_, update, interruptible);
  }
  /// Sweeps of this matrix process single views only.
  int subsets_at_once(int views_of_subset) const override {
    return views_of_subset == 1 ? views_ : 1;
  }

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
    all.parts.push_back(
        {"work space",
         (of_pixels_.size() + of_rays_.size() + pixels_of_slices_.size() + rays_of_slices_.size()) *
                 sizeof(float) +
             fused_sums_.bytes(),
         PartOf::workspace});
    return all;
  }

 private:
  ScsrTiled(const CudaBackend& cuda, const Projector& weights, const DeviceRows& rows,
            const StoredViews& stored, const TiledOptions& options);

  void count_nonzeros(const StoredViews& stored);
  int find_colours(const DeviceRows& rows) const;
  void allocate_for_fused(const CudaBackend& cuda);
  void require_short_rays() const;
  static constexpr int colour_threads = scsr::colour_threads<Half>;
  std::size_t colour_bytes() const {
    return device::colour_bytes<Count>(rows_.grid().slots_with_spare(),
                                       maps_.views / colour_parts_ + 1);
  }
  bool in_order() const {
    return transpose_ == ScsrTranspose::gather || transpose_ == ScsrTranspose::colouring;
  }
  std::size_t pixels() const { return static_cast<std::size_t>(maps_.nx) * maps_.ny; }
  std::size_t stored_rays() const { return static_cast<std::size_t>(maps_.views) * maps_.columns; }
  dim3 image_grid(unsigned slices = 1) const {
    return {blocks(maps_.nx, scsr::image_width), blocks(maps_.ny, scsr::image_height), slices};
  }

  SlicesOfPass one_slice() const { return {1, static_cast<std::size_t>(maps_.columns)}; }
  /// Returns whether a product view by view is faster than a pass over all stored views.
  bool few(ViewSubset subset) const { return scsr::share_of_views * subset.count < views_; }
  bool few_transposed(ViewSubset subset) const {
    return in_order() ? subset.count <= scsr::most_single_views : few(subset);
  }
  /// Calls pass(first slice, slices) for as many slices at a time as there is memory for.
  template <class Pass>
  void for_slices(const SliceStack& stack, const LinearOperator& interruptible,
                  const Pass& pass) const {
    const DeviceScope scope(cuda_.device());
    for (int first = 0; first < stack.slices; first += slices_) {
      interruptible.check_interrupt();
      pass(static_cast<std::size_t>(first),
           SlicesOfPass{static_cast<unsigned>(std::min(slices_, stack.slices - first)),
                        static_cast<std::size_t>(stack.slices) * stack.columns});
    }
  }
  float* pixel_values(const SlicesOfPass& slices) const {
    return slices.count == 1 ? of_pixels_.data() : pixels_of_slices_.data();
  }
  float* ray_values(const SlicesOfPass& slices) const {
    return slices.count == 1 ? of_rays_.data() : rays_of_slices_.data();
  }
  /// Returns the number of values of a slice in of_rays_.
  std::size_t ray_values() const {
    return std::max(static_cast<std::size_t>(rows_.segments()), stored_rays()) * Count;
  }

  /// Return the scales of copies in half precision, one for each slice.
  device::Scale scale_of_images(const float* x, const SlicesOfPass& slices) const;
  device::Scale scale_of_rays(const float* y, ViewSubset subset, const SlicesOfPass& slices) const;
  void find_magnitude(const float* values, std::size_t length, std::size_t pitch, ViewSubset runs,
                      int* magnitude) const;
  void forward_stored(const float* x, float* y, ViewSubset subset,
                      const SlicesOfPass& slices) const;
  void adjoint_stored(const float* y, float* x, ViewSubset subset,
                      const SlicesOfPass& slices) const;
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
  // of_pixels_: copies of an image, or the sums Z of the backprojection. of_rays_: partial sums of
  // segments, or copies of rays.
  mutable DeviceBuffer<float> of_pixels_, of_rays_;
  mutable FusedSums<Count> fused_sums_;
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
            device::TileGrid::of(weights.grid().nx, weights.grid().ny, scsr::tile_size<Half>)),
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
  shared_bytes_ = device::tile_slots<Half> * device::Copies<Count, Half>::bytes;
  allow_shared_memory(cuda, device::scsr_forward<Count, Half, forward_threads>, shared_bytes_);
  if (transpose_ == ScsrTranspose::colouring)
    allow_shared_memory(cuda, device::scsr_colours<Count, Half, colour_threads>, colour_bytes());
  by_views_ =
      std::make_unique<TiledViews<Count, Half>>(cuda, rows_, maps_, colours_, of_rays_.data());
  if (options.fused) allocate_for_fused(cuda);
  parts_ = static_cast<int>(
      blocks(scsr::forward_blocks_in_all * cuda.multiprocessors(), rows_.grid().tiles));
  count_nonzeros(stored);
}

/// Throws UsageError if the kernel's shared memory cannot hold the segments of a stored ray.
template <int Count, bool Half>
void ScsrTiled<Count, Half>::require_short_rays() const {
  const std::int64_t most = rows_.most_segments_of_ray();
  if (most > scsr::most_row_segments)
    throw UsageError("a ray may meet " + std::to_string(most) +
                         " tiles of the image; the fused residual of SCSR takes at most " +
                         std::to_string(scsr::most_row_segments),
                     "format.residual", "use residual split");
}

template <int Count, bool Half>
void ScsrTiled<Count, Half>::allocate_for_fused(const CudaBackend& cuda) {
  require_short_rays();
  DeviceBuffer<int> longest(cuda, 1);
  check(cudaMemsetAsync(longest.data(), 0, sizeof(int), cuda.stream()),
        "building a matrix on the GPU");
  device::find_longest_row<<<blocks(static_cast<std::int64_t>(stored_rays()), usual_threads),
                             usual_threads, 0, cuda.stream()>>>(rows_.view(), longest.data());
  check_launch("find_longest_row");
  longest_row_ = static_cast<std::size_t>(longest.download().front());
  allow_shared_memory(cuda, device::scsr_fused<Count, Half>, device::fused_bytes(longest_row_));
  fused_sums_ = FusedSums<Count>(cuda, pixels(), stored_rays());
}

/// Counts the nonzeros of A: those of a stored view count once for each view that is made of it.
template <int Count, bool Half>
void ScsrTiled<Count, Half>::count_nonzeros(const StoredViews& stored) {
  std::vector<std::uint64_t> times(stored.views.size(), 0), in_view(stored.views.size(), 0);
  for (const device::StoredView& from : stored.source) ++times[static_cast<std::size_t>(from.view)];
  DeviceBuffer<unsigned long long> counts(cuda_, stored.views.size());
  check(
      cudaMemsetAsync(counts.data(), 0, counts.size() * sizeof(unsigned long long), cuda_.stream()),
      "building a matrix on the GPU");
  device::count_views<<<blocks(std::int64_t{rows_.grid().tiles} * maps_.views, usual_threads),
                        usual_threads, 0, cuda_.stream()>>>(rows_.view(), counts.data());
  check_launch("count_views");
  const auto found = counts.download();
  for (std::size_t v = 0; v < times.size(); ++v) nonzeros_ += times[v] * found[v];
}

/// Returns the number of colours: rays of a view that are so many columns apart meet no common
/// pixel.
template <int Count, bool Half>
int ScsrTiled<Count, Half>::find_colours(const DeviceRows& rows) const {
  DeviceBuffer<int> widest(cuda_, 1);
  check(cudaMemsetAsync(widest.data(), 0, sizeof(int), cuda_.stream()),
        "building a matrix on the GPU");
  device::find_widest<<<blocks(static_cast<std::int64_t>(pixels()), usual_threads), usual_threads,
                        0, cuda_.stream()>>>(rows.scan(), widest.data());
  check_launch("find_widest");
  return std::max(widest.download().front(), 1);
}

template <int Count, bool Half>
void ScsrTiled<Count, Half>::find_magnitude(const float* values, std::size_t length,
                                            std::size_t pitch, ViewSubset runs,
                                            int* magnitude) const {
  const auto count = static_cast<std::int64_t>(length) * runs.count;
  const unsigned grid = std::min(blocks(count, scsr::magnitude_values),
                                 scsr::magnitude_blocks * cuda_.multiprocessors());
  device::find_magnitude<<<std::max(grid, 1U), usual_threads, 0, cuda_.stream()>>>(
      values, length, pitch, part(runs), magnitude);
  check_launch("find_magnitude");
}

template <int Count, bool Half>
device::Scale ScsrTiled<Count, Half>::scale_of_images(const float* x,
                                                      const SlicesOfPass& slices) const {
  if (!Half) return {nullptr};
  check(cudaMemsetAsync(magnitude_.data(), 0, slices.count * sizeof(int), cuda_.stream()),
        "a product");
  for (unsigned i = 0; i < slices.count; ++i)
    find_magnitude(x + i * pixels(), pixels(), 0, {0, 1, 1}, magnitude_.data() + i);
  return {magnitude_.data()};
}

template <int Count, bool Half>
device::Scale ScsrTiled<Count, Half>::scale_of_rays(const float* y, ViewSubset subset,
                                                    const SlicesOfPass& slices) const {
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
                                            const SlicesOfPass& slices) const {
  const device::Scale scale = scale_of_images(x, slices);
  auto* copies = reinterpret_cast<Word*>(pixel_values(slices));
  float* partial = ray_values(slices);
  device::gather_image<Count, Half>
      <<<image_grid(slices.count), usual_threads, 0, cuda_.stream()>>>(maps_, x, scale, copies);
  check_launch("gather_image");
  const device::StoredTiles stored = rows_.view();
  device::scsr_forward<Count, Half, forward_threads>
      <<<static_cast<unsigned>(stored.grid.tiles * parts_) * slices.count, forward_threads,
         shared_bytes_, cuda_.stream()>>>(stored, rows_.entries(), parts_, slices.count, copies,
                                          partial);
  check_launch("scsr_forward");
  const dim3 grid(blocks(static_cast<std::int64_t>(stored_rays()) * Count, usual_threads),
                  slices.count);
  device::gather_segments<Count><<<grid, usual_threads, 0, cuda_.stream()>>>(
      stored, maps_, partial, part(subset), rows_.unit(), scale, slices.view_pitch, y);
  check_launch("gather_segments");
}

// ---- x = W^T y

template <int Count, bool Half>
void ScsrTiled<Count, Half>::adjoint_stored(const float* y, float* x, ViewSubset subset,
                                            const SlicesOfPass& slices) const {
  const device::Scale scale = scale_of_rays(y, subset, slices);
  auto* rays = reinterpret_cast<Word*>(ray_values(slices));
  float* sums = pixel_values(slices);
  const dim3 grid(blocks(static_cast<std::int64_t>(stored_rays()), usual_threads), slices.count);
  device::gather_rays<Count, Half><<<grid, usual_threads, 0, cuda_.stream()>>>(
      maps_, y, slices.view_pitch, part(subset), scale, rays);
  check_launch("gather_rays");
  if (columns_) {
    const device::ColumnChunks pairs = columns_->chunks();
    device::scsr_gather<Count, Half>
        <<<blocks(pairs.count, usual_warps) * slices.count, usual_threads, 0, cuda_.stream()>>>(
            pairs, columns_->start(), columns_->entries(), stored_rays(), slices.count, rays, sums);
    check_launch("scsr_gather");
    device::fold_image<Count, true><<<image_grid(slices.count), usual_threads, 0, cuda_.stream()>>>(
        maps_, sums, 1, rows_.unit(), scale, x);
  } else {
    spread_stored(rays);
    device::fold_image<Count, false><<<image_grid(), usual_threads, 0, cuda_.stream()>>>(
        maps_, sums, colour_parts_, rows_.unit(), scale, x);
  }
  check_launch("fold_image");
}

/// Computes Z along the stored matrix rows: tile by tile in the order of the colours, or for all
/// stored rays at the same time, with atomic or unprotected additions.
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
  kernel<<<blocks(static_cast<std::int64_t>(stored_rays()), usual_warps), usual_threads, 0,
           cuda_.stream()>>>(stored, rows_.entries(), rays, of_pixels_.data());
  check_launch("scsr_spread");
}

template <int Count, bool Half>
void ScsrTiled<Count, Half>::spread_views(const float* y, float* x, ViewSubset subset) const {
  check(cudaMemsetAsync(x, 0, pixels() * sizeof(float), cuda_.stream()), "a product");
  const auto kernel = transpose_ == ScsrTranspose::atomics ? device::scsr_spread_views<Half, true>
                                                           : device::scsr_spread_views<Half, false>;
  for_parts(subset, most_along_grid, [&](ViewSubset views) {
    const dim3 grid(blocks(maps_.columns, usual_warps), static_cast<unsigned>(views.count));
    kernel<<<grid, usual_threads, 0, cuda_.stream()>>>(rows_.view(), rows_.entries(), maps_,
                                                       part(views), y, rows_.unit(), x);
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
      <<<image_grid(), usual_threads, 0, cuda_.stream()>>>(maps_, x, scale, copies);
  check_launch("gather_image");
  device::scsr_fused<Count, Half><<<static_cast<unsigned>(stored_rays()), device::fused_threads,
                                    device::fused_bytes(longest_row_), cuda_.stream()>>>(
      rows_.view(), rows_.entries(), maps_, copies, scale, rays, fused_sums_.cleared(),
      fused_sums_.squares());
  check_launch("scsr_fused");
  return fused_sums_.finish(maps_, image_grid(), rows_.unit(), out);
}

}  // namespace

int tile_size(bool half) { return half ? scsr::tile_size<true> : scsr::tile_size<false>; }

std::size_t tile_vector(bool half) {
  return half ? device::TileEntries<true>::vector : device::TileEntries<false>::vector;
}

int colour_parts(int tiles) {
  return std::clamp(scsr::many_colour_blocks / tiles, 1, scsr::most_colour_parts);
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
