#include "core/priors/qggmrf.hpp"

#include "core/base/error.hpp"
#include "core/priors/common_params.hpp"
#include "core/priors/image_lines.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gantry {

namespace {

/// Returns x^e for x from 1e-30 to 1e30 and |e| at most 1, with a relative error of at most 3e-7.
/// It contains no function calls, so that loops are vectorised.
inline float power(float x, float e) {
  // x = 2^whole m with m from sqrt(1/2) to sqrt(2); log2 m from the series of artanh.
  constexpr std::int32_t sqrt_half = 0x3f3504f3;
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t whole = (bits - sqrt_half) >> 23;
  const float m = std::bit_cast<float>(bits - (whole << 23));
  const float s = (m - 1) / (m + 1), s2 = s * s;
  constexpr float two_over_ln2 = 2.88539008F;
  const float log = static_cast<float>(whole) +
                    two_over_ln2 * s *
                        (1 + s2 * (1.0F / 3 + s2 * (1.0F / 5 + s2 * (1.0F / 7 + s2 * (1.0F / 9)))));
  // 2^y = 2^(nearest integer) exp(rest ln 2)
  constexpr float magic = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  const float y = e * log, shifted = y + magic, rest = 0.693147181F * (y - (shifted - magic));
  const float exp =
      1 +
      rest * (1 + rest * (1.0F / 2 +
                          rest * (1.0F / 6 +
                                  rest * (1.0F / 24 + rest * (1.0F / 120 + rest * (1.0F / 720))))));
  const std::int32_t shift =
      std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(magic);
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(exp) + (shift << 23));
}

/// QggmrfShape in float32.
struct Potential {
  float inverse_edge, exponent, half_q;

  explicit Potential(const QggmrfShape& shape)
      : inverse_edge(static_cast<float>(1 / shape.edge)),
        exponent(static_cast<float>(2 - shape.q)),
        half_q(static_cast<float>(shape.q / 2)) {}

  float ratio(float t) const {
    return power(std::min(std::max(std::abs(t) * inverse_edge, 1e-30F), 1e30F), exponent);
  }
  float value(float t) const { return 0.5F * t * t / (1 + ratio(t)); }
  float influence(float t) const {
    const float u = ratio(t), below = 1 / (1 + u);
    return (1 + half_q * u) * below * below;
  }
};

class Qggmrf final : public Prior {
 public:
  Qggmrf(const VolumeGrid& grid, const QggmrfShape& shape)
      : Prior(qggmrf_traits),
        nx_(grid.nx),
        ny_(grid.ny),
        nz_(grid.nz),
        potential_(shape),
        pairs_(neighbour_pairs(grid)) {
    neighbours_ = pairs_;
    for (const NeighbourPair& n : pairs_) neighbours_.push_back({-n.dx, -n.dy, -n.dz, n.weight});
  }

