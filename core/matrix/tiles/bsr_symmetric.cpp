// BSR of the part of W from which the rest follows by the scan's symmetry (tile_symmetry.hpp), for
// slices or a volume. With elements g of the symmetry group, the forward product of an image v is
//   V[p, g] = v[g at(p)],   S = W V,   s[i] = sum over g of S[position(g^-1 i), g]
// with pixel positions p and rays i; the transposed product exchanges rays and pixels and has W^T
// instead of W. Nourazar and Goossens 2021, section 3.4.
#include "core/matrix/tiles/bsr_symmetric.hpp"

#include "core/matrix/tiles/bsr.hpp"
#include "core/matrix/tiles/tile_products.hpp"
#include "core/matrix/tiles/tile_symmetry.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Returns the bytes of the vectors of a product: floats of one side, float64 sums of the other.
double vector_bytes(double lanes, double rays, double pixels) {
  return 4 * lanes * (rays + pixels + std::max(rays, pixels));
}

template <class Weight>
class SymmetricBsr final : public Matrix {
 public:
  SymmetricBsr(TileSymmetry symmetry, TileMatrix<Weight> matrix, double unit,
               const SymmetricScan& scan)
      : s_(std::move(symmetry)),
        m_(std::move(matrix)),
        unit_(unit),
        cells_(scan.weights().cells_per_view()),
        slices_(static_cast<std::size_t>(scan.slices())),
        lanes_(slices_ * static_cast<std::size_t>(s_.elements())) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    const std::size_t pixels = m_.pixels.position.size();
    const std::vector<float> images = gather(
        s_.pixels(), [&](int g, std::int32_t at) { return s_.pixel(g, at); },
        [&](std::int32_t j, std::size_t slice) {
          return x.host()[slice * pixels + static_cast<std::size_t>(j)];
        });
    std::vector<double> sums(lanes_ * m_.rays.at.size(), 0.0);
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t group = 0; group < m_.groups(); ++group) {
      if (interruptible.interrupted()) continue;
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        add_group(m_, group, images.data() + lane * m_.pixels.at.size(),
                  sums.data() + lane * m_.rays.at.size() + group * group_rays);
    }
#pragma omp parallel for
    for (int i = 0; i < subset.count; ++i)
      for (std::size_t c = 0; c < cells_; ++c) {
        const std::size_t view = static_cast<std::size_t>(subset.view(i));
        const auto ray = static_cast<std::int32_t>(view * cells_ + c);
        for (std::size_t slice = 0; slice < slices_; ++slice)
          y.host()[cell(ray, slice)] =
              fold(s_.rays(), sums, slice, [&](int g) { return s_.ray(s_.inverse(g), ray); });
      }
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    std::vector<char> wanted(m_.rays.position.size() / cells_, 0);
    for (int i = 0; i < subset.count; ++i) wanted[static_cast<std::size_t>(subset.view(i))] = 1;
    const std::vector<float> rays = gather(
        s_.rays(), [&](int g, std::int32_t at) { return s_.ray(g, at); },
        [&](std::int32_t ray, std::size_t slice) {
          const auto of = [&](std::int32_t one) {
            return one >= 0 && wanted[static_cast<std::size_t>(one) / cells_] != 0
                       ? y.host()[cell(one, slice)]
                       : 0.0F;
          };
          return of(ray) + of(s_.opposite(ray));
        });
    std::vector<double> sums(lanes_ * m_.pixels.at.size(), 0.0);
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t patch = 0; patch < m_.patches(); ++patch) {
      if (interruptible.interrupted()) continue;
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        add_patch(m_, patch, rays.data() + lane * m_.rays.at.size(),
                  sums.data() + lane * m_.pixels.at.size() + patch * patch_pixels);
    }
    const std::size_t pixels = m_.pixels.position.size();
