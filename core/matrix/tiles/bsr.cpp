// Block sparse rows (BSR): W in blocks, of which those with a nonzero are stored, with their zeros.
//   y_g = sum over entries (g, p) of W_gp x_p,   x_p = sum over entries (g, p) of W_gp^T y_g,
// for each slice, where g is a group of 32 rays and p a patch of 16 pixels. Both products gather:
// the forward product by groups, the transposed product by an index of the entries by patches.
// Nourazar and Goossens 2021, section 3.2.
#include "core/matrix/tiles/bsr.hpp"

#include "core/base/error.hpp"
#include "core/matrix/tiles/tile_products.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <array>

namespace gantry {

namespace {

/// Returns the bytes of the vector that a product puts in order.
std::size_t vector_bytes(std::size_t rays, std::size_t pixels, std::size_t slices) {
  return sizeof(float) * slices * std::max(rays, pixels);
}

template <class Weight>
class Bsr final : public Matrix {
 public:
  Bsr(TileMatrix<Weight> matrix, double unit, const Projector& weights)
      : m_(std::move(matrix)),
        unit_(unit),
        columns_(static_cast<std::size_t>(weights.geometry().columns())),
        slices_(static_cast<std::size_t>(weights.grid().nz)) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    const std::vector<float> image = in_order(
        m_.pixels, [&, pixels = m_.pixels.position.size()](std::size_t pixel, std::size_t slice) {
          return x.host()[slice * pixels + pixel];
        });
    const std::vector<char> wanted = rays_of(subset);
    float* rays = y.host().data();
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t group = 0; group < m_.groups(); ++group) {
      if (interruptible.interrupted()) continue;
      const auto* at = m_.rays.at.data() + group * group_rays;
      const auto is_wanted = [&](std::int32_t ray) { return ray >= 0 && wanted[ray] != 0; };
      if (std::none_of(at, at + group_rays, is_wanted)) continue;
      for (std::size_t slice = 0; slice < slices_; ++slice) {
        std::array<double, group_rays> sums{};
        add_group(m_, group, image.data() + slice * m_.pixels.at.size(), sums.data());
        for (std::size_t i = 0; i < group_rays; ++i)
          if (is_wanted(at[i])) rays[cell(at[i], slice)] = static_cast<float>(unit_ * sums[i]);
      }
    }
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    const std::vector<char> wanted = rays_of(subset);
    const std::vector<float> rays = in_order(m_.rays, [&](std::size_t ray, std::size_t slice) {
      return wanted[ray] != 0 ? y.host()[cell(static_cast<std::int32_t>(ray), slice)] : 0.0F;
    });
    float* image = x.host().data();
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t patch = 0; patch < m_.patches(); ++patch) {
      if (interruptible.interrupted()) continue;
      const auto* at = m_.pixels.at.data() + patch * patch_pixels;
      for (std::size_t slice = 0; slice < slices_; ++slice) {
        std::array<double, patch_pixels> sums{};
        add_patch(m_, patch, rays.data() + slice * m_.rays.at.size(), sums.data());
        for (std::size_t i = 0; i < patch_pixels; ++i)
          if (at[i] >= 0)
            image[slice * m_.pixels.position.size() + static_cast<std::size_t>(at[i])] =
                static_cast<float>(unit_ * sums[i]);
      }
    }
  }

  MatrixStorage storage() const override {
    MatrixStorage all{m_.nonzeros * slices_, m_.nonzeros, m_.weight.size() - m_.nonzeros, {}, 0};
    add_tile_parts(m_, all);
    add_part(all, "vector of a product",
             vector_bytes(m_.rays.at.size(), m_.pixels.at.size(), slices_), PartOf::workspace);
    return all;
  }

 private:
  /// Returns value(index, slice) as [slice][position], 0 in gaps.
  template <class Value>
  std::vector<float> in_order(const BlockOrder& order, const Value& value) const {
    const std::size_t positions = order.at.size();
    std::vector<float> out(slices_ * positions, 0.0F);
#pragma omp parallel for
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const std::int32_t at = order.at[i % positions]; at >= 0)
        out[i] = value(static_cast<std::size_t>(at), i / positions);
    return out;
  }
  /// Returns [ray]: 1 for the rays of the views of a subset, else 0.
  std::vector<char> rays_of(ViewSubset subset) const {
    std::vector<char> wanted(m_.rays.position.size(), 0);
    for (int i = 0; i < subset.count; ++i)
      std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(
                                       static_cast<std::size_t>(subset.view(i)) * columns_),
                  columns_, char{1});
    return wanted;
  }
  std::size_t cell(std::int32_t ray, std::size_t slice) const {
    const auto r = static_cast<std::size_t>(ray);
    return (r / columns_ * slices_ + slice) * columns_ + r % columns_;
  }

  TileMatrix<Weight> m_;
  double unit_;
  std::size_t columns_, slices_;
};

