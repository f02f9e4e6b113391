// The format symmetric BSR of halves: stores in tiles of halves only the part of W that does not
// follow from the symmetry of the scan. The operand rows of the products by Tensor Cores are the
// images of slices under the elements of the symmetry group (core/matrix/tiles/tile_symmetry.hpp),
// or the up to 16 images of one volume in a circular cone beam: Nourazar and Goossens (2021),
// section 3.4, for both products. pack_images makes the images. Where a sum belongs to a single
// image, the product writes this sum to its destination (ToImages); other sums are stored (ToSums)
// and then added up over the images (fold_images), or added up by the product itself, orbit by
// orbit.
#include "core/base/error.hpp"
#include "core/matrix/tiles/bsr_symmetric.hpp"
#include "core/matrix/tiles/volume_orbits.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/bsr_half/slice_magnitudes.hpp"
#include "gpu/matrix/bsr_half_symmetric/bsr_half_symmetric.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_operands.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_volume.cuh"
#include "gpu/matrix/bsr_half_symmetric/tuning.hpp"
#include "gpu/matrix/rows/build_memory.hpp"

#include <algorithm>
#include <set>

namespace gantry {

namespace {

struct Options {
  std::string part, order;
  int block_rays;
  bool split;
  int parts() const { return split ? 2 : 1; }
};

namespace tuning = bsr_half_symmetric;

template <tuning::ImageLaunch s>
using ShapeOf = device::ImageShape<s.warps, s.shares, s.at_once>;
template <int Eights>
struct ForwardToImages : ShapeOf<tuning::forward_to_images(Eights)> {};
template <int Eights>
struct ForwardToSums : ShapeOf<tuning::forward_to_sums> {};
template <int Eights>
struct VolumeForward : ShapeOf<tuning::volume_forward> {};
using BackToImages = ShapeOf<tuning::back_to_images>;
using BackToSums = ShapeOf<tuning::back_to_sums>;

/// Eights of operand rows that a warp holds at the same time, and number of passes over all of
/// them.
struct EightPasses {
  int eights, passes;

  EightPasses(int rows, int parts) : eights(1) {
    const int all = (rows + device::eight - 1) / device::eight * parts;
    while (eights < std::min(all, tuning::most_eights)) eights *= 2;
    passes = (all + eights - 1) / eights;
  }
  int all() const { return eights * passes; }
};

/// Returns the number of orbits from which on a block per orbit is faster.
int least_orbits(const CudaBackend& cuda) { return tuning::enough_orbits * cuda.multiprocessors(); }

/// Returns the largest line length that divides `count`, at most longest_line.
int even_length(std::int64_t count) {
  int length = tuning::longest_line;
  while (count % length != 0) --length;
  return length;
}

template <class Sides>
class BsrHalfSymmetric final : public Matrix {
  static constexpr bool of_volume = std::is_same_v<Sides, VolumeSides>;
  using Pixels = typename Sides::Pixels;
  using Rays = typename Sides::Rays;

