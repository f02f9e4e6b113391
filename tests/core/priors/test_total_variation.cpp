// Total variation and its proximal map: adjointness, closed forms, scikit-image.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/priors/differences.hpp"
#include "core/priors/total_variation.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <QTemporaryDir>

#include <cmath>
#include <limits>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr float unbounded = -std::numeric_limits<float>::infinity();

std::vector<VolumeGrid> grids() {
  return {VolumeGrid::centered(17, 12, 1, {2, 2, 5}),  VolumeGrid::centered(9, 8, 7, {1, 1, 1}),
          VolumeGrid::centered(8, 11, 5, {1, 1.5, 4}), VolumeGrid::centered(13, 1, 1, {1, 1, 1}),
          VolumeGrid::centered(1, 13, 1, {1, 1, 1}),   VolumeGrid::centered(1, 1, 9, {1, 1, 1}),
          VolumeGrid::centered(1, 1, 1, {1, 1, 1}),    VolumeGrid::centered(2, 2, 2, {1, 1, 1})};
}

double sum(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

class TestTotalVariation : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  std::vector<float> proximal(const VolumeGrid& grid, const std::vector<float>& v, double weight,
                              float low, int iterations) {
    const auto tv = make_total_variation(backend_, grid, {});
    const Array from = Array::from(backend_, v);
    Array dual = Array::filled(backend_, tv->dual_size(), 0), x(backend_, v.size());
    tv->proximal({from, weight, low, iterations, [] {}}, dual, x);
    return x.to_host();
  }

 private slots:
  void divergenceIsMinusTheTranspose() {
    for (const VolumeGrid& grid : grids()) {
      const std::size_t n = grid.voxels(), axes = static_cast<std::size_t>(difference_axes(grid));
      const std::vector<float> x = random_values(n, 1, -1, 1),
                               p = random_values(axes * n, 2, -1, 1);
      std::vector<float> gradient(axes * n), div(n);
      forward_differences(grid, x, gradient);
      divergence(grid, p, div);
      const double left = std::inner_product(gradient.begin(), gradient.end(), p.begin(), 0.0),
                   right = std::inner_product(x.begin(), x.end(), div.begin(), 0.0);
      EXPECT_NEAR(left, -right, 1e-6 * std::sqrt(static_cast<double>(n)));
      EXPECT_NEAR(sum(div), 0, 1e-6 * static_cast<double>(n));  // div = -grad^T, and grad 1 = 0
    }
  }

  void divergenceIsExactOnWholeNumbers() {  // no rounding can hide a wrong border
    int tested = 0;
    for (const VolumeGrid& grid : grids()) {
      if (grid.spacing_mm.y != grid.spacing_mm.x) continue;  // the weights are no whole numbers
      ++tested;
      const std::size_t n = grid.voxels(), axes = static_cast<std::size_t>(difference_axes(grid));
      std::vector<float> x = random_values(n, 1, -9, 9), p = random_values(axes * n, 2, -9, 9);
      for (float& value : x) value = std::round(value);
      for (float& value : p) value = std::round(value);
      std::vector<float> gradient(axes * n), div(n);
      forward_differences(grid, x, gradient);
      divergence(grid, p, div);
      QCOMPARE(std::inner_product(gradient.begin(), gradient.end(), p.begin(), 0.0),
               -std::inner_product(x.begin(), x.end(), div.begin(), 0.0));
    }
    QVERIFY(tested > 0);
  }

  void valueIsTheSumOfGradientLengths() {
    for (const VolumeGrid& grid : grids()) {
      const std::vector<float> x = random_values(grid.voxels(), 3, -1, 1);
      const Vec3 d = grid.spacing_mm;
      const double smallest = grid.nz == 1 ? std::min(d.x, d.y) : std::min({d.x, d.y, d.z});
      double expected = 0;
      const auto at = [&](int ix, int iy, int iz) {
        return static_cast<double>(x[grid.index(ix, iy, iz)]);
      };
      for (int z = 0; z < grid.nz; ++z)
        for (int y = 0; y < grid.ny; ++y)
          for (int i = 0; i < grid.nx; ++i)
            expected += std::hypot(i + 1 < grid.nx ? (at(i + 1, y, z) - at(i, y, z)) / d.x : 0,
                                   y + 1 < grid.ny ? (at(i, y + 1, z) - at(i, y, z)) / d.y : 0,
                                   z + 1 < grid.nz ? (at(i, y, z + 1) - at(i, y, z)) / d.z : 0) *
                        smallest;
      EXPECT_NEAR(make_total_variation(backend_, grid, {})->value(Array::from(backend_, x)),
                  expected, 1e-5 * expected + 1e-12);
    }
  }

  void constantsStayAndTheMeanIsKept() {
    for (const VolumeGrid& grid : grids()) {
      const std::size_t n = grid.voxels();
      const std::vector<float> constant(n, 0.37F), noise = random_values(n, 4);
      QCOMPARE(proximal(grid, constant, 5, unbounded, 25), constant);
      const std::vector<float> smooth = proximal(grid, noise, 0.2, unbounded, 25);
      EXPECT_NEAR(sum(smooth), sum(noise), 1e-6 * static_cast<double>(n));
      QCOMPARE(proximal(grid, noise, 0, unbounded, 25), noise);
      QCOMPARE(proximal(grid, noise, 1e-38, unbounded, 25), noise);
    }
  }

  // Two levels along one axis: each end moves towards the other by weight x area / its voxels.
  void aStepShrinksByTheClosedForm() {
    const double weight = 0.3;
    for (int axis = 0; axis < 3; ++axis) {
      VolumeGrid grid = VolumeGrid::centered(5, 4, 3, {1, 1, 1});
      (axis == 0 ? grid.nx : axis == 1 ? grid.ny : grid.nz) = 10;
      (axis == 0 ? grid.spacing_mm.x : axis == 1 ? grid.spacing_mm.y : grid.spacing_mm.z) = 1.25;
      std::vector<float> v(grid.voxels());
      const auto place = [&](std::size_t j) {
        const std::size_t nx = static_cast<std::size_t>(grid.nx),
                          ny = static_cast<std::size_t>(grid.ny);
        return axis == 0 ? j % nx : axis == 1 ? j / nx % ny : j / (nx * ny);
      };
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = place(j) < 3 ? 0.0F : 1.0F;
      const std::vector<float> x = proximal(grid, v, weight, unbounded, 3000);
      for (std::size_t j = 0; j < x.size(); ++j)
        EXPECT_NEAR(x[j], place(j) < 3 ? weight / 1.25 / 3 : 1 - weight / 1.25 / 7, 2e-4);
    }
  }

  void theLowerBoundHolds() {  // the bound joins the minimisation: it is no clipping afterwards
    const VolumeGrid grid = VolumeGrid::centered(8, 1, 1, {1, 1, 1});
    const std::vector<float> v = {-1, -1, -1, -1, 1, 1, 1, 1};
    const std::vector<float> x = proximal(grid, v, 0.8, 0, 3000);
    for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(x[j], j < 4 ? 0 : 0.8, 1e-4);
    // -1 + p_4 stays below zero, 1 - 0.8 / 4 = 0.8.
    for (const float value : proximal(grid, random_values(8, 5, -1, 1), 0.1, 0, 20))
      QVERIFY(value >= 0);
  }

  void moreIterationsFromTheDualReachedGoOn() {
    const VolumeGrid grid = VolumeGrid::centered(20, 20, 1, {1, 1, 1});
    const auto tv = make_total_variation(backend_, grid, {});
    const Array v = Array::from(backend_, random_values(400, 6));
    const auto objective = [&](const Array& x) {
      Array difference = x.clone();
      backend_.axpby(-1, v, 1, difference);
      return 0.5 * backend_.dot(difference, difference) + 0.5 * tv->value(x);
    };
    Array dual = Array::filled(backend_, tv->dual_size(), 0), x(backend_, 400);
    tv->proximal({v, 0.5, unbounded, 5, [] {}}, dual, x);
    const double first = objective(x);
    for (int round = 0; round < 40; ++round) tv->proximal({v, 0.5, unbounded, 5, [] {}}, dual, x);
    const double best =
        objective(Array::from(backend_, proximal(grid, v.to_host(), 0.5, unbounded, 3000)));
    QVERIFY(first > 1.1 * best);
    EXPECT_NEAR(objective(x), best, 0.02 * best);
  }

  void itGivesWay() {
    const VolumeGrid grid = VolumeGrid::centered(20, 20, 1, {1, 1, 1});
    const auto tv = make_total_variation(backend_, grid, {});
    const Array v = Array::from(backend_, random_values(400, 6));
    Array dual = Array::filled(backend_, tv->dual_size(), 0), x(backend_, 400);
    int calls = 0;
    const auto impatient = [&] {
      if (++calls == 7) throw Interrupted{};
    };
    QVERIFY_THROWS_EXCEPTION(Interrupted,
                             tv->proximal({v, 0.5, unbounded, 50, impatient}, dual, x));
    QCOMPARE(calls, 7);
  }

  void threadsDoNotMatter() {
    const VolumeGrid grid = VolumeGrid::centered(33, 29, 6, {1, 1, 2});
    const std::vector<float> v = random_values(grid.voxels(), 7);
    const auto tv = make_total_variation(backend_, grid, {});
    expect_same_on_any_threads([&] {
      return std::make_pair(proximal(grid, v, 0.2, 0, 12), tv->value(Array::from(backend_, v)));
    });
  }

  void scikitImageAgrees() {
    const QString python = python_with(QStringLiteral("skimage"));
    if (python.isEmpty()) QSKIP("no Python with scikit-image");
    QTemporaryDir folder;
    for (const VolumeGrid& grid :
         {VolumeGrid::centered(24, 18, 1, {1, 1, 1}), VolumeGrid::centered(10, 9, 8, {1, 1, 1})}) {
      const std::vector<float> v = random_values(grid.voxels(), 8);
      const QString in = folder.filePath(QStringLiteral("in.f32")),
                    out = folder.filePath(QStringLiteral("out.f32"));
      QFile file(in);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(reinterpret_cast<const char*>(v.data()),
                 static_cast<qint64>(v.size() * sizeof(float)));
      file.close();
      QProcess process;
      process.start(python, {QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/tv_oracle.py"), in,
                             out, QString::number(grid.nx), QString::number(grid.ny),
                             QString::number(grid.nz), QStringLiteral("0.25")});
      QVERIFY(process.waitForFinished(300000));
      QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
      QFile result(out);
      QVERIFY(result.open(QIODevice::ReadOnly));
      const QByteArray bytes = result.readAll();
      QCOMPARE(bytes.size(), static_cast<qsizetype>(v.size() * sizeof(float)));
      const auto* expected = reinterpret_cast<const float*>(bytes.constData());
      const std::vector<float> x = proximal(grid, v, 0.25, unbounded, 2000);
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(x[j], expected[j], 2e-3);
    }
  }
};

GANTRY_TEST(TestTotalVariation)

#include "test_total_variation.moc"