  double value(const Array& x) const override {
    const float* image = x.host().data();
    return sum_image_lines<double>(rows(), 0, [&](std::size_t row, float*) {
      double sum = 0;
      for_pairs(pairs_, row, [&](float weight, std::ptrdiff_t at, std::ptrdiff_t other, int count) {
        const float *a = image + at, *b = image + other;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < count; ++i)
          sum += static_cast<double>(weight * potential_.value(a[i] - b[i]));
      });
      return sum;
    });
  }

 private:
  void do_gradient(const Array& x, Array& g, Array& h) const override {
    const float* image = x.host().data();
    float *slope = g.host().data(), *curvature = h.host().data();
    for_image_lines(rows(), 0, [&](std::size_t row, float*) {
      const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * nx_;
      std::fill_n(slope + start, nx_, 0.0F);
      std::fill_n(curvature + start, nx_, 0.0F);
      for_pairs(neighbours_, row,
                [&](float weight, std::ptrdiff_t at, std::ptrdiff_t other, int count) {
                  add_row(weight, image + at, image + other, count, slope + at, curvature + at);
                });
    });
  }

  /// Gathers the voxels of a line and their neighbours, so that the potential, which takes most of
  /// the time, is computed of several voxels at once.
  void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g,
                      Array& h) const override {
    const float* image = x.host().data();
    const auto count = static_cast<std::size_t>(voxels.count(0, nx_));
    const std::ptrdiff_t stride = voxels.stride[0];
    for_lattice_lines(voxels, {nx_, ny_, nz_}, 4 * count, [&](int iy, int iz, float* scratch) {
      float *own = scratch, *other = own + count, *sum = other + count, *bend = sum + count;
      const std::ptrdiff_t first = first_of_row(iy, iz) + voxels.first[0];
      for (std::size_t i = 0; i < count; ++i) own[i] = image[first + std::ptrdiff_t(i) * stride];
      std::fill_n(sum, 2 * count, 0.0F);
      for (const NeighbourPair& n : neighbours_) {
        const int ky = iy + n.dy, kz = iz + n.dz;
        if (ky < 0 || ky >= ny_ || kz < 0 || kz >= nz_) continue;
        const std::ptrdiff_t row = first_of_row(ky, kz), from = row + voxels.first[0] + n.dx;
        // Voxels at an end of the line may have no such neighbour.
        std::size_t begin = 0, end = count;
        while (begin < end && from + std::ptrdiff_t(begin) * stride < row) ++begin;
        while (begin < end && from + std::ptrdiff_t(end - 1) * stride >= row + nx_) --end;
        for (std::size_t i = begin; i < end; ++i)
          other[i] = image[from + std::ptrdiff_t(i) * stride];
        add_row(static_cast<float>(n.weight), own + begin, other + begin,
                static_cast<int>(end - begin), sum + begin, bend + begin);
      }
      // add_row() counts both voxels of a pair as changing; of these, only one changes.
      for (std::size_t i = 0; i < count; ++i) {
        const std::ptrdiff_t at = first + std::ptrdiff_t(i) * stride;
        g.data()[at] = sum[i];
        h.data()[at] = 0.5F * bend[i];
      }
    });
  }

  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    const float *image = x.host().data(), *step = d.host().data();
    const auto reach = static_cast<float>(a);
    return sum_image_lines<PriorLine>(rows(), 0, [&](std::size_t row, float*) {
      double slope = 0, curvature = 0;
      for_pairs(pairs_, row, [&](float weight, std::ptrdiff_t at, std::ptrdiff_t other, int count) {
        const float *xa = image + at, *xb = image + other, *da = step + at, *db = step + other;
#pragma omp simd reduction(+ : slope, curvature)
        for (int i = 0; i < count; ++i) {
          const float change = da[i] - db[i], t = (xa[i] - xb[i]) + reach * change,
                      pull = weight * potential_.influence(t) * change;
          slope += static_cast<double>(pull) * t;
          curvature += static_cast<double>(pull) * change;
        }
      });
      return PriorLine{slope, curvature};
    });
  }

  std::size_t rows() const { return static_cast<std::size_t>(ny_) * static_cast<std::size_t>(nz_); }

  std::ptrdiff_t first_of_row(int iy, int iz) const {
    return (static_cast<std::ptrdiff_t>(iz) * ny_ + iy) * nx_;
  }

  /// Calls body(weight, first voxel, its neighbour, number of voxels) for each step that stays
  /// inside the grid, for a run of consecutive voxels.
  template <class Body>
  void for_pairs(const std::vector<NeighbourPair>& pairs, std::size_t row, const Body& body) const {
    const int iy = static_cast<int>(row % static_cast<std::size_t>(ny_)),
              iz = static_cast<int>(row / static_cast<std::size_t>(ny_));
    for (const NeighbourPair& n : pairs) {
      const int y = iy + n.dy, z = iz + n.dz, first = std::max(0, -n.dx),
                count = nx_ - std::abs(n.dx);
      if (y < 0 || y >= ny_ || z < 0 || z >= nz_ || count <= 0) continue;
      const std::ptrdiff_t other = (static_cast<std::ptrdiff_t>(z) * ny_ + y) * nx_;
      body(static_cast<float>(n.weight), static_cast<std::ptrdiff_t>(row) * nx_ + first,
           other + first + n.dx, count);
    }
  }

  /// If only one voxel of a pair changed, half of this curvature would do; here both change.
  void add_row(float weight, const float* x, const float* other, int count, float* slope,
               float* curvature) const {
#pragma omp simd
    for (int i = 0; i < count; ++i) {
      const float t = x[i] - other[i], pull = weight * potential_.influence(t);
      slope[i] += pull * t;
      curvature[i] += 2 * pull;
    }
  }

  int nx_, ny_, nz_;
  Potential potential_;
  std::vector<NeighbourPair> pairs_, neighbours_;  // one of each two opposite steps; all steps
};

}  // namespace

double QggmrfShape::value(double t) const {
  return 0.5 * t * t / (1 + std::pow(std::abs(t / edge), 2 - q));
}

double QggmrfShape::influence(double t) const {
  const double u = std::pow(std::abs(t / edge), 2 - q);
  return (1 + 0.5 * q * u) / ((1 + u) * (1 + u));
}

std::vector<NeighbourPair> neighbour_pairs(const VolumeGrid& grid) {
  std::vector<NeighbourPair> pairs;
  double sum = 0;
  for (int dz = 0; dz <= (grid.nz > 1 ? 1 : 0); ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dz * 3 + dy) * 3 + dx <= 0) continue;  // itself, and opposites of listed steps
        const Vec3 d = grid.spacing_mm;
        const double weight = 1 / std::hypot(dx * d.x, dy * d.y, dz * d.z);
        pairs.push_back({dx, dy, dz, weight});
        sum += 2 * weight;
      }
  for (NeighbourPair& pair : pairs) pair.weight /= sum;
  return pairs;
}

std::unique_ptr<Prior> make_qggmrf(Backend& backend, const VolumeGrid& grid,
                                   const QggmrfShape& shape) {
  if (backend.kind() != BackendKind::cpu)
    throw UsageError("the q-GGMRF prior is not made for this device", "backend", "use cpu");
  return std::make_unique<Qggmrf>(grid, shape);
}

std::vector<ParamSpec> qggmrf_params() {
  std::vector<ParamSpec> params =
      prior_weight_params(10, "Relative: 10 suits 100 000 photons. Absolute: in mm².");
  params.push_back(
      prior_edge_param("Differences between neighbours below this are smoothed as noise, those far "
                       "above are kept as edges."));
  params.push_back({.key = "q",
                    .label = "Exponent q (1 … 2)",
                    .unit = "",
                    .fallback = 1.2,
                    .min = 1,
                    .max = 2,
                    .step = 0.1,
                    .help =
                        "How edges count: 1 spares them most, as total variation does; 2 smooths "
                        "all alike."});
  return params;
}

QggmrfShape qggmrf_shape(const Params& params) { return {params.real("q"), prior_edge(params)}; }

std::unique_ptr<Prior> make_qggmrf_prior(Backend& backend, const VolumeGrid& grid,
                                         const Params& params) {
  return make_qggmrf(backend, grid, qggmrf_shape(params));
}

}  // namespace gantry