 public:
  BsrHalfSymmetric(const CudaBackend& cuda, const SymmetricScan& scan, const TileSymmetry& symmetry,
                   const Options& options)
      : cuda_(cuda),
        options_(options),
        views_(scan.weights().views()),
        layout_{scan.slices(), static_cast<int>(scan.weights().cells_per_view()),
                static_cast<std::int64_t>(scan.weights().domain_size())},
        nx_(scan.weights().grid().nx),
        rows_(scan.slices() * symmetry.elements()),
        passes_(rows_, options.parts()),
        tiles_(cuda, scan.weights(), symmetry, options.block_rays) {
    require_slices_in_launch(layout_.slices);
    constexpr const char* purpose = "products on Tensor Cores";
    const std::int64_t pixels = tiles_.positions_of_pixels(), rays = tiles_.positions_of_rays();
    operand_ = DeviceBuffer<__half>(cuda,
                                    static_cast<std::size_t>(std::max(pixels, rays)) *
                                        static_cast<std::size_t>(device::eight * passes_.all()),
                                    purpose);
    by_orbits_ = tiles_.orbits().count >= least_orbits(cuda);
    if (!by_orbits_)
      sums_ =
          DeviceBuffer<float>(cuda,
                              static_cast<std::size_t>(rows_) *
                                  static_cast<std::size_t>(tiles_.sums_pixels() ? pixels : rays),
                              purpose);
    magnitude_parts_ = of_volume ? tuning::volume_parts
                                 : std::clamp(tuning::stack_parts / layout_.slices,
                                              tuning::fewest_parts, tuning::most_parts);
    magnitudes_ = DeviceBuffer<float>(
        cuda, static_cast<std::size_t>(layout_.slices) * (1 + magnitude_parts_), purpose);
    met_ = DeviceBuffer<unsigned char>(
        cuda, static_cast<std::size_t>(tiles_.store().index().groups), purpose);
  }

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    find_magnitudes(x.data(),
                    device::image_lines(layout_, of_volume ? even_length(layout_.pixels) : nx_));
    pack(tiles_.pixels(layout_), tiles_.positions_of_pixels(), x.data(), 1);
    const Rays rays = tiles_.rays(layout_, range(subset));
    const unsigned char* met = find_met(rays, subset);
    if constexpr (of_volume) {
      forward<VolumeForward>(met, to_images(rays, y.data(), 1));
    } else if (tiles_.sums_pixels()) {
      forward<ForwardToImages>(met, to_images(rays, y.data(), 1));
    } else {
      forward<ForwardToSums>(met, to_sums(rays, tiles_.positions_of_rays(), 1));
      fold(rays, tiles_.positions_of_rays(), y.data());
    }
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    find_magnitudes(y.data(), lines_of_rays(subset));
    const Rays rays = tiles_.rays(layout_, range(subset));
    const float share = tiles_.images().opposites ? 0.5F : 1;  // keeps the sum of opposite rays
                                                               // within range
    pack(rays, tiles_.positions_of_rays(), y.data(), share);
    const unsigned char* met = find_met(rays, subset);
    const Pixels pixels = tiles_.pixels(layout_);
    if (!tiles_.sums_pixels()) {
      back<BackToImages>(met, to_images(pixels, x.data(), share));
    } else if (by_orbits_) {
      back_by_orbits(met, pixels, x.data(), share);
    } else {
      back<BackToSums>(met, to_sums(pixels, tiles_.positions_of_pixels(), share));
      fold(pixels, tiles_.positions_of_pixels(), x.data());
    }
  }

  MatrixStorage storage() const override {
    const TileStore& store = tiles_.store();
    MatrixStorage all{tiles_.nonzeros() * static_cast<std::uint64_t>(layout_.slices),
                      store.nonzeros(), store.weights() - store.nonzeros(), tiles_.parts(), 0};
    all.parts.push_back(
        {"vectors as halves",
         operand_.size() * sizeof(__half) + magnitudes_.size() * sizeof(float) + met_.size(),
         PartOf::workspace});
    all.parts.push_back({"sums", sums_.size() * sizeof(float), PartOf::workspace});
    return all;
  }

 private:
  device::ViewRange range(ViewSubset subset) const {
    return {subset.first, subset.stride, subset.count, layout_.cells};
  }
  device::SliceScales scales(float share) const {
    return {magnitudes_.data(), tiles_.store().unit() / share};
  }
  template <class Side>
  device::ToImages<Side> to_images(const Side& side, float* out, float share) const {
    return {side, scales(share), out};
  }
  template <class Side>
  device::ToSums<Side> to_sums(const Side& side, std::int64_t positions, float share) const {
    return {side.images, layout_.slices, scales(share), positions, sums_.data()};
  }

  /// Returns the lines of the rays of a subset. For a volume, contiguous views are divided into
  /// equal lines, so that many warps read them.
  device::SliceLines lines_of_rays(ViewSubset subset) const {
    device::SliceLines lines = device::ray_lines(layout_, range(subset));
    if (!of_volume || subset.stride != 1 || subset.count == 0) return lines;
    lines.length = even_length(layout_.cells);
    const int of_view = layout_.cells / lines.length;
    lines.line_stride = lines.length;
    lines.lines *= of_view;
    lines.first *= of_view;
    return lines;
  }
  device::PartMagnitudes magnitudes() const {
    return {magnitudes_.data() + layout_.slices, magnitude_parts_, magnitudes_.data()};
  }
  void find_magnitudes(const float* value, const device::SliceLines& lines) const {
    const dim3 grid(static_cast<unsigned>(magnitude_parts_), static_cast<unsigned>(layout_.slices));
    device::find_part_magnitudes<<<grid, usual_threads, 0, cuda_.stream()>>>(
        value, lines, magnitudes_.data() + layout_.slices);
    check_launch("find_part_magnitudes");
  }

