// The format BSR of halves: W in tiles of halves, multiplied by Tensor Cores with all slices of a
// stack at once, after Nourazar and Goossens (2021). Beyond the publication, vectors are scaled by
// powers of two (half_scale), both products gather, and vectors may be split into two halves. The
// publication's products by WMMA and by half2 arithmetic can be chosen for comparison.
// Vectors are float32 outside the products.
#include "core/base/error.hpp"
#include "core/matrix/tiles/bsr.hpp"
#include "core/matrix/tiles/tile_matrix.hpp"
#include "core/operator/slice_stack.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/bsr_half/bsr_half.hpp"
#include "gpu/matrix/bsr_half/slice_magnitudes.hpp"
#include "gpu/matrix/bsr_half/tile_half2.cuh"
#include "gpu/matrix/bsr_half/tile_operands.cuh"
#include "gpu/matrix/bsr_half/tile_products.cuh"
#include "gpu/matrix/bsr_half/tile_store.hpp"
#include "gpu/matrix/bsr_half/tile_wmma.cuh"
#include "gpu/matrix/bsr_half/tuning.hpp"
#include "gpu/matrix/rows/build_memory.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gantry {

namespace {

enum class Products { mma, split, wmma, half2 };
constexpr std::array<std::pair<const char*, Products>, 4> products_of_names = {
    {{"mma", Products::mma},
     {"split", Products::split},
     {"wmma", Products::wmma},
     {"half2", Products::half2}}};

Products products_of(const std::string& name) {
  return std::ranges::find(products_of_names, name,
                           [](const auto& one) { return std::string(one.first); })
      ->second;
}
std::vector<std::string> names_of_products() {
  std::vector<std::string> names;
  for (const auto& [name, products] : products_of_names) names.emplace_back(name);
  return names;
}

struct Options {
  int block_rays;
  std::string order;
  Products products;

  bool split() const { return products == Products::split; }
  int parts() const { return split() ? 2 : 1; }
  /// Return whether the operand of pixels, or of rays, is [position][slice]. The transpose of WMMA
  /// has no shape for blocks of 8 rays, so that these are multiplied by mma.
  bool plain_pixels() const { return products == Products::wmma || products == Products::half2; }
  bool plain_rays() const {
    return products == Products::half2 ||
           (products == Products::wmma && block_rays > device::tile_rays);
  }
  /// A factor of the operands, so that no sum of halves is too large.
  float headroom() const { return products == Products::half2 ? device::half2_headroom : 1; }
};

template <bsr_half::TileLaunch s>
using ShapeOf = device::TileShape<s.warps, s.shares, s.blocks, s.steps>;
using ForwardShape = ShapeOf<bsr_half::forward>;
using BackShape = ShapeOf<bsr_half::back>;
using SharedBackShape = ShapeOf<bsr_half::shared_back>;
using Half2Shape = ShapeOf<bsr_half::half2>;
using SharedHalf2Shape = ShapeOf<bsr_half::shared_half2>;

/// Slice tiles that a warp holds at the same time, and number of passes that cover all slices.
struct SlicePasses {
  int tiles, passes;

