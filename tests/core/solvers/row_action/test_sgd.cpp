// Stochastic gradient descent: without a prior it is ART, with one it ends near the minimum.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/row_action/ray_order.hpp"
#include "core/solvers/row_action/sgd_order.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestSgd : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};
  const VolumeGrid grid_ = VolumeGrid::centered(24, 20, 1, {2, 2, 2});
  std::unique_ptr<Projector> A_;
  Array b_;

  std::unique_ptr<Solver> solver(const std::string& key, const Params& params) {
    return catalog_.solvers.make(key, "cpu", params);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(60, 32, 3.6)), grid_,
                                  {});
    b_ = Array(backend_, A_->range_size());
    A_->forward(Array::from(backend_, random_values(grid_.voxels(), 1, 0.01F, 0.03F)), b_);
  }

  /// In natural order, a detector row of 32 cells is one patch: the rays come as in ART.
  void withoutAPriorItIsArt() {
    const Problem p{.A = A_.get(), .b = &b_};
    const auto art = solver("art", {{"order", std::string("natural")}, {"relaxation", 0.3}}),
               sgd = solver("sgd", {{"order", std::string("natural")}, {"relaxation", 0.3}});
    run(*art, p, {2, 0}, {});
    run(*sgd, p, {2, 0}, {});
    QCOMPARE(sgd->solution().to_host(), art->solution().to_host());
  }

  /// A single ray: x moves by gamma_t (b - <a, x>) a, gamma_t = 1 / (1/gamma_0 + d t) in voxels.
  void printedRateFalls() {
    ScanSpec spec = fan_spec(1, 1, 3);
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, share(spec), grid_, {});
    const Array b = Array::filled(backend_, 1, 1);
    const auto s = solver("sgd", {{"rate_rule", std::string("printed")},
                                  {"rate", 1e-3},
                                  {"decay", 500.0},
                                  {"batches", std::int64_t{1}}});
    s->init({.A = A.get(), .b = &b});
    Array sum(backend_, 1), back(backend_, grid_.voxels());
    A->adjoint(Array::filled(backend_, 1, 1), back);  // a
    const double norm = backend_.dot(back, back);
    double expected = 0;  // <a, x>
    for (int t = 0; t < 5; ++t) {
      expected += (1 - expected) * norm / (1000 + 500.0 * t) / 4;  // voxels of 2 mm
      s->step();
      A->forward(s->solution(), sum);
      EXPECT_NEAR(sum.host()[0], expected, 1e-5 * expected);
    }
  }

  /// The smaller the rate, the nearer to the minimum of the objective.
  void itEndsNearTheMinimum() {
    const Problem p{.A = A_.get(), .b = &b_, .penalty = penalties_.make("huber", *A_)};
    const auto best = solver("wls_pcg", {});
    run(*best, p, {300, 0}, {});
    const auto distance = [&](double relaxation, int iterations) {
      const auto s = solver("sgd", {{"relaxation", relaxation}, {"nonnegative", false}});
      run(*s, p, {iterations, 0}, {});
      Array d = s->solution().clone();
      backend_.axpby(-1, best->solution(), 1, d);
      return std::sqrt(backend_.dot(d, d) / backend_.dot(best->solution(), best->solution()));
    };
    const double start = distance(0.5, 1), coarse = distance(0.5, 60), fine = distance(0.1, 300);
    QVERIFY2(coarse < 0.5 * start, qPrintable(QString("%1 of %2").arg(coarse).arg(start)));
    QVERIFY2(fine < 0.08, qPrintable(QString::number(fine)));
  }

  /// Weights count relative to that of a usual ray through the object, and at most as much: the
  /// scale of all weights changes nothing, nor does how far air weighs more.
  void weightsCountRelativeToTheObject() {
    const auto solved = [&](double of_air, double scale) {
      std::vector<float> weights(A_->range_size());
      for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<float>(scale * (i % 2 == 0 ? of_air : 0.01 * (1 + i % 5)));
      const Array w = Array::from(backend_, weights);
      const auto s = solver("sgd", {{"nonnegative", false}});
      run(*s, {.A = A_.get(), .b = &b_, .weights = &w}, {2, 0}, {});
      return s->solution().to_host();
    };
    const std::vector<float> usual = solved(1, 1);
    QCOMPARE(solved(1, 0.25), usual);  // a power of two, so that not even rounding differs
    QCOMPARE(solved(8, 1), usual);
    const auto plain = solver("sgd", {{"nonnegative", false}});
    run(*plain, {.A = A_.get(), .b = &b_}, {2, 0}, {});
    QVERIFY(plain->solution().to_host() != usual);  // rays below the usual weight count less
  }

  /// A prior that grows like a square, so strong that its gradient alone would overshoot without
  /// bounds: a batch moves no voxel beyond its neighbours' mean, and more batches flatten more.
  void aStrongPriorFlattensTheImage() {
    const auto spread = [&](std::int64_t batches) {
      const auto s = solver("sgd", {{"nonnegative", false}, {"batches", batches}});
      const Problem p{
          .A = A_.get(),
          .b = &b_,
          .penalty = penalties_.make("mumford_shah", *A_, {{"weight", 1e4}, {"threshold", 1e4}})};
      run(*s, p, {60, 0}, {});
      const std::vector<float> x = s->solution().to_host();
      const auto [least, most] = std::ranges::minmax(x);
      return static_cast<double>(most - least);
    };
    const double few = spread(1), many = spread(100);
    QVERIFY2(few < 0.03, qPrintable(QString::number(few)));
    QVERIFY2(many < 0.5 * few, qPrintable(QString::number(many / few)));
  }

  void aPriorTooStrongForTheBatchesIsNoted() {
    const auto says = [&](double weight) {
      const auto s = solver("sgd", {{"batches", std::int64_t{2}}});
      s->init({.A = A_.get(),
               .b = &b_,
               .penalty = penalties_.make("tikhonov", *A_, {{"weight", weight}})});
      return std::ranges::any_of(s->notes(), [](const std::string& note) {
        return note.find("the prior is too strong for 2 batches") != std::string::npos;
      });
    };
    QVERIFY(says(1e6));
    QVERIFY(!says(1e-9));
  }

  void ordersHoldEveryRayOnce() {
    for (const auto& [columns, rows] : {std::pair{32, 1}, {70, 1}, {37, 11}, {8, 4}, {3, 2}}) {
      std::vector<std::uint32_t> rays = rays_by_patches(columns, rows);
      std::ranges::sort(rays);
      std::vector<std::uint32_t> all(static_cast<std::size_t>(columns * rows));
      std::iota(all.begin(), all.end(), 0U);
      QVERIFY(rays == all);
    }
    // 370 rays: the last warp is not full.
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(10, 37, 2)),
                                            VolumeGrid::centered(8, 8, 1, {5, 5, 5}), {});
    std::vector<std::uint32_t> all(370);
    std::iota(all.begin(), all.end(), 0U);
    for (const char* name : {"natural", "golden", "random", "mapped", "numbered", "scattered"}) {
      std::string note;
      std::vector<std::uint32_t> rays = ordered_rays(*A, ray_order(name), 3, note);
      std::erase(rays, no_ray);  // idle lanes of a mapping's warps
      std::ranges::sort(rays);
      QVERIFY2(rays == all, name);
    }
  }

  void raysOfAClassWeighNoVoxelInCommon_data() {
    QTest::addColumn<int>("scan");
    QTest::addColumn<QString>("projector");
    const auto cases = scan_cases();
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const char* key : {"siddon", "joseph"})
        QTest::addRow("%s, %s", key, cases[i].name.c_str()) << static_cast<int>(i) << QString(key);
  }
  void raysOfAClassWeighNoVoxelInCommon() {
    QFETCH(int, scan);
    QFETCH(QString, projector);
    const ScanCase c = scan_cases()[static_cast<std::size_t>(scan)];
    const auto A =
        catalog_.projectors.make(projector.toStdString(), "cpu", backend_, c.geometry, c.grid, {});
    const RayClasses classes = classes_without_common_voxels(*A, *make_rows(*A));
    QCOMPARE(classes.rays.size(), A->range_size());
    QCOMPARE(classes.first_of_view.size(), static_cast<std::size_t>(A->views()) + 1);
    RowWeights row;
    std::size_t seen = 0;
    for (std::size_t k = 0; k + 1 < classes.first_ray.size(); ++k) {
      std::vector<std::size_t> voxels;
      for (std::size_t n = classes.first_ray[k]; n < classes.first_ray[k + 1]; ++n, ++seen) {
        const std::size_t ray = classes.rays[n], cell = ray % A->cells_per_view();
        const int columns = A->geometry().columns();
        A->row_source()
            ->view_rows(static_cast<int>(ray / A->cells_per_view()))
            ->weights(static_cast<int>(cell) % columns, static_cast<int>(cell) / columns, row);
        for (std::size_t j = 0; j < row.size(); ++j)
          if (row.weight[j] > 1e-9) voxels.push_back(row.voxel[j]);
      }
      std::ranges::sort(voxels);
      QVERIFY(std::ranges::adjacent_find(voxels) == voxels.end());
    }
    QCOMPARE(seen, A->range_size());
  }
};

GANTRY_TEST(TestSgd)
#include "test_sgd.moc"