  template <class Side>
  void pack(const Side& side, std::int64_t positions, const float* value, float share) const {
    const std::int64_t warps =
        blocks(positions, 32) * std::int64_t{passes_.all()} / options_.parts();
    const auto queue = [&](auto kernel) {
      kernel<<<blocks(warps, usual_warps), usual_threads, 0, cuda_.stream()>>>(
          side, positions, value, magnitudes(), share, passes_.all(), operand_.data());
    };
    if (options_.split)
      queue(device::pack_images<2, Side>);
    else
      queue(device::pack_images<1, Side>);
    check_launch("pack_images");
  }

  /// Returns which groups have rays in the subset; null if the subset has all views.
  const unsigned char* find_met(const Rays& rays, ViewSubset subset) const {
    if (subset == ViewSubset::all(views_)) return nullptr;
    const int groups = tiles_.store().index().groups;
    device::find_image_groups<<<blocks(groups, usual_threads), usual_threads, 0, cuda_.stream()>>>(
        rays, groups, met_.data());
    check_launch("find_image_groups");
    return met_.data();
  }

  template <class Side>
  void fold(const Side& side, std::int64_t positions, float* out) const {
    const dim3 grid(blocks(positions, usual_threads), static_cast<unsigned>(layout_.slices));
    device::fold_images<<<grid, usual_threads, 0, cuda_.stream()>>>(side, tiles_.position_of(),
                                                                    positions, sums_.data(), out);
    check_launch("fold_images");
  }

  /// Calls use(eights, split) with compile-time constants.
  template <class Use>
  void with_constants(const Use& use) const {
    const auto of_eights = [&](auto eights) {
      if (options_.split)
        use(eights, std::true_type{});
      else
        use(eights, std::false_type{});
    };
    if (passes_.eights == 1)
      use(std::integral_constant<int, 1>{}, std::false_type{});
    else if (passes_.eights == 2)
      of_eights(std::integral_constant<int, 2>{});
    else if constexpr (of_volume)
      use(std::integral_constant<int, 4>{}, std::true_type{});
    else if (passes_.eights == 4)
      of_eights(std::integral_constant<int, 4>{});
    else
      of_eights(std::integral_constant<int, 8>{});
  }

  template <class Shape>
  unsigned grid(int items) const {
    return blocks(items, Shape::warps / Shape::shares) * static_cast<unsigned>(passes_.passes);
  }

  template <template <int> class Shapes, class Out>
  void forward(const unsigned char* met, const Out& to) const {
    const device::TileIndex index = tiles_.store().index();
    with_constants([&](auto eights, auto split) {
      using Shape = Shapes<eights>;
      device::images_forward<eights, split, Out, Shape>
          <<<grid<Shape>(index.groups), 32 * Shape::warps, 0, cuda_.stream()>>>(
              index, operand_.data(), passes_.passes, met, to);
    });
    check_launch("images_forward");
  }
  template <class Shape, class Out>
  void back(const unsigned char* met, const Out& to) const {
    const device::TileIndex index = tiles_.store().index();
    with_constants([&](auto eights, auto split) {
      device::images_back<eights, split, Out, Shape>
          <<<grid<Shape>(index.patches), 32 * Shape::warps, 0, cuda_.stream()>>>(
              index, operand_.data(), passes_.passes, met, to);
    });
    check_launch("images_back");
  }
  void back_by_orbits(const unsigned char* met, const Pixels& pixels, float* out,
                      float share) const {
    const auto orbits = tiles_.orbits();
    with_constants([&](auto eights, auto split) {
      constexpr int pairs = tuning::orbit_pairs(eights);
      if constexpr (of_volume)
        device::volume_back<eights, split, pairs>
            <<<static_cast<unsigned>(orbits.count), tuning::orbit_threads, 0, cuda_.stream()>>>(
                tiles_.store().index(), orbits, operand_.data(), met, pixels, scales(share), out);
      else
        device::orbits_back<eights, split, pairs>
            <<<static_cast<unsigned>(orbits.count * passes_.passes), tuning::orbit_threads, 0,
               cuda_.stream()>>>(tiles_.store().index(), orbits, operand_.data(), passes_.passes,
                                 met, pixels, scales(share), out);
    });
    check_launch("orbits_back");
  }

