// The priors of the CUDA backend, their arithmetic run on the host, against the CPU's.
#include "core/catalog/catalog.hpp"
#include "core/priors/dual_projection.hpp"
#include "core/priors/huber.hpp"
#include "core/priors/magnitude_model.hpp"
#include "core/priors/tikhonov.hpp"
#include "core/priors/total_variation.hpp"
#include "gpu/priors/qggmrf_model.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/pair_sums.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

template <class Body>
void for_voxels(const VolumeGrid& grid, const Body& body) {
  for (int iz = 0; iz < grid.nz; ++iz)
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) body(ix, iy, iz);
}

/// The prior of the CUDA backend with its kernels as loops.
template <class Potential>
class ModelPrior final : public DualProjection {
 public:
  ModelPrior(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid,
             Potential potential, double edge)
      : DualProjection(traits, backend, grid, edge),
        grid_(grid),
        field_(magnitude_field(grid)),
        potential_(potential) {}

  double value(const Array& x) const override {
    double sum = 0;
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      sum += static_cast<double>(
          potential_.value(device::magnitude_gradient_at(field_, x.data(), ix, iy, iz).magnitude,
                           grid_.index(ix, iy, iz)));
    });
    return sum;
  }

 private:
  void do_gradient(const Array& x, Array& g, Array& h) const override {
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      const auto pull = device::magnitude_slope(field_, potential_, x.data(), ix, iy, iz);
      g.host()[grid_.index(ix, iy, iz)] = pull.slope;
      h.host()[grid_.index(ix, iy, iz)] = pull.curvature;
    });
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    PriorLine line;
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      const auto part = device::magnitude_along(field_, potential_, x.data(), d.data(),
                                                static_cast<float>(a), ix, iy, iz);
      line += {static_cast<double>(part.slope), static_cast<double>(part.curvature)};
    });
    return line;
  }

  void primal(const ProximalTask& task, const Array& p, Array& z) const override {
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      z.host()[grid_.index(ix, iy, iz)] = device::magnitude_primal(
          field_, task.v.data(), static_cast<float>(task.weight), task.low, p.data(), ix, iy, iz);
    });
  }
  void ascend(const Array& z, float step, float keep, float momentum, Array& p,
              Array& r) const override {
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      device::magnitude_ascend(field_, z.data(), step, keep, momentum, p.data(), r.data(), ix, iy,
                               iz);
    });
  }

  VolumeGrid grid_;
  device::MagnitudeField field_;
  Potential potential_;
};

}  // namespace

class TestPriorModels : public QObject {
  Q_OBJECT
  CpuBackend backend_;
  Catalog catalog_;

  template <int Pairs>
  void comparePairs(const VolumeGrid& grid, const QggmrfShape& shape) {
    const device::QggmrfField field = qggmrf_field(grid, shape);
    const auto prior = make_qggmrf(backend_, grid, shape);
    const Array x = Array::from(backend_, random_values(grid.voxels(), 1, 0.019F, 0.021F)),
                d = Array::from(backend_, random_values(grid.voxels(), 2, -1, 1));
    Array g(backend_, x.size()), h(backend_, x.size());
    prior->gradient(x, g, h);
    const float a = 3e-4F;
    const PriorLine line = prior->along(x, d, a);
    std::vector<float> slope, curvature;
    double value = 0, down = 0, across = 0;
    for_voxels(grid, [&](int ix, int iy, int iz) {
      const auto pull = device::qggmrf_gradient<Pairs>(field, x.data(), ix, iy, iz),
                 part = device::qggmrf_along<Pairs>(field, x.data(), d.data(), a, ix, iy, iz);
      slope.push_back(pull.slope);
      curvature.push_back(pull.curvature);
      value += static_cast<double>(device::qggmrf_value<Pairs>(field, x.data(), ix, iy, iz));
      down += static_cast<double>(part.slope);
      across += static_cast<double>(part.curvature);
    });
    QVERIFY(relative_rms(slope, g.host()) <= 2e-6);
    QVERIFY(relative_rms(curvature, h.host()) <= 2e-6);
    EXPECT_NEAR(value, prior->value(x), 2e-6 * value);
    EXPECT_NEAR(across, line.curvature, 2e-6 * across);
    // A slope is a sum of both signs: its rounding goes by |t| <= 0.002 times the pulls.
    EXPECT_NEAR(down, line.slope, 2e-6 * 0.002 * std::sqrt(across * static_cast<double>(x.size())));
  }