  SlicePasses(int slices, const Options& options)
      : tiles(options.plain_pixels()            ? 2
              : slices <= 16                    ? 1
              : slices <= 32 || options.split() ? 2
                                                : 4),
        passes((slices + 16 * tiles - 1) / (16 * tiles)) {}
  int all() const { return tiles * passes; }
};

class BsrHalf final : public Matrix {
 public:
  BsrHalf(const CudaBackend& cuda, const Projector& weights, const Options& options)
      : cuda_(cuda),
        options_(options),
        views_(weights.views()),
        layout_{weights.grid().nz, weights.geometry().columns(),
                std::int64_t{weights.grid().nx} * weights.grid().ny},
        passes_(layout_.slices, options),
        store_(cuda, *slice_of_stack(weights), block_order_kind(options.order), options.block_rays),
        magnitudes_(cuda, layout_, weights.grid().nx) {
    constexpr const char* purpose = "products on Tensor Cores";
    const device::TileIndex index = store_.index();
    const std::size_t positions = std::max<std::size_t>(
        std::size_t{static_cast<unsigned>(index.patches)} * device::patch_pixels,
        std::size_t{static_cast<unsigned>(index.groups)} * device::group_rays);
    operand_ = DeviceBuffer<__half>(
        cuda, positions * static_cast<std::size_t>(16 * passes_.all() * options.parts()), purpose);
    met_ = DeviceBuffer<unsigned char>(cuda, static_cast<std::size_t>(index.groups), purpose);
  }

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    magnitudes_.find_of_images(x.data());
    const device::TileIndex index = store_.index();
    pack(device::PixelOperand{index.pixel_at}, std::int64_t{index.patches} * device::patch_pixels,
         x.data());
    const bool filtered = subset != ViewSubset::all(views_);
    const Call call{range(subset), filtered, y.data()};
    if (options_.products == Products::half2)
      half2_forward(call);
    else if (options_.products == Products::wmma)
      wmma_forward(call);
    else
      forward_with<ForwardShape>(call);
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    magnitudes_.find_of_rays(y.data(), subset);
    const device::TileIndex index = store_.index();
    pack(device::RayOperand{index.ray_at, range(subset)},
         std::int64_t{index.groups} * device::group_rays, y.data());
    const bool filtered = subset != ViewSubset::all(views_);
    if (filtered) {
      device::
          find_groups<<<blocks(index.groups, usual_threads), usual_threads, 0, cuda_.stream()>>>(
              index.ray_at, index.groups, range(subset), met_.data());
      check_launch("find_groups");
    }
    const Call call{range(subset), filtered, x.data()};
    if (options_.products == Products::half2)
      half2_back(call);
    else if (options_.plain_rays())
      wmma_back(call);
    else if (enough(index.patches))
      back_with<BackShape>(call);
    else
      back_with<SharedBackShape>(call);
  }

  MatrixStorage storage() const override {
    MatrixStorage all{store_.nonzeros() * static_cast<std::uint64_t>(layout_.slices),
                      store_.nonzeros(), store_.weights() - store_.nonzeros(), store_.parts(), 0};
    all.parts.push_back({"vectors as halves",
                         operand_.size() * sizeof(__half) + magnitudes_.bytes() + met_.size(),
                         PartOf::workspace});
    return all;
  }

 private:
  struct Call {
    device::ViewRange views;
    bool filtered;
    float* out;
  };

  device::ViewRange range(ViewSubset subset) const {
    return {subset.first, subset.stride, subset.count, layout_.cells};
  }
  device::TileSums sums(const Call& call) const {
    return {magnitudes_.bits(), store_.unit() / options_.headroom(), layout_, call.out};
  }

  template <class Operand>
  void pack(const Operand& operand, std::int64_t positions, const float* value) const {
    constexpr bool pixels = std::is_same_v<Operand, device::PixelOperand>;
    if (pixels ? options_.plain_pixels() : options_.plain_rays())
      pack_parts(device::PlainOperand<Operand>{operand}, positions, value);
    else
      pack_parts(operand, positions, value);
  }
  template <class Operand>
  void pack_parts(const Operand& operand, std::int64_t positions, const float* value) const {
    const unsigned grid = blocks(blocks(positions, 32) * std::int64_t{passes_.all()}, usual_warps);
    const auto queue = [&](auto kernel) {
      kernel<<<grid, usual_threads, 0, cuda_.stream()>>>(operand, positions, layout_, value,
                                                         magnitudes_.bits(), options_.headroom(),
                                                         passes_.all(), operand_.data());
    };
    if (options_.split())
      queue(device::pack_operand<2, Operand>);
    else
      queue(device::pack_operand<1, Operand>);
    check_launch("pack_operand");
  }

  /// Calls use(tiles, parts) with compile-time constants.
  template <class Use>
  void with_constants(const Use& use) const {
    const auto of_tiles = [&](auto tiles) {
      if (options_.split())
        use(tiles, std::integral_constant<int, 2>{});
      else
        use(tiles, std::integral_constant<int, 1>{});
    };
    if (passes_.tiles == 1)
      of_tiles(std::integral_constant<int, 1>{});
    else if (passes_.tiles == 2)
      of_tiles(std::integral_constant<int, 2>{});
    else  // never with vectors in two halves: see SlicePasses
      use(std::integral_constant<int, 4>{}, std::integral_constant<int, 1>{});
  }