#pragma omp parallel for
    for (std::size_t j = 0; j < pixels; ++j)
      for (std::size_t slice = 0; slice < slices_; ++slice)
        x.host()[slice * pixels + j] = fold(s_.pixels(), sums, slice, [&](int g) {
          return s_.pixel(s_.inverse(g), static_cast<std::int32_t>(j));
        });
  }

  MatrixStorage storage() const override {
    MatrixStorage all{0, m_.nonzeros, m_.weight.size() - m_.nonzeros, {}, 0};
    all.nonzeros = nonzeros();
    add_tile_parts(m_, all);
    add_part(all, "images of rays", side_bytes(s_.rays()) + bytes_of(s_.view_maps()));
    add_part(all, "images of pixels", side_bytes(s_.pixels()));
    add_part(all, "vectors of a product",
             static_cast<std::size_t>(vector_bytes(static_cast<double>(lanes_),
                                                   static_cast<double>(m_.rays.at.size()),
                                                   static_cast<double>(m_.pixels.at.size()))),
             PartOf::workspace);
    return all;
  }

 private:
  static std::size_t side_bytes(const SymmetricSide& side) {
    return bytes_of(side.owned) + bytes_of(side.order.at) + bytes_of(side.order.position);
  }
  /// Returns value(image(g, index), slice) as [slice][element g][position], 0 where the position
  /// does not own g.
  template <class Image, class Value>
  std::vector<float> gather(const SymmetricSide& side, const Image& image,
                            const Value& value) const {
    const std::size_t positions = side.order.at.size();
    std::vector<float> out(lanes_ * positions, 0.0F);
#pragma omp parallel for
    for (std::size_t p = 0; p < positions; ++p)
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        if (const int g = static_cast<int>(lane) % s_.elements(); side.owns(p, g))
          out[lane * positions + p] =
              value(image(g, side.order.at[p]), lane / static_cast<std::size_t>(s_.elements()));
    return out;
  }
  /// Returns the sum over a slice's vectors of what they hold of an index; from(g) is the index
  /// that element g takes to that index.
  template <class From>
  float fold(const SymmetricSide& side, const std::vector<double>& sums, std::size_t slice,
             const From& from) const {
    double sum = 0;
    for (int g = 0; g < s_.elements(); ++g) {
      const std::int32_t p = side.order.position[static_cast<std::size_t>(from(g))];
      if (p < 0 || !side.owns(static_cast<std::size_t>(p), g)) continue;
      const std::size_t lane =
          slice * static_cast<std::size_t>(s_.elements()) + static_cast<std::size_t>(g);
      sum += sums[lane * side.order.at.size() + static_cast<std::size_t>(p)];
    }
    return static_cast<float>(unit_ * sum);
  }
  std::size_t cell(std::int32_t ray, std::size_t slice) const {
    const auto r = static_cast<std::size_t>(ray);
    return (r / cells_ * slices_ + slice) * cells_ + r % cells_;
  }
  /// Returns how many nonzeros of A a stored nonzero stands for: the number of elements that both
  /// the ray and the pixel own, twice that if the ray has an opposite ray.
  std::uint64_t images(std::size_t ray, std::size_t pixel) const {
    const unsigned both = s_.rays().owned[ray] & s_.pixels().owned[pixel];
    const bool opposite = both != 0 && s_.opposite(s_.rays().order.at[ray]) >= 0;
    return static_cast<std::uint64_t>(std::popcount(both)) * (opposite ? 2 : 1);
  }
  /// Returns the number of nonzeros of A.
  std::uint64_t nonzeros() const {
    std::uint64_t count = 0;
    for (std::size_t group = 0; group < m_.groups(); ++group)
      for (std::size_t e = m_.group_start[group]; e < m_.group_start[group + 1]; ++e) {
        const std::size_t patch = std::size_t{patch_of(m_.entry[e])} * patch_pixels;
        visit_tiles(m_, e, [&](const Weight* tile, std::size_t place) {
          for (std::size_t i = 0; i < tile_weights; ++i)
            if (tile[i] != 0)
              count += images(group * group_rays + place * tile_rays + i / patch_pixels,
                              patch + i % patch_pixels);
        });
      }
    return count * slices_;
  }

  TileSymmetry s_;
  TileMatrix<Weight> m_;
  double unit_;
  std::size_t cells_, slices_, lanes_;
};