  Array image(const VolumeGrid& grid) {
    return Array::from(backend_, random_values(grid.voxels(), 1, 0.019F, 0.021F));
  }
  void compareValues(const Prior& expected, const Prior& found, const VolumeGrid& grid) {
    const double value = expected.value(image(grid));
    EXPECT_NEAR(found.value(image(grid)), value, 1e-6 * value);
  }
  void compareGradients(const Prior& expected, const Prior& found, const VolumeGrid& grid) {
    const Array x = image(grid), d = Array::from(backend_, random_values(grid.voxels(), 2, -1, 1));
    Array g(backend_, x.size()), h(backend_, x.size()), slope(backend_, x.size()),
        curvature(backend_, x.size());
    expected.gradient(x, g, h);
    found.gradient(x, slope, curvature);
    QVERIFY(relative_rms(slope.host(), g.host()) <= 2e-6);
    QVERIFY(relative_rms(curvature.host(), h.host()) <= 2e-6);
    const PriorLine line = expected.along(x, d, 3e-4), other = found.along(x, d, 3e-4);
    EXPECT_NEAR(other.curvature, line.curvature, 2e-6 * line.curvature);
    EXPECT_NEAR(other.slope, line.slope,
                2e-6 * 0.002 * std::sqrt(line.curvature * static_cast<double>(x.size())));
  }
  /// To the bit.
  void compareProximalMaps(Prior& expected, Prior& found, const VolumeGrid& grid) {
    QCOMPARE(found.dual_size(), expected.dual_size());
    const Array v = Array::from(backend_, random_values(grid.voxels(), 3, -0.5F, 1));
    for (const float low : {0.0F, -1e30F}) {
      Array p = Array::from(backend_, random_values(found.dual_size(), 4, -0.5F, 0.5F)),
            q = p.clone(), x(backend_, v.size()), y(backend_, v.size());
      expected.proximal({v, 0.2, low, 12, [] {}}, p, x);
      found.proximal({v, 0.2, low, 12, [] {}}, q, y);
      QCOMPARE(y.to_host(), x.to_host());
      QCOMPARE(q.to_host(), p.to_host());
    }
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void qggmrfIsThatOfTheCpu() {
    for (const VolumeGrid& grid : pair_grids())
      for (const double q : {1.0, 1.2, 2.0})
        grid.nz == 1 ? comparePairs<4>(grid, {q, 2e-4}) : comparePairs<13>(grid, {q, 2e-4});
  }

  void totalVariationIsThatOfTheCpu() {
    for (const VolumeGrid& grid : pair_grids()) {
      ModelPrior model(total_variation_traits, backend_, grid, LinearPotential{}, 0);
      const auto prior = catalog_.priors.make("tv", "cpu", backend_, grid, {});
      compareValues(*prior, model, grid);
      compareProximalMaps(*prior, model, grid);
    }
  }

  void huberIsThatOfTheCpu() {
    const double edge = 2e-4;  // 1/mm: 10 HU
    for (const VolumeGrid& grid : pair_grids()) {
      ModelPrior model(huber_traits, backend_, grid, HuberPotential{static_cast<float>(edge)},
                       static_cast<float>(edge));
      const auto prior = catalog_.priors.make("huber", "cpu", backend_, grid, {{"edge", 10.0}});
      compareValues(*prior, model, grid);
      compareGradients(*prior, model, grid);
      compareProximalMaps(*prior, model, grid);
    }
  }

  void tikhonovIsThatOfTheCpu() {
    for (const VolumeGrid& grid : pair_grids()) {
      ModelPrior model(tikhonov_traits, backend_, grid, QuadraticPotential{}, 0);
      const auto prior = catalog_.priors.make("tikhonov", "cpu", backend_, grid, {});
      compareValues(*prior, model, grid);
      compareGradients(*prior, model, grid);
    }
  }
};

GANTRY_TEST(TestPriorModels)
#include "test_prior_models.moc"