  /// Returns whether a warp for each item occupies all multiprocessors.
  bool enough(int items) const {
    return items * passes_.passes >= bsr_half::enough_items * cuda_.multiprocessors();
  }
  template <class Shape>
  unsigned grid(int items) const {
    return blocks(items, Shape::warps / Shape::shares) * static_cast<unsigned>(passes_.passes);
  }

  template <class Shape, class Kernel, class... Arguments>
  void launch(Kernel* kernel, int items, std::size_t cone_of_warp,
              const Arguments&... arguments) const {
    const std::size_t shared = Shape::warps * cone_of_warp;
    if (shared > usual_shared_bytes)
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared)),
            "a product");
    kernel<<<grid<Shape>(items), 32 * Shape::warps, shared, cuda_.stream()>>>(arguments...);
  }
  template <class Shape>
  void forward_with(const Call& call) const {
    with_constants([&](auto tiles, auto parts) {
      const device::TileIndex index = store_.index();
      launch<Shape>(device::tiles_forward<tiles, parts, Shape>, index.groups,
                    sizeof(device::ForwardSharedMemory<Shape>), index,
                    reinterpret_cast<const uint4*>(operand_.data()), passes_.passes, call.views,
                    call.filtered, sums(call));
    });
    check_launch("tiles_forward");
  }
  template <class Shape>
  void back_with(const Call& call) const {
    with_constants([&](auto tiles, auto parts) {
      const device::TileIndex index = store_.index();
      launch<Shape>(device::tiles_back<tiles, parts, Shape>, index.patches,
                    sizeof(device::BackSharedMemory<Shape>), index,
                    reinterpret_cast<const uint2*>(operand_.data()), passes_.passes,
                    call.filtered ? met_.data() : nullptr, sums(call));
    });
    check_launch("tiles_back");
  }

  /// Queues a kernel for the groups of rays.
  template <class Shape, class Kernel>
  void queue_forward(Kernel* kernel, const Call& call) const {
    const device::TileIndex index = store_.index();
    kernel<<<grid<Shape>(index.groups), 32 * Shape::warps, 0, cuda_.stream()>>>(
        index, operand_.data(), passes_.passes, call.views, sums(call));
  }
  /// Queues a kernel for the patches of pixels.
  template <class Shape, class Kernel>
  void queue_back(Kernel* kernel, const Call& call) const {
    const device::TileIndex index = store_.index();
    kernel<<<grid<Shape>(index.patches), 32 * Shape::warps, 0, cuda_.stream()>>>(
        index, operand_.data(), passes_.passes, met_.data(), sums(call));
  }
  void wmma_forward(const Call& call) const {
    const auto of_block = [&](auto rays) {
      if (call.filtered)
        queue_forward<WmmaBlock>(device::wmma_forward<rays, true>, call);
      else
        queue_forward<WmmaBlock>(device::wmma_forward<rays, false>, call);
    };
    if (options_.block_rays == 8)
      of_block(std::integral_constant<int, 8>{});
    else if (options_.block_rays == 16)
      of_block(std::integral_constant<int, 16>{});
    else
      of_block(std::integral_constant<int, 32>{});
    check_launch("wmma_forward");
  }
  void wmma_back(const Call& call) const {
    queue_back<WmmaBlock>(call.filtered ? device::wmma_back<true> : device::wmma_back<false>, call);
    check_launch("wmma_back");
  }
  void half2_forward(const Call& call) const {
    const auto of_shape = [&]<class Shape>() {
      if (call.filtered)
        queue_forward<Shape>(device::half2_forward<true, Shape>, call);
      else
        queue_forward<Shape>(device::half2_forward<false, Shape>, call);
    };
    if (enough(store_.index().groups))
      of_shape.template operator()<Half2Shape>();
    else
      of_shape.template operator()<SharedHalf2Shape>();
    check_launch("half2_forward");
  }
  void half2_back(const Call& call) const {
    const auto of_shape = [&]<class Shape>() {
      if (call.filtered)
        queue_back<Shape>(device::half2_back<true, Shape>, call);
      else
        queue_back<Shape>(device::half2_back<false, Shape>, call);
    };
    if (enough(store_.index().patches))
      of_shape.template operator()<Half2Shape>();
    else
      of_shape.template operator()<SharedHalf2Shape>();
    check_launch("half2_back");
  }
  using WmmaBlock = device::TileShape<device::wmma_warps, 1, 1>;

  const CudaBackend& cuda_;
  Options options_;
  int views_;
  device::SliceLayout layout_;
  SlicePasses passes_;
  TileStore store_;
  mutable DeviceBuffer<__half> operand_;
  mutable SliceMagnitudes magnitudes_;
  mutable DeviceBuffer<unsigned char> met_;
};