class BsrFormat final : public MatrixFormat {
 public:
  explicit BsrFormat(const Params& params)
      : block_rays_(block_rays_of(params.text("block"))),
        order_(params.text("order")),
        half_(params.text("weights") == "half") {}

  void require(const Projector& weights) const override { require_shared_weights(weights, "BSR"); }
  bool stacks(const Backend&) const override { return false; }  // a product takes all slices
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const BlockCount count = estimate_blocks(weights, order_);
    const auto slices = static_cast<std::size_t>(weights.grid().nz);
    return static_cast<std::size_t>(
        count.tile_bytes(block_rays_, half_ ? 2 : 4, estimate.rows / slices,
                         estimate.columns / slices) +
        static_cast<double>(vector_bytes(static_cast<std::size_t>(count.rows),
                                         static_cast<std::size_t>(count.patches) * patch_pixels,
                                         slices)));
  }
  /// The tiles are filled from the matrix rows of a slice.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    return (static_cast<std::size_t>(8 * estimate.nonzeros) + 4 * estimate.rows) /
           static_cast<std::size_t>(weights.grid().nz);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    const auto slice = slice_of_stack(weights);
    const BlockOrderKind order = block_order_kind(order_);
    if (!half_)
      return std::make_unique<Bsr<float>>(build_tiles<float>(*slice, order, block_rays_), 1.0,
                                          weights);
    return std::make_unique<Bsr<std::uint16_t>>(
        build_tiles<std::uint16_t>(*slice, order, block_rays_), weight_unit(*slice), weights);
  }
  /// Half precision changes a weight by 2^-11 of it at most.
  double rounding() const override { return half_ ? 0x1p-10 : 1e-6; }

 private:
  int block_rays_;
  std::string order_;
  bool half_;
};

}  // namespace

void require_shared_weights(const Projector& weights, const std::string& label) {
  if (is_planar(weights.geometry(), weights.grid()) || is_stack(weights.geometry(), weights.grid()))
    return;
  throw UsageError(label +
                       " stores the weights of one slice and needs slices with equal weights: a " +
                       "parallel or fan beam with a detector row at the height of each slice",
                   "format", "use another format, or another grid or scan");
}

BlockCount estimate_blocks(const Projector& weights, const std::string& order) {
  constexpr std::size_t groups_looked_at = 96;
  const auto slice = slice_of_stack(weights);
  const BlockOrderKind kind = block_order_kind(order);
  const BlockOrder rays = ray_order(slice->geometry(), kind);
  const std::size_t groups = rays.at.size() / group_rays;
  return count_blocks(*slice, rays, pixel_order(slice->grid(), kind),
                      static_cast<int>(std::max<std::size_t>(1, groups / groups_looked_at)));
}

std::vector<ParamSpec> bsr_params() {
  return {block_size_param(),
          block_order_param(),
          {.key = "weights",
           .label = "Weights",
           .unit = "",
           .fallback = std::string("float32"),
           .choices = {"float32", "half"},
           .help = "float32 keeps them as computed; half: half precision, for Tensor Cores, exact "
                   "to 0.05 %.",
           .in_names = ""}};
}

std::unique_ptr<MatrixFormat> make_bsr(const Params& params) {
  return std::make_unique<BsrFormat>(params);
}

}  // namespace gantry
