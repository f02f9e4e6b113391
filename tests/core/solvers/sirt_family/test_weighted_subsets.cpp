// SIRT, OS-SART and SART against their formula over the dense matrix, subset after subset.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/sirt_family/sirt.hpp"
#include "core/solvers/view_order.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/reference_update.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

class TestWeightedSubsets : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Solver> solver(const std::string& key, const Params& params) {
    return catalog_.solvers.make(key, "cpu", params);
  }

  /// A matrix of seven views of three rays each through eleven voxels.
  static DenseMatrix seven_views() {
    const std::vector<float> values = random_values(21 * 11, 84, 0.1F, 1);
    DenseMatrix a(21, std::vector<double>(11));
    for (std::size_t i = 0; i < 21; ++i)
      for (std::size_t j = 0; j < 11; ++j) a[i][j] = values[i * 11 + j];
    return a;
  }

  std::unique_ptr<Projector> fan() {
    return catalog_.projectors.make("distance_driven", "cpu", backend_, share(fan_spec(30, 48, 3)),
                                    VolumeGrid::centered(32, 32, 1, {2, 2, 2}), {});
  }
  /// Returns the data of a random image, with noise of about 1 %.
  Array noisy_data(const Projector& A) {
    const Array image = Array::from(backend_, random_values(A.domain_size(), 85, 0, 0.04F));
    Array sums(backend_, A.range_size()),
        noisy = Array::from(backend_, random_values(A.range_size(), 86, -0.02F, 0.02F));
    A.forward(image, sums);
    backend_.axpby(1, sums, 1, noisy);
    return noisy;
  }
  Array after(const std::string& key, const Params& params, int iterations,
              const Problem& problem) {
    const auto s = solver(key, params);
    run(*s, problem, {iterations, 0}, {});
    return s->solution().clone();
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
        ReferenceUpdate book(a, A->views(), b.host(), relaxation, nonnegative);
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

  /// An operator that likes several updates at once is given them in the same order, the rest of an
  /// iteration in a shorter step: to the bit the same images.
  void takesSubsetsAtOnce_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("order");
    QTest::addColumn<int>("subsets");
    QTest::newRow("sart") << "sart"
                          << "golden" << 7;
    QTest::newRow("sart in random order") << "sart"
                                          << "random" << 7;
    QTest::newRow("os_sart") << "os_sart"
                             << "golden" << 6;
    QTest::newRow("one step") << "os_sart"
                              << "golden" << 3;
    QTest::newRow("fista_sart") << "fista_sart"
                                << "random" << 6;
  }
  void takesSubsetsAtOnce() {
    QFETCH(QString, key);
    QFETCH(QString, order);
    QFETCH(int, subsets);
    const DenseMatrix a = seven_views();
    const MatrixOperator one(backend_, a, 7);
    MatrixOperator several(backend_, a, 7, 5);
    InterruptAtCheck check;
    several.set_interrupt(&check);
    const Array b = Array::from(backend_, random_values(one.range_size(), 83, -10, 20));
    Params params = {{"order", order.toStdString()}, {"relaxation", 0.9}};
    if (key != "sart") params.set("subsets", std::int64_t{subsets});
    const auto single = solver(key.toStdString(), params),
               grouped = solver(key.toStdString(), params);
    single->init({&one, &b, nullptr});
    grouped->init({&several, &b, nullptr});
    QCOMPARE(single->steps_per_iteration(), subsets);
    QCOMPARE(grouped->steps_per_iteration(), (subsets + 4) / 5);
    int interruptions = 0;
    for (int iteration = 0; iteration < 3; ++iteration)
      for (int first = 0; first < subsets; first += 5) {
        double residual = 0, update = 0;
        for (int i = first; i < std::min(first + 5, subsets); ++i) {
          const StepReport report = single->step();
          residual += report.residual_norm * report.residual_norm;
          update += report.update_norm * report.update_norm;
        }
        // Interrupted at each place in turn, until there is none left.
        const std::vector<float> before = grouped->solution().to_host();
        for (int place = 1;; ++place) {
          check.set(place);
          try {
            const StepReport report = grouped->step();
            EXPECT_NEAR(report.residual_norm, std::sqrt(residual), 1e-9 * std::sqrt(residual));
            // Momentum goes from one iterate to the next, not along the steps between.
            if (key != "fista_sart")
              EXPECT_NEAR(report.update_norm, std::sqrt(update), 1e-9 * std::sqrt(update));
            break;
          } catch (const Interrupted&) {
            ++interruptions;
            QCOMPARE(grouped->solution().to_host(), before);
          }
        }
        check.set(0);
        QCOMPARE(grouped->solution().to_host(), single->solution().to_host());
      }
    QVERIFY(interruptions > 3 * subsets);
    EXPECT_NEAR(several.applications(), one.applications(), 1e-9);
  }

  /// A step takes as many subsets as the operator likes of the size of the largest: seven views in
  /// three subsets are three and twice two, and of subsets of three views two are taken.
  void theLargestSubsetTellsHowManyAreTakenAtOnce() {
    const MatrixOperator A(backend_, seven_views(), 7, [](int views) { return 6 / views; });
    const Array b = Array::filled(backend_, A.range_size(), 1);
    const auto s = solver("os_sart", {{"subsets", std::int64_t{3}}});
    s->init({&A, &b, nullptr});
    QCOMPARE(s->steps_per_iteration(), 2);
  }

  /// A ray vector of ones is held before R and the iterate are: where it is no larger than the
  /// iterate, nothing is needed beside the vectors of the steps.
  void onesAreHeldInTheMemoryOfTheIterate() {
    const auto sirt = solver("sirt", {});
    OperatorMemory A;
    A.domain_size = 1200;
    A.cells_per_view = 100;
    A.views = 12;
    QCOMPARE(sirt->memory(A).workspace_bytes, std::size_t{0});
    A.views = 15;
    QCOMPARE(sirt->memory(A).workspace_bytes, 300 * sizeof(float));
  }

  void relaxationsUnlessTheyAreGiven() {
    QCOMPARE(resolve_params({}, os_sart_params(), "os_sart").real("relaxation"), 1.0);
    QCOMPARE(resolve_params({}, sart_params(), "sart").real("relaxation"), 0.5);
    QCOMPARE(resolve_params({}, sirt_params(), "sirt").real("relaxation"), 1.0);
  }

  void anEmptySweepChangesNothing() {
    const MatrixOperator A(backend_, seven_views(), 7, 5);
    Array x = Array::filled(backend_, A.domain_size(), 3);
    const Array b = Array::filled(backend_, A.range_size(), 1);
    const auto sweep = make_subset_sweep(A, b.clone(), {});
    const UpdateNorms norms = sweep->run(x, b, {});
    QCOMPARE(norms.residual_square + norms.update_square, 0.0);
    QCOMPARE(x.to_host(), std::vector<float>(A.domain_size(), 3));
    const ViewSubset beyond{6, 1, 2};
    EXPECT_THROWS(ShapeError, sweep->run(x, b, {&beyond, 1}), "outside the scan");
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

  /// Three views of two rays each, from which three voxels follow. The largest eigenvalue of a
  /// sweep with relaxation 1 is 1.0324320 in size (numpy, float64), with 0.01 still 1.00029: no
  /// relaxation helps, and none is said to. All rays at once converge.
  void subsetsNeedNotConverge() {
    const MatrixOperator A(
        backend_, {{4, 16, 1}, {1, 8, 16}, {2, 16, 8}, {4, 16, 1}, {8, 1, 16}, {4, 2, 1}}, 3);
    const std::vector<float> truth{1, -2, 3};
    Array b(backend_, A.range_size());
    A.forward(Array::from(backend_, truth), b);
    const auto error = [&](const Solver& s) {
      double square = 0;
      for (std::size_t j = 0; j < truth.size(); ++j)
        square += std::pow(static_cast<double>(s.solution().host()[j]) - truth[j], 2);
      return std::sqrt(square);
    };
    const auto sart =
        solver("sart", {{"relaxation", 1.0}, {"nonnegative", false}, {"order", "natural"}});
    sart->init({&A, &b, nullptr});
    double before = 0;
    for (int sweep = 0; sweep < 400; ++sweep) {
      before = error(*sart);
      for (int step = 0; step < 3; ++step) sart->step();
    }
    EXPECT_NEAR(error(*sart) / before, 1.0324320, 1e-4);
    QVERIFY(error(*sart) > 1000);
    QVERIFY(!sart->admissible().has_value());
    const auto sirt = solver("sirt", {{"relaxation", 1.9}, {"nonnegative", false}});
    run(*sirt, {&A, &b, nullptr}, {300, 0}, {});
    QVERIFY(error(*sirt) < 1e-3);
    QCOMPARE(sirt->admissible()->bound, 2.0);
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

  // C and R are the inverses of the sums, hence C A^T R A 1 = 1: one step from zero on data A(c 1)
  // gives c 1. For SART, each single view reproduces the voxels that it sees.
  void reproducesAConstantInOneStep_data() {
    QTest::addColumn<QString>("key");
    for (const char* key : {"sirt", "sart", "os_sart", "fista_sart"})
      QTest::newRow(key) << QString(key);
  }
  void reproducesAConstantInOneStep() {
    QFETCH(QString, key);
    const auto A = fan();
    const Array constant = Array::filled(backend_, A->domain_size(), 0.03F);
    Array data(backend_, A->range_size());
    A->forward(constant, data);
    const Array x = after(key.toStdString(), {{"relaxation", 1.0}, {"nonnegative", false}}, 1,
                          {A.get(), &data, nullptr});
    for (const float value : x.host()) EXPECT_NEAR(value, 0.03, 0.03 * 1e-4);
  }

  void residualOfSirtIsMonotone() {
    const auto A = fan();
    const Array noisy = noisy_data(*A);
    const auto s = solver("sirt", {{"relaxation", 1.0}, {"nonnegative", false}});
    s->init({A.get(), &noisy, nullptr});
    double previous = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 40; ++i) {
      Array r(backend_, A->range_size());
      A->forward(s->solution(), r);
      const double expected = std::sqrt(backend_.residual(noisy, r, nullptr));
      const StepReport report = s->step();
      EXPECT_NEAR(report.residual_norm, expected, 1e-6 * expected);  // before the step
      QVERIFY(report.residual_norm <= previous * (1 + 1e-7));
      previous = report.residual_norm;
    }
  }

  void oneSubsetIsSirtAndAllAreSart() {
    const auto A = fan();
    const Array noisy = noisy_data(*A);
    const Params common = {{"relaxation", 0.9}, {"nonnegative", false}};
    Params one = common, all = common;
    one.set("subsets", std::int64_t{1});
    all.set("subsets", std::int64_t{A->views()});
    const Problem problem{A.get(), &noisy, nullptr};
    QCOMPARE(after("os_sart", one, 4, problem).to_host(),
             after("sirt", common, 4, problem).to_host());
    QCOMPARE(after("os_sart", all, 2, problem).to_host(),
             after("sart", common, 2, problem).to_host());
  }
};

GANTRY_TEST(TestWeightedSubsets)
#include "test_weighted_subsets.moc"