class BsrHalfFormat final : public MatrixFormat {
 public:
  explicit BsrHalfFormat(const Params& params)
      : options_{block_rays_of(params.text("block")), params.text("order"),
                 products_of(params.text("product"))} {}

  void require(const Projector& weights) const override {
    require_shared_weights(weights, "BSR on Tensor Cores");
    if (cuda_backend(weights.backend()).compute_capability() < 75)
      throw UsageError("BSR on Tensor Cores needs a GPU of compute capability 7.5 or later",
                       "format", "use another format");
  }

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const BlockCount count = count_of(estimate, weights);
    return static_cast<std::size_t>(store_bytes(count) + vector_bytes(count, weights));
  }
  /// The tiles are filled from the CSR matrix of the rays, and their index by patches is sorted
  /// from that by groups; the vectors follow.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const BuildMemory build(estimate, weights, weights.grid().nz);
    const BlockCount count = count_of(estimate, weights);
    return build.beyond(
        store_bytes(count) + vector_bytes(count, weights),
        {build.tables + build.rows,
         build.rows + store_bytes(count) + TileStore::sorting_bytes * count.groups_met});
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<BsrHalf>(cuda_backend(weights.backend()), weights, options_);
  }
  /// Weights have 11 bits, and so have the values unless they are split; half2 adds up chains of
  /// halves.
  double rounding() const override {
    return options_.products == Products::half2 ? 0x1p-9 : 0x1p-10;
  }

 private:
  /// Returns the blocks of the matrix, which are counted once for all that asks for an estimate.
  BlockCount count_of(const NonzeroEstimate& estimate, const Projector& weights) const {
    std::optional<BlockCount> counted;
    const auto of = [&](const char* name, double BlockCount::*number) {
      return estimate.quantity("blocks in order " + options_.order + ", " + name, [&] {
        if (!counted) counted = estimate_blocks(weights, options_.order);
        return *counted.*number;
      });
    };
    return {of("nonzeros", &BlockCount::nonzeros), of("tiles", &BlockCount::tiles_met),
            of("pairs", &BlockCount::pairs_met),   of("groups", &BlockCount::groups_met),
            of("rows", &BlockCount::rows),         of("patches", &BlockCount::patches)};
  }
  /// Returns the bytes of the tiles and their indices.
  double store_bytes(const BlockCount& count) const {
    return 2 * count.blocks(options_.block_rays) * options_.block_rays * patch_pixels +
           12 * count.groups_met + 5 * count.rows + 5 * count.patches * patch_pixels;
  }
  double vector_bytes(const BlockCount& count, const Projector& weights) const {
    return 32.0 * SlicePasses(weights.grid().nz, options_).all() * options_.parts() *
           std::max(count.patches * patch_pixels, count.rows);
  }

  Options options_;
};

}  // namespace

std::vector<ParamSpec> bsr_half_params() {
  return {block_size_param(),
          block_order_param(),
          {.key = "product",
           .label = "Products",
           .unit = "",
           .fallback = std::string("mma"),
           .choices = names_of_products(),
           .study_choices = {"wmma", "half2"},
           .help = "mma: vectors in half precision (11 bits; each slice is scaled by a power of "
                   "two), sums in float32. split: each value as two halves (22 bits); weights are "
                   "read once all the same.",
           .study_help = "wmma: the published products; half2: the published products without "
                         "Tensor Cores. Both are slower.",
           .in_names = ""}};
}

std::unique_ptr<MatrixFormat> make_bsr_half(const Params& params) {
  return std::make_unique<BsrHalfFormat>(params);
}

}  // namespace gantry
