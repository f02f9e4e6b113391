// The matrix of a symmetric three-dimensional scan; the kernels are in scsr_cone.cuh.
#include "gpu/base/launch.hpp"
#include "gpu/matrix/scsr/cone_runs.hpp"
#include "gpu/matrix/scsr/cone_stored_views.hpp"
#include "gpu/matrix/scsr/scsr_cone.cuh"
#include "gpu/matrix/scsr/scsr_cone.hpp"
#include "gpu/matrix/scsr/scsr_magnitude.cuh"
#include "gpu/matrix/scsr/scsr_tiles.hpp"

#include <algorithm>
#include <set>

namespace gantry {

namespace {

constexpr const char* purpose = "products of a symmetric matrix";

device::StoredViewSubset part(ViewSubset subset) {
  return {subset.first, subset.stride, subset.count};
}

template <int InPlane, bool Mirrored, bool Half>
class ScsrCone final : public Matrix {
 public:
  ScsrCone(const CudaBackend& cuda, const Projector& weights, const ConeStoredViews& stored,
           const TiledOptions& options)
      : cuda_(cuda),
        transpose_(options.transpose),
        views_(weights.views()),
        stored_views_(static_cast<int>(stored.views.size())),
        times_(cuda, std::span<const std::uint32_t>(stored.times), purpose),
        image_(cuda, std::span<const device::StoredView>(stored.image), purpose),
        voxel_(cuda, std::span<const int>(stored.voxel), purpose),
        of_orbits_(cuda, word_floats(stored.voxel.size()), purpose),
        of_rays_(cuda, word_floats(static_cast<std::size_t>(stored.rays.count()) * elements),
                 purpose),
        magnitude_(cuda, 1, purpose),
        unit_(weight_unit(norm(weights.grid().spacing_mm), Half)) {
    const DeviceScope scope(cuda.device());
    maps_ = {stored.rays,   times_.data(),   image_.data(),
             voxel_.data(), stored.orbits(), stored.has_fixed_voxels};
    for (int v = 0; v < views_; ++v) stored_view_.push_back(0);
    for (std::size_t i = 0; i < stored.image.size(); ++i)
      if (stored.image[i].view >= 0)
        stored_view_[static_cast<std::size_t>(stored.image[i].view)] = static_cast<int>(i / 8);
    if (transpose_ != ScsrTranspose::gather)
      sums_ = DeviceBuffer<float>(cuda, stored.voxel.size(), purpose);
    build(weights, stored);
  }

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    const device::Scale scale = scale_of(x.data(), x.size(), {0, 1, 1});
    const std::int64_t pairs = maps_.orbits * InPlane;
    device::gather_orbits<InPlane, Mirrored, Half>
        <<<blocks(pairs, usual_threads), usual_threads, 0, cuda_.stream()>>>(maps_, x.data(), scale,
                                                                             orbit_words());
    check_launch("gather_orbits");
    const unsigned patches =
        blocks(maps_.rays.columns, scsr::cone_columns) * blocks(maps_.rays.rows, scsr::cone_rows);
    for_each_list(subset, [&](const device::ViewList& list, unsigned count) {
      device::cone_forward<InPlane, Mirrored, Half>
          <<<dim3(patches, count), usual_threads, 0, cuda_.stream()>>>(
              maps_, rows_.view(), list, part(subset), orbit_words(), unit_, scale, y.data());
      check_launch("cone_forward");
    });
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    const device::Scale scale =
        scale_of(y.data(), y.size() / static_cast<std::size_t>(views_), subset);
    const device::BlockSet asked = blocks_of(subset);
    const std::int64_t pairs = maps_.rays.count() * InPlane;
    device::gather_cone_rays<InPlane, Mirrored, Half>
        <<<blocks(pairs, usual_threads), usual_threads, 0, cuda_.stream()>>>(
            maps_, y.data(), part(subset), asked, scale, ray_words());
    check_launch("gather_cone_rays");
    if (transpose_ != ScsrTranspose::gather) return spread(subset, scale, x.data());
    device::cone_gather<InPlane, Mirrored, Half>
        <<<blocks(maps_.orbits, usual_warps), usual_threads, 0, cuda_.stream()>>>(
            maps_, columns_.view(), asked, subset == ViewSubset::all(views_), ray_words(), unit_,
            scale, x.data());
    check_launch("cone_gather");
  }