  const CudaBackend& cuda_;
  Options options_;
  int views_;
  device::SliceLayout layout_;
  int nx_, rows_;
  EightPasses passes_;
  SymmetricTiles<Sides> tiles_;
  mutable DeviceBuffer<__half> operand_;
  mutable DeviceBuffer<float> sums_;
  int magnitude_parts_;
  bool by_orbits_;
  mutable DeviceBuffer<float> magnitudes_;  ///< [slice], followed by those of the slices' parts
  mutable DeviceBuffer<unsigned char> met_;
};

class BsrHalfSymmetricFormat final : public MatrixFormat {
 public:
  explicit BsrHalfSymmetricFormat(const Params& params)
      : options_{params.text("part"), params.text("order"), block_rays_of(params.text("block")),
                 params.text("product") == "split"} {}

  void require(const Projector& weights) const override {
    const std::string label = "Symmetric BSR on Tensor Cores";
    require_symmetric_scan(weights, options_.part, label);
    if (cuda_backend(weights.backend()).compute_capability() < 75)
      throw UsageError(label + " needs a GPU of compute capability 7.5 or later", "format",
                       "use another format");
  }

  std::size_t estimate_bytes(const NonzeroEstimate&, const Projector& weights) const override {
    const auto [count, elements] =
        estimate_symmetric_blocks(weights, options_.part, options_.order);
    const SymmetricScan scan(weights);
    const int rows = scan.slices() * elements;
    const EightPasses passes(rows, options_.parts());
    const double pixels = count.patches * patch_pixels,
                 operand = 16.0 * passes.all() * std::max(pixels, count.rows),
                 sums = 4.0 * rows *
                        (sums_voxels_at_once(scan, count.patches / elements) ? 0
                         : stored_part(options_.part) == StoredPart::views   ? pixels
                                                                             : count.rows);
    return static_cast<std::size_t>(
        2 * count.blocks(options_.block_rays) * options_.block_rays * patch_pixels +
        12 * count.groups_met + operand + sums + 6 * count.rows + 10 * pixels);
  }
  /// The tiles are filled from the CSR matrix of the views with stored rays. The vectors, which
  /// follow, take more than the sorting of the index by patches before.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const SymmetricScan scan(weights);
    const ScanGeometry& geometry = scan.weights().geometry();
    const TileSymmetry symmetry(scan.weights(), stored_part(options_.part),
                                block_order_kind(options_.order));
    std::set<int> views;
    int detector_rows = 0;
    for (const std::int32_t ray : symmetry.rays().order.at) {
      if (ray < 0) continue;
      const int cell = ray % static_cast<int>(geometry.cells());
      views.insert(ray / static_cast<int>(geometry.cells()));
      detector_rows = std::max(detector_rows, cell / geometry.columns() + 1);
    }
    const double computed =
        static_cast<double>(views.size()) / geometry.views() * detector_rows / geometry.rows();
    const BuildMemory build(estimate, weights, scan.in_space() ? 1 : weights.grid().nz);
    return static_cast<std::size_t>(computed * build.rows);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    const CudaBackend& cuda = cuda_backend(weights.backend());
    const SymmetricScan scan(weights);
    const TileSymmetry symmetry(scan.weights(), stored_part(options_.part),
                                block_order_kind(options_.order));
    if (scan.in_space())
      return std::make_unique<BsrHalfSymmetric<VolumeSides>>(cuda, scan, symmetry, options_);
    return std::make_unique<BsrHalfSymmetric<SliceSides>>(cuda, scan, symmetry, options_);
  }
  /// Weights have 11 bits, and so have the values unless they are split.
  double rounding() const override { return 0x1p-10; }

 private:
  /// Returns whether the transpose adds up voxels orbit by orbit and so needs no sums, for at least
  /// so many orbits of patches; the constructor of the matrix decides in the same way.
  bool sums_voxels_at_once(const SymmetricScan& scan, double orbits) const {
    return scan.in_space() && orbits >= least_orbits(cuda_backend(scan.weights().backend())) &&
           have_orbits(scan.weights().grid(), block_order_kind(options_.order));
  }

  Options options_;
};

}  // namespace

std::vector<ParamSpec> bsr_half_symmetric_params() {
  return {stored_part_param(),
          block_size_param(),
          block_order_param(),
          {.key = "product",
           .label = "Products",
           .unit = "",
           .fallback = std::string("mma"),
           .choices = {"mma", "split"},
           .help = "mma: vectors in half precision (11 bits; each slice is scaled by a power of "
                   "two), sums in float32. split: each value as two halves (22 bits); weights are "
                   "read once all the same, and a single slice takes no more instructions.",
           .in_names = ""}};
}

std::unique_ptr<MatrixFormat> make_bsr_half_symmetric(const Params& params) {
  return std::make_unique<BsrHalfSymmetricFormat>(params);
}

}  // namespace gantry