class BsrSymmetricFormat final : public MatrixFormat {
 public:
  explicit BsrSymmetricFormat(const Params& params)
      : block_rays_(block_rays_of(params.text("block"))),
        order_(params.text("order")),
        part_(params.text("part")),
        half_(params.text("weights") == "half") {}

  void require(const Projector& weights) const override {
    require_symmetric_scan(weights, part_, "Symmetric BSR");
  }
  bool stacks(const Backend&) const override { return false; }  // a product takes all slices
  std::size_t estimate_bytes(const NonzeroEstimate&, const Projector& weights) const override {
    const auto [count, elements] = estimate_symmetric_blocks(weights, part_, order_);
    const SymmetricScan scan(weights);
    const Projector& stored = scan.weights();
    const double pixels = count.patches * patch_pixels, positions = count.rows + pixels,
                 lanes = 1.0 * elements * scan.slices();
    return static_cast<std::size_t>(count.tile_bytes(block_rays_, half_ ? 2 : 4,
                                                     stored.range_size(), stored.domain_size()) +
                                    6 * positions + vector_bytes(lanes, count.rows, pixels)) +
           4 * (stored.range_size() + stored.domain_size()) +
           sizeof(std::int32_t) * static_cast<std::size_t>(elements * stored.views());
  }
  /// The tiles are filled from matrix rows: of stored views only those.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const SymmetricScan scan(weights);
    const TileSymmetry symmetry(scan.weights(), stored_part(part_), block_order_kind(order_));
    const double all = static_cast<double>(weights.range_size()),
                 share = static_cast<double>(symmetry.rays().order.at.size()) / all;
    return static_cast<std::size_t>((8 * estimate.nonzeros + 4 * all) * share);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return half_ ? of<std::uint16_t>(weights) : of<float>(weights);
  }
  /// Half precision changes a weight by 2^-11 of it at most.
  double rounding() const override { return half_ ? 0x1p-10 : 1e-6; }

 private:
  template <class Weight>
  std::unique_ptr<const Matrix> of(const Projector& weights) const {
    const SymmetricScan scan(weights);
    const Projector& stored = scan.weights();
    TileSymmetry symmetry(stored, stored_part(part_), block_order_kind(order_));
    TileMatrix<Weight> tiles =
        build_tiles<Weight>(stored, symmetry.rays().order, symmetry.pixels().order, block_rays_);
    return std::make_unique<SymmetricBsr<Weight>>(std::move(symmetry), std::move(tiles),
                                                  half_ ? weight_unit(stored) : 1.0, scan);
  }

  int block_rays_;
  std::string order_, part_;
  bool half_;
};

/// Returns whether the beam diverges along z, so that the slices are not independent.
bool is_cone(const Projector& weights) { return weights.geometry().beam() == Beam::cone; }

}  // namespace

SymmetricScan::SymmetricScan(const Projector& weights) : weights_(weights) {
  if (!is_cone(weights)) slice_ = slice_of_stack(weights);
}

void require_symmetric_scan(const Projector& weights, const std::string& part,
                            const std::string& label) {
  if (!is_cone(weights)) require_shared_weights(weights, label);
  TileSymmetry::require(SymmetricScan(weights).weights(), stored_part(part), label);
}

SymmetricBlocks estimate_symmetric_blocks(const Projector& weights, const std::string& part,
                                          const std::string& order) {
  constexpr std::size_t groups_looked_at = 256;
  const SymmetricScan scan(weights);
  const TileSymmetry symmetry(scan.weights(), stored_part(part), block_order_kind(order));
  const BlockOrder &rays = symmetry.rays().order, &pixels = symmetry.pixels().order;
  const std::size_t groups = rays.at.size() / group_rays;
  return {count_blocks(scan.weights(), rays, pixels,
                       static_cast<int>(std::max<std::size_t>(1, groups / groups_looked_at))),
          symmetry.elements()};
}

std::vector<ParamSpec> bsr_symmetric_params() {
  std::vector<ParamSpec> params = bsr_params();
  params.insert(params.begin(), stored_part_param());
  return params;
}

std::unique_ptr<MatrixFormat> make_bsr_symmetric(const Params& params) {
  return std::make_unique<BsrSymmetricFormat>(params);
}

}  // namespace gantry