  MatrixStorage storage() const override {
    MatrixStorage all;
    all.stored = stored_;
    all.nonzeros = nonzeros_;
    all.padding = rows_.padding() + columns_.padding();
    all.parts = rows_.parts("", PartOf::matrix);
    if (transpose_ == ScsrTranspose::gather)
      for (const MatrixPart& part : columns_.parts("transposed ", PartOf::transpose))
        all.parts.push_back(part);
    all.parts.push_back({"orbits", voxel_.size() * sizeof(int)});
    all.parts.push_back({"maps", image_.size() * sizeof(device::StoredView)});
    all.parts.push_back({"work space",
                         (of_orbits_.size() + of_rays_.size() + sums_.size()) * sizeof(float),
                         PartOf::workspace});
    return all;
  }

 private:
  using Word = typename device::ConeValue<Mirrored, Half>::Word;
  static constexpr int elements = (Mirrored ? 2 : 1) * InPlane;

  /// Returns the number of floats whose memory holds this many values.
  static std::size_t word_floats(std::size_t values) { return (values * (Half ? 2 : 4) + 3) / 4; }
  Word* orbit_words() const { return reinterpret_cast<Word*>(of_orbits_.data()); }
  Word* ray_words() const { return reinterpret_cast<Word*>(of_rays_.data()); }

  void build(const Projector& weights, const ConeStoredViews& stored) {
    const ConeEntries entries = cone_entries(cuda_, weights, stored);
    stored_ = static_cast<std::uint64_t>(entries.count());
    nonzeros_ = entries.of_all;
    EntryOrder order = by_orbits(cuda_, entries, stored);
    if (transpose_ == ScsrTranspose::gather)
      columns_ = StoredRuns<Half>(cuda_, entries, order, stored, true, unit_);
    weights.check_interrupt();
    order = by_rays(cuda_, entries, std::move(order));
    rows_ = StoredRuns<Half>(cuda_, entries, order, stored, false, unit_);
    weights.check_interrupt();
  }

  /// Returns the scale of values in half precision, from the largest magnitude in the views `runs`
  /// of `length` values each. In float32, values are not scaled.
  device::Scale scale_of(const float* values, std::size_t length, ViewSubset runs) const {
    if (!Half) return {nullptr};
    check(cudaMemsetAsync(magnitude_.data(), 0, sizeof(int), cuda_.stream()), "a product");
    const auto count = static_cast<std::int64_t>(length) * runs.count;
    const unsigned grid = std::min(blocks(count, scsr::magnitude_values),
                                   scsr::magnitude_blocks * cuda_.multiprocessors());
    device::find_magnitude<<<std::max(grid, 1U), usual_threads, 0, cuda_.stream()>>>(
        values, length, length, part(runs), magnitude_.data());
    check_launch("find_magnitude");
    return {magnitude_.data()};
  }

  std::set<int> stored_views_of(ViewSubset subset) const {
    std::set<int> found;
    for (int i = 0; i < subset.count && std::ssize(found) < stored_views_; ++i)
      found.insert(stored_view_[static_cast<std::size_t>(subset.view(i))]);
    return found;
  }

  /// Calls launch(list, count) for lists of the stored views of which a subset's views are made.
  template <class Launch>
  void for_each_list(ViewSubset subset, const Launch& launch) const {
    device::ViewList list{};
    unsigned count = 0;
    const auto flush = [&] {
      if (count > 0) launch(list, count);
      count = 0;
    };
    for (const int view : stored_views_of(subset)) {
      list.view[count++] = static_cast<std::uint16_t>(view);
      if (count == scsr::most_listed_views) flush();
    }
    flush();
  }

  device::BlockSet blocks_of(ViewSubset subset) const {
    device::BlockSet set{};
    for (const int view : stored_views_of(subset)) {
      const int block = view / device::views_of_block;
      set.bits[block / 32] |= 1U << (block % 32);
    }
    return set;
  }

  void spread(ViewSubset subset, const device::Scale& scale, float* x) const {
    check(cudaMemsetAsync(sums_.data(), 0, sums_.size() * sizeof(float), cuda_.stream()),
          "a product");
    const auto kernel = transpose_ == ScsrTranspose::atomics
                            ? device::cone_spread<InPlane, Mirrored, Half, true>
                            : device::cone_spread<InPlane, Mirrored, Half, false>;
    const unsigned rays = blocks(std::int64_t{maps_.rays.rows} * maps_.rays.columns, usual_warps);
    for_each_list(subset, [&](const device::ViewList& list, unsigned count) {
      kernel<<<dim3(rays, count), usual_threads, 0, cuda_.stream()>>>(maps_, rows_.view(), list,
                                                                      ray_words(), sums_.data());
      check_launch("cone_spread");
    });
    device::fold_orbits<elements>
        <<<blocks(maps_.orbits * elements, usual_threads), usual_threads, 0, cuda_.stream()>>>(
            maps_, sums_.data(), unit_, scale, x);
    check_launch("fold_orbits");
  }

