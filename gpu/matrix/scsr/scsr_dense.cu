// The matrix of a symmetric scan in dense sub-matrices; the kernels are in scsr_dense.cuh.
#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/scsr/scsr_dense.cuh"
#include "gpu/matrix/scsr/scsr_dense.hpp"
#include "gpu/matrix/scsr/scsr_dense_fused.cuh"
#include "gpu/matrix/scsr/scsr_dense_views.cuh"
#include "gpu/matrix/scsr/scsr_fused_sums.cuh"
#include "gpu/matrix/scsr/scsr_tables.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr const char* purpose = "a symmetric matrix";

/// The sub-matrices, one after the other in device memory.
class DenseStoredArrays {
 public:
  DenseStoredArrays(const CudaBackend& cuda, const std::vector<DensePieces>& all,
                    std::size_t stored_rays) {
    std::size_t padded = 0;
    for (const DensePieces& one : all) padded += one.block->padded_size();
    weight_ = DeviceBuffer<float>(cuda, padded, purpose);
    column_ = DeviceBuffer<int>(cuda, padded, purpose);
    std::vector<device::DenseShape> shapes;
    std::vector<device::DenseChunk> chunks;
    std::vector<std::int64_t> start{0};
    std::vector<device::DensePlaces> places;
    std::vector<std::vector<device::RayPiece>> of_rays(stored_rays);
    std::int64_t offset = 0;
    for (const DensePieces& one : all) {
      const int rows = static_cast<int>(one.block->rows());
      if (one.block->padded_size() == 0) continue;
      for (int first = 0; first < rows; first += usual_threads)
        chunks.push_back({static_cast<int>(shapes.size()), first});
      shapes.push_back({offset, static_cast<std::int64_t>(start.size()) - 1, rows});
      list_regions(one, start, places);
      for (const DensePiece& piece : one.pieces)
        of_rays[piece.owner].push_back({offset + std::int64_t{piece.first} * rows + piece.row, rows,
                                        static_cast<int>(piece.count)});
      cuda.upload_bytes(one.block->weights().data(), weight_.data() + offset,
                        one.block->padded_size() * sizeof(float));
      cuda.upload_bytes(one.block->columns().data(), column_.data() + offset,
                        one.block->padded_size() * sizeof(int));
      offset += static_cast<std::int64_t>(one.block->padded_size());
    }
    shape_ = {cuda, std::span<const device::DenseShape>(shapes), purpose};
    chunk_ = {cuda, std::span<const device::DenseChunk>(chunks), purpose};
    start_ = {cuda, std::span<const std::int64_t>(start), purpose};
    places_ = {cuda, std::span<const device::DensePlaces>(places), purpose};
    list_rays(cuda, of_rays);
  }

  unsigned chunks() const { return static_cast<unsigned>(chunk_.size()); }
  std::size_t padded_size() const { return weight_.size(); }
  device::DenseStoredViews view() const {
    return {shape_.data(),  chunk_.data(),  start_.data(),
            places_.data(), weight_.data(), column_.data()};
  }
  device::DenseRays rays() const {
    return {first_piece_.data(), piece_.data(), weight_.data(), column_.data()};
  }
  std::vector<MatrixPart> parts() const {
    return {
        {"weights", weight_.size() * sizeof(float)},
        {"columns", column_.size() * sizeof(int)},
        {"index of the rows",
         shape_.size() * sizeof(device::DenseShape) + chunk_.size() * sizeof(device::DenseChunk) +
             start_.size() * sizeof(std::int64_t) + places_.size() * sizeof(device::DensePlaces)},
        {"pieces of the rays",
         first_piece_.size() * sizeof(int) + piece_.size() * sizeof(device::RayPiece)}};
  }

 private:
  /// Appends the regions of each dense row to `places`. Pieces are listed row by row; the slots
  /// between them are padding.
  static void list_regions(const DensePieces& one, std::vector<std::int64_t>& start,
                           std::vector<device::DensePlaces>& places) {
    auto piece = one.pieces.begin();
    for (std::uint32_t row = 0; row < one.block->rows(); ++row) {
      std::uint32_t behind = 0;
      for (; piece != one.pieces.end() && piece->row == row; ++piece) {
        if (piece->first > behind) places.push_back({static_cast<int>(piece->first), -1});
        behind = piece->first + piece->count;
        places.push_back({static_cast<int>(behind), static_cast<int>(piece->owner)});
      }
      start.push_back(static_cast<std::int64_t>(places.size()));
    }
  }

