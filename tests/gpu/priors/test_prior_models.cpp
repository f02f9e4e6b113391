// Total variation and the q-GGMRF prior of the CUDA backend, their arithmetic run on the host,
// against the CPU's.
#include "gpu/priors/qggmrf_field.hpp"
#include "gpu/priors/tv_field.hpp"
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

/// The CUDA twin with its kernels as loops.
class ModelVariation final : public DualProjection {
 public:
  ModelVariation(Backend& backend, const VolumeGrid& grid)
      : DualProjection(backend, grid), grid_(grid), field_(tv_field(grid)) {}

  double value(const Array& x) const override {
    double sum = 0;
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      sum += static_cast<double>(device::tv_length(field_, x.data(), ix, iy, iz));
    });
    return sum;
  }

 private:
  void primal(const ProximalTask& task, const Array& p, Array& z) const override {
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      z.host()[grid_.index(ix, iy, iz)] = device::tv_primal(
          field_, task.v.data(), static_cast<float>(task.weight), task.low, p.data(), ix, iy, iz);
    });
  }
  void ascend(const Array& z, float step, float momentum, Array& p, Array& r) const override {
    for_voxels(grid_, [&](int ix, int iy, int iz) {
      device::tv_ascend(field_, z.data(), step, momentum, p.data(), r.data(), ix, iy, iz);
    });
  }

  VolumeGrid grid_;
  device::TvField field_;
};

}  // namespace

class TestPriorModels : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  template <int Pairs>
  void compareGradients(const VolumeGrid& grid, const QggmrfShape& shape) {
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

 private slots:
  void qggmrfIsThatOfTheCpu() {
    for (const VolumeGrid& grid : pair_grids())
      for (const double q : {1.0, 1.2, 2.0})
        grid.nz == 1 ? compareGradients<4>(grid, {q, 2e-4}) : compareGradients<13>(grid, {q, 2e-4});
  }

  void totalVariationIsThatOfTheCpuToTheBit() {
    for (const VolumeGrid& grid : pair_grids()) {
      const auto expected = make_total_variation(backend_, grid);
      ModelVariation found(backend_, grid);
      QCOMPARE(found.dual_size(), expected->dual_size());
      const Array v = Array::from(backend_, random_values(grid.voxels(), 3, -0.5F, 1));
      EXPECT_NEAR(found.value(v), expected->value(v), 1e-12 * expected->value(v));
      for (const float low : {0.0F, -1e30F}) {
        Array p = Array::from(backend_, random_values(found.dual_size(), 4, -0.5F, 0.5F)),
              q = p.clone(), x(backend_, v.size()), y(backend_, v.size());
        expected->proximal({v, 0.2, low, 12, [] {}}, p, x);
        found.proximal({v, 0.2, low, 12, [] {}}, q, y);
        QCOMPARE(y.to_host(), x.to_host());
        QCOMPARE(q.to_host(), p.to_host());
      }
    }
  }
};

GANTRY_TEST(TestPriorModels)
#include "test_prior_models.moc"