  const CudaBackend& cuda_;
  ScsrTranspose transpose_;
  int views_, stored_views_;
  std::vector<int> stored_view_;  // [view]
  DeviceBuffer<std::uint32_t> times_;
  DeviceBuffer<device::StoredView> image_;
  DeviceBuffer<int> voxel_;
  mutable DeviceBuffer<float> of_orbits_, of_rays_, sums_;  // the first two hold halves if Half
  mutable DeviceBuffer<int> magnitude_;
  float unit_;
  device::ConeMaps maps_{};
  std::uint64_t stored_ = 0, nonzeros_ = 0;
  StoredRuns<Half> rows_, columns_;
};

/// Returns the rays of the stored views and detector rows.
double stored_rays(const ScanSymmetry& symmetry, const ScanGeometry& geometry) {
  const bool mirrored = symmetry.holds({0, false, true});
  const int rows = mirrored ? (geometry.rows() + 1) / 2 : geometry.rows();
  return static_cast<double>(symmetry.stored_views().size()) * rows * geometry.columns();
}

double stored_entries(const NonzeroEstimate& estimate, double rays) {
  return estimate.nonzeros * rays / static_cast<double>(estimate.rows);
}

}  // namespace

std::size_t scsr_cone_build_bytes(const NonzeroEstimate& estimate, const Projector& weights) {
  // Code, ray and weight of each entry, and its order, which is sorted from one buffer to another.
  constexpr double entry_bytes = 12, sorting_bytes = 16;
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const double rays = stored_rays(symmetry, weights.geometry());
  return static_cast<std::size_t>((entry_bytes + sorting_bytes) * stored_entries(estimate, rays));
}

std::size_t scsr_cone_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                            const TiledOptions& options) {
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const bool mirrored = symmetry.holds({0, false, true});
  const double views = static_cast<double>(symmetry.stored_views().size()),
               rays = stored_rays(symmetry, weights.geometry()),
               stored = stored_entries(estimate, rays),
               values = static_cast<double>(estimate.columns),
               elements = static_cast<double>(symmetry.elements().size()),
               blocks = std::ceil(views / device::views_of_block);
  // Slots of runs that stay empty: in a stored ray the last run of each of some three elements is
  // half empty, in an orbit that of each voxel in each block of views. The stored rays see two
  // mirrored voxels together as often as they would see one alone.
  const double slots = stored + 10 * rays,
               transposed = options.transpose == ScsrTranspose::gather
                                ? stored + (mirrored ? 1.5 : 3) * blocks * values
                                : 0,
               bytes_of_slot = options.half ? 4.5 : 6.5, bytes_of_value = options.half ? 2 : 4,
               sums = options.transpose == ScsrTranspose::gather ? 0 : 4;
  return static_cast<std::size_t>(bytes_of_slot * (slots + transposed) + 4 * rays +
                                  4 * values * (1 + blocks / elements) +
                                  bytes_of_value * (values + elements * rays) + sums * values);
}

std::unique_ptr<const Matrix> make_scsr_cone(const CudaBackend& cuda, const Projector& weights,
                                             const TiledOptions& options) {
  const ConeStoredViews stored(ScanSymmetry(weights.geometry(), weights.grid()), weights.geometry(),
                               weights.grid());
  const auto of_precision = [&]<int InPlane, bool Mirrored>() -> std::unique_ptr<const Matrix> {
    if (options.half)
      return std::make_unique<ScsrCone<InPlane, Mirrored, true>>(cuda, weights, stored, options);
    return std::make_unique<ScsrCone<InPlane, Mirrored, false>>(cuda, weights, stored, options);
  };
  const auto of_plane = [&]<bool Mirrored>() -> std::unique_ptr<const Matrix> {
    switch (stored.in_plane) {
      case 8:
        return of_precision.template operator()<8, Mirrored>();
      case 4:
        return of_precision.template operator()<4, Mirrored>();
      case 2:
        return of_precision.template operator()<2, Mirrored>();
      default:
        return of_precision.template operator()<1, Mirrored>();
    }
  };
  return stored.mirrored ? of_plane.template operator()<true>()
                         : of_plane.template operator()<false>();
}

}  // namespace gantry