  void list_rays(const CudaBackend& cuda,
                 const std::vector<std::vector<device::RayPiece>>& of_rays) {
    std::vector<int> first{0};
    std::vector<device::RayPiece> pieces;
    for (const std::vector<device::RayPiece>& of_ray : of_rays) {
      pieces.insert(pieces.end(), of_ray.begin(), of_ray.end());
      first.push_back(static_cast<int>(pieces.size()));
    }
    first_piece_ = {cuda, std::span<const int>(first), purpose};
    piece_ = {cuda, std::span<const device::RayPiece>(pieces), purpose};
  }

  DeviceBuffer<device::DenseShape> shape_;
  DeviceBuffer<device::DenseChunk> chunk_;
  DeviceBuffer<std::int64_t> start_;
  DeviceBuffer<device::DensePlaces> places_;
  DeviceBuffer<int> first_piece_;
  DeviceBuffer<device::RayPiece> piece_;
  DeviceBuffer<float> weight_;
  DeviceBuffer<int> column_;
};

device::StoredViewSubset part(ViewSubset subset) {
  return {subset.first, subset.stride, subset.count};
}

template <int Count>
class ScsrDense final : public Matrix {
 public:
  ScsrDense(const CudaBackend& cuda, const Projector& weights, const StoredViews& stored,
            const ScsrBlocks& layout, const DenseOptions& options)
      : cuda_(cuda),
        safe_(options.safe),
        views_(weights.views()),
        tables_(cuda, stored, weights),
        maps_(tables_.maps()),
        arrays_(cuda, layout.pieces(), rays()) {
    for (std::size_t v = 0; v < stored.views.size(); ++v) stored_ += layout.nonzeros(v);
    for (const device::StoredView& from : stored.source)
      nonzeros_ += layout.nonzeros(static_cast<std::size_t>(from.view));
    of_pixels_ = DeviceBuffer<float>(cuda, pixels() * Count, "copies of the image");
    of_rays_ = DeviceBuffer<float>(cuda, rays() * Count, "copies of the rays");
    if (!options.fused) return;
    fused_ = FusedSums<Count>(cuda, pixels(), rays());
  }

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (few(subset)) return multiply_views(x.data(), y.data(), subset);
    auto* copies = reinterpret_cast<float4*>(of_pixels_.data());
    device::gather_image<Count, false>
        <<<image_grid(), usual_threads, 0, cuda_.stream()>>>(maps_, x.data(), {nullptr}, copies);
    check_launch("gather_image");
    clear(of_rays_);
    if (arrays_.chunks() > 0) {
      device::dense_forward<Count><<<arrays_.chunks(), usual_threads, 0, cuda_.stream()>>>(
          arrays_.view(), pixels(), copies, of_rays_.data());
      check_launch("dense_forward");
    }
    device::place_rays<Count>
        <<<blocks(static_cast<std::int64_t>(rays()) * Count, usual_threads), usual_threads, 0,
           cuda_.stream()>>>(maps_, of_rays_.data(), part(subset), y.data());
    check_launch("place_rays");
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (few(subset)) return multiply_views_transposed(y.data(), x.data(), subset);
    auto* values = reinterpret_cast<float4*>(of_rays_.data());
    device::gather_rays<Count, false><<<blocks(static_cast<std::int64_t>(rays()), usual_threads),
                                        usual_threads, 0, cuda_.stream()>>>(
        maps_, y.data(), static_cast<std::size_t>(maps_.columns), part(subset), {nullptr}, values);
    check_launch("gather_rays");
    clear(of_pixels_);
    if (arrays_.chunks() > 0) {
      const auto kernel =
          safe_ ? device::dense_spread<Count, true> : device::dense_spread<Count, false>;
      kernel<<<arrays_.chunks(), usual_threads, 0, cuda_.stream()>>>(arrays_.view(), rays(), values,
                                                                     of_pixels_.data());
      check_launch("dense_spread");
    }
    device::fold_image<Count, false><<<image_grid(), usual_threads, 0, cuda_.stream()>>>(
        maps_, of_pixels_.data(), 1, 1.0F, {nullptr}, x.data());
    check_launch("fold_image");
  }

  std::optional<double> residual_transposed(const Array& x, const Array& b, const Array* row_weight,
                                            Array& r, Array& out,
                                            ViewSubset subset) const override {
    if (fused_.empty() || !(subset == ViewSubset::all(views_))) return std::nullopt;
    const DeviceScope scope(cuda_.device());
    auto* copies = reinterpret_cast<float4*>(of_pixels_.data());
    device::gather_image<Count, false>
        <<<image_grid(), usual_threads, 0, cuda_.stream()>>>(maps_, x.data(), {nullptr}, copies);
    check_launch("gather_image");
    const device::FusedRays rays{b.data(), row_weight != nullptr ? row_weight->data() : nullptr,
                                 r.data(), 1.0F};
    const auto kernel =
        safe_ ? device::dense_fused<Count, true> : device::dense_fused<Count, false>;
    const unsigned of_view = blocks(maps_.columns, scsr::dense_columns);
    kernel<<<of_view* static_cast<unsigned>(maps_.views), usual_threads, 0, cuda_.stream()>>>(
        arrays_.rays(), maps_, copies, rays, fused_.cleared(), fused_.squares());
    check_launch("dense_fused");
    return fused_.finish(maps_, image_grid(), 1.0F, out.data());
  }

  MatrixStorage storage() const override {
    MatrixStorage all{nonzeros_, stored_, arrays_.padded_size() - stored_, arrays_.parts(), 0};
    all.parts.push_back(tables_.part());
    all.parts.push_back({"work space",
                         (of_pixels_.size() + of_rays_.size()) * sizeof(float) + fused_.bytes(),
                         PartOf::workspace});
    return all;
  }

 private:
  /// Returns whether a product view by view is faster than a pass over all stored views.
  bool few(ViewSubset subset) const { return scsr::share_of_views * subset.count < views_; }
  dim3 view_grid(ViewSubset views) const {
    return {blocks(maps_.columns, scsr::dense_columns), static_cast<unsigned>(views.count)};
  }
  void multiply_views(const float* x, float* y, ViewSubset subset) const {
    for_parts(subset, most_along_grid, [&](ViewSubset views) {
      device::dense_view_rays<<<view_grid(views), usual_threads, 0, cuda_.stream()>>>(
          arrays_.rays(), maps_, part(views), x, y);
      check_launch("dense_view_rays");
    });
  }
  void multiply_views_transposed(const float* y, float* x, ViewSubset subset) const {
    check(cudaMemsetAsync(x, 0, pixels() * sizeof(float), cuda_.stream()), "a product");
    const auto kernel = safe_ ? device::dense_view_pixels<true> : device::dense_view_pixels<false>;
    for_parts(subset, most_along_grid, [&](ViewSubset views) {
      kernel<<<view_grid(views), usual_threads, 0, cuda_.stream()>>>(arrays_.rays(), maps_,
                                                                     part(views), y, x);
      check_launch("dense_view_pixels");
    });
  }
  std::size_t pixels() const { return static_cast<std::size_t>(maps_.nx) * maps_.ny; }
  std::size_t rays() const { return static_cast<std::size_t>(maps_.views) * maps_.columns; }
  dim3 image_grid() const {
    return {blocks(maps_.nx, scsr::image_width), blocks(maps_.ny, scsr::image_height)};
  }
  void clear(DeviceBuffer<float>& buffer) const {
    check(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(float), cuda_.stream()),
          "a product");
  }

  const CudaBackend& cuda_;
  bool safe_;
  int views_;
  std::uint64_t nonzeros_ = 0, stored_ = 0;
  StoredViewTables tables_;
  device::StoredViewMaps maps_;
  DenseStoredArrays arrays_;
  mutable DeviceBuffer<float> of_pixels_, of_rays_;  // X or the sums Z; Y
  mutable FusedSums<Count> fused_;
};

}  // namespace

std::unique_ptr<const Matrix> make_scsr_dense(const CudaBackend& cuda, const Projector& weights,
                                              const StoredViews& stored,
                                              const DenseOptions& options) {
  const auto layout = make_scsr_blocks(weights, stored.views, options.blocking, options.order);
  weights.check_interrupt();
  const DeviceScope scope(cuda.device());
  if (stored.elements > 4)
    return std::make_unique<ScsrDense<8>>(cuda, weights, stored, *layout, options);
  return std::make_unique<ScsrDense<4>>(cuda, weights, stored, *layout, options);
}

}  // namespace gantry
