// SIRT, OS-SART and SART against their formula over the dense matrix, subset after subset.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/view_order.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/subset_book.hpp"

using namespace gantry;
using namespace gantry::test;

class TestWeightedSubsets : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Solver> solver(const std::string& key, const Params& params) {
    return catalog_.solvers.make(key, "cpu", params);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void isTheFormulaInPrint_data() {
    QTest::addColumn<QString>("projector");
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("subsets");
    QTest::addColumn<QString>("order");
    for (const char* projector : {"siddon", "distance_driven"}) {
      QTest::addRow("sirt, %s", projector) << projector << "sirt" << 1 << "golden";
      // 14 views: subsets of 4 and of 3
      QTest::addRow("os_sart, %s", projector) << projector << "os_sart" << 4 << "golden";
      QTest::addRow("sart, %s", projector) << projector << "sart" << 14 << "multilevel";
      QTest::addRow("sart in random order, %s", projector) << projector << "sart" << 14 << "random";
    }
  }
  void isTheFormulaInPrint() {
    QFETCH(QString, projector);
    QFETCH(QString, key);
    QFETCH(int, subsets);
    QFETCH(QString, order);
    const auto A = catalog_.projectors.make(projector.toStdString(), "cpu", backend_,
                                            share(fan_spec(14, 22, 4)),
                                            VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});
    const Array b = Array::from(backend_, random_values(A->range_size(), 81, -10, 20));
    const DenseMatrix a = dense_matrix(*A);
    for (const double relaxation : {0.4, 1.7})
      for (const bool nonnegative : {false, true}) {
        Params params = {{"relaxation", relaxation}, {"nonnegative", nonnegative}};
        if (key != "sirt") params.set("order", order.toStdString());
        if (key == "os_sart") params.set("subsets", std::int64_t{subsets});
        const auto s = solver(key.toStdString(), params);
        s->init({A.get(), &b, nullptr});
        QCOMPARE(s->steps_per_iteration(), subsets);
        SubsetBook book(a, A->views(), b.host(), relaxation, nonnegative);
        for (int iteration = 0; iteration < 3; ++iteration)
          for (const int index : visiting_order(parse_view_order(order.toStdString()), subsets, 1,
                                                iteration, half_turns(*A, subsets))) {
            const StepReport report = s->step();
            book.step(index, subsets);
            EXPECT_NEAR(report.residual_norm, book.residual_norm, 1e-4 * book.residual_norm);
            EXPECT_NEAR(report.update_norm, book.update_norm, 1e-4 * book.update_norm);
            for (std::size_t j = 0; j < book.x.size(); ++j)
              EXPECT_NEAR(s->solution().host()[j], book.x[j], 2e-4);
          }
        QCOMPARE(std::ranges::count_if(book.x, [](double v) { return v < 0; }) == 0, nonnegative);
      }
  }

  /// In each of four views one ray through three voxels, which it sees more and less, and one that
  /// all but misses. What a subset sees little of is little beside that subset, not beside all.
  void whatIsHardlySeenIsLeftOut() {
    DenseMatrix a;
    for (int view = 0; view < 4; ++view) {
      a.push_back({1, 1e-5, 1e-6});
      a.push_back({1e-9, 0, 0});
    }
    const MatrixOperator A(backend_, a, 4);
    Array b = Array::filled(backend_, 8, 1);
    for (const char* key : {"sirt", "sart"}) {
      const auto s = solver(key, {{"relaxation", 1.0}});
      run(*s, {&A, &b, nullptr}, {1, 0}, {});
      EXPECT_NEAR(s->solution().host()[0], 1, 1e-4);
      EXPECT_NEAR(s->solution().host()[1], 1, 1e-4);
      QCOMPARE(s->solution().host()[2], 0.0F);
    }
  }

  // Row sums, then two products an iteration, and column sums: once, or with each subset.
  void countsItsWorkInProducts() {
    const MatrixOperator A(backend_, {{1, 2}, {3, 1}, {1, 1}, {2, 5}}, 4);
    const Array b = Array::filled(backend_, 4, 1);
    for (const auto& [key, expected] :
         {std::pair{"sirt", 1 + 1 + 3 * 2.0}, {"sart", 1 + 3 * 3.0}}) {
      const auto s = solver(key, {});
      SolverRun loop(*s, {&A, &b, nullptr}, {3, 0});
      while (!loop.finished()) loop.advance();
      EXPECT_NEAR(loop.applications(), expected, 1e-9);
    }
  }
};

QTEST_APPLESS_MAIN(TestWeightedSubsets)
#include "test_weighted_subsets.moc"
