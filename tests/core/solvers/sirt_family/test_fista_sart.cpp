// SART with momentum against its formula over the dense matrix, and against SART.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/view_order.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/reference_update.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestFistaSart : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Solver> solver(const std::string& key, const Params& params) {
    return catalog_.solvers.make(key, "cpu", params);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void isTheFormulaInPrint_data() {
    QTest::addColumn<int>("subsets");
    QTest::addColumn<double>("relaxation");
    QTest::addColumn<bool>("nonnegative");
    for (const int subsets : {1, 4, 14})
      for (const double relaxation : {0.4, 1.0})
        for (const bool nonnegative : {false, true})
          QTest::addRow("%d subsets, %g, %d", subsets, relaxation, nonnegative)
              << subsets << relaxation << nonnegative;
  }
  void isTheFormulaInPrint() {
    QFETCH(int, subsets);
    QFETCH(double, relaxation);
    QFETCH(bool, nonnegative);
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(14, 22, 4)),
                                            VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});
    const Array b = Array::from(backend_, random_values(A->range_size(), 81, -1, 2));
    const auto s = solver("fista_sart", {{"subsets", std::int64_t{subsets}},
                                         {"relaxation", relaxation},
                                         {"nonnegative", nonnegative}});
    s->init({A.get(), &b, nullptr});
    QCOMPARE(s->steps_per_iteration(), subsets);
    ReferenceUpdate book(dense_matrix(*A), A->views(), b.host(), relaxation, nonnegative);
    std::vector<double> last = book.x;
    double t = 1;
    for (int k = 1; k <= 8; ++k) {
      for (const int index :
           visiting_order(ViewOrder::golden, subsets, 1, k - 1, half_turns(*A, subsets))) {
        const StepReport report = s->step();
        book.step(index, subsets);
        EXPECT_NEAR(report.residual_norm, book.residual_norm, 1e-4 * book.residual_norm);
        for (std::size_t j = 0; j < book.x.size(); ++j)
          EXPECT_NEAR(s->solution().host()[j], book.x[j], 1e-4);  // of 0.05 to 1
      }
      const double next_t = (1 + std::sqrt(1 + 4 * t * t)) / 2;
      const std::vector<double> x = book.x;
      for (std::size_t j = 0; j < x.size(); ++j) book.x[j] += (t - 1) / next_t * (x[j] - last[j]);
      last = x;
      t = next_t;
    }
  }

  // 300 iterations, as published: nearer to consistent data than SART gets, with as many subsets.
  void itIsFasterThanSart_data() {
    QTest::addColumn<int>("subsets");
    QTest::newRow("SIRT") << 1;
    QTest::newRow("4 subsets") << 4;
    QTest::newRow("10 subsets") << 10;
  }
  void itIsFasterThanSart() {
    QFETCH(int, subsets);
    const VolumeGrid grid = VolumeGrid::centered(24, 24, 1, {2, 2, 2});
    const auto A = catalog_.projectors.make("distance_driven", "cpu", backend_,
                                            share(fan_spec(40, 40, 2.5)), grid, {});
    Array b(backend_, A->range_size());
    A->forward(Array::from(backend_, random_values(grid.voxels(), 82)), b);
    const auto residual = [&](const std::string& key, int iterations) {
      const auto s = solver(key, {{"subsets", std::int64_t{subsets}}, {"relaxation", 1.0}});
      run(*s, {A.get(), &b, nullptr}, {iterations, 0}, {});
      Array r(backend_, A->range_size());
      A->forward(s->solution(), r);
      return std::sqrt(backend_.residual(b, r, nullptr) / backend_.dot(b, b));
    };
    QVERIFY(residual("fista_sart", 30) < 0.6 * residual("os_sart", 30));
    QVERIFY(residual("fista_sart", 300) < 0.3 * residual("os_sart", 300));
  }

  // Data that no image explains: it ends where OS-SART does, or no worse.
  void inconsistentDataDoNotCarryItAway() {
    const VolumeGrid grid = VolumeGrid::centered(24, 24, 1, {2, 2, 2});
    const auto A = catalog_.projectors.make("distance_driven", "cpu", backend_,
                                            share(fan_spec(40, 40, 2.5)), grid, {});
    const Array b = Array::from(backend_, random_values(A->range_size(), 83, 0, 2));
    const auto residual = [&](const std::string& key, int subsets) {
      const auto s = solver(key, {{"subsets", std::int64_t{subsets}}, {"relaxation", 1.0}});
      run(*s, {A.get(), &b, nullptr}, {300, 0}, {});
      Array r(backend_, A->range_size());
      A->forward(s->solution(), r);
      return std::sqrt(backend_.residual(b, r, nullptr) / backend_.dot(b, b));
    };
    for (const int subsets : {1, 10, 40})
      QVERIFY(residual("fista_sart", subsets) < 1.05 * residual("os_sart", subsets));
  }
};

GANTRY_TEST(TestFistaSart)
#include "test_fista_sart.moc"
