// A run repeated with several values of a parameter, and the choice of the best.
#include "core/base/error.hpp"
#include "core/worker/sweep.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSweep : public QObject {
  Q_OBJECT

  static const SweepParam* find(const std::vector<SweepParam>& params, const std::string& key) {
    const auto found =
        std::ranges::find(params, key, [](const SweepParam& param) { return param.spec.key; });
    return found == params.end() ? nullptr : &*found;
  }
  static SweepPoint point(double value, double rmse, double data, double penalty) {
    SweepPoint one;
    one.value = value;
    one.last.report.objective = {data, penalty};
    if (std::isfinite(rmse)) one.last.metrics["rmse"] = rmse;
    return one;
  }

 private slots:
  void numbersOfMethodAndPriorAreOffered() {
    const Workshop workshop;
    RunSpec run;
    run.solver = "fista";
    run.prior = "huber";
    run.prior_params.set("weight", 0.25);
    const auto params = sweep_params(run, workshop.catalog);
    const SweepParam* weight = find(params, "weight");
    QVERIFY(weight != nullptr && weight->is_of_prior);
    QCOMPARE(weight->present, 0.25);
    QVERIFY(find(params, "inner") != nullptr);
    QVERIFY(find(params, "nonnegative") == nullptr);  // no number

    const RunSpec other = with_value(run, *weight, 0.5);
    QCOMPARE(other.prior_params.real("weight"), 0.5);
    QCOMPARE(with_value(run, *find(params, "inner"), 6.6).solver_params.integer("inner"),
             std::int64_t{7});
    run.solver = "sirt";
    QVERIFY(find(sweep_params(run, workshop.catalog), "weight") == nullptr);
  }

  void valuesCoverTheRange() {
    const auto equal = sweep_values(1, 3, 5, false), ratios = sweep_values(0.01, 100, 5, true);
    QCOMPARE(equal, (std::vector<double>{1, 1.5, 2, 2.5, 3}));
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(std::log10(ratios[i]), static_cast<double>(i) - 2, 1e-12);
    EXPECT_THROWS(UsageError, sweep_values(1, 1, 5, false), "the smaller one first");
    EXPECT_THROWS(UsageError, sweep_values(0, 1, 5, true), "above 0");
    EXPECT_THROWS(UsageError, sweep_values(1, 2, 1, false), "two values");
  }

  /// Each point is what a run with that value computes; a value that fails does not end the sweep.
  void everyPointIsARun() {
    Workshop workshop;
    const auto data = small_data(workshop);
    RunSpec run = run_spec("sirt", 4);
    const auto params = sweep_params(run, workshop.catalog);
    const Interrupt interrupt;
    std::vector<SweepPoint> points;
    sweep(run, *find(params, "relaxation"), {0.5, 1.5}, data, MetricsSpec{}, workshop.catalog,
          workshop.backends, interrupt, [&](SweepPoint one) { points.push_back(std::move(one)); });
    QCOMPARE(points.size(), std::size_t{2});
    for (const SweepPoint& one : points) {
      RunSpec alone = run;
      alone.solver_params.set("relaxation", one.value);
      ReconstructionJob job(alone, data, MetricsSpec{}, workshop.catalog, workshop.backends,
                            nullptr);
      while (!job.finished()) job.advance();
      QVERIFY(one.image == job.solution());
      QVERIFY(one.problem.empty());
      QCOMPARE(one.last.report.iteration, 4);
    }
    run.solver = "cgls";
    run.weights = RayWeights::statistical;  // of data without photons
    points.clear();
    sweep(run, *find(params, "relaxation"), {0.5, 1.5}, data, MetricsSpec{}, workshop.catalog,
          workshop.backends, interrupt, [&](SweepPoint one) { points.push_back(std::move(one)); });
    QCOMPARE(points.size(), std::size_t{2});
    for (const SweepPoint& one : points) QVERIFY(!one.problem.empty() && one.image.empty());
  }

  /// Two branches with a rounded corner between them: y = 1 / (x - 1) + 1, whose curvature in
  /// logarithmic coordinates is greatest where the branches are alike, at x = y = 2.
  void theCornerIsWhereTheCurveBends() {
    std::vector<std::pair<double, double>> curve;
    for (int i = -12; i <= 12; ++i) {
      const double t = std::pow(1.5, i);
      curve.emplace_back(1 + t, 1 + 1 / t);
    }
    QCOMPARE(*corner(curve), std::size_t{12});
    QVERIFY(!corner({{1, 2}, {2, 1}}));
    QVERIFY(!corner({{1, 3}, {-1, 2}, {3, 1}}));
    QVERIFY(!corner({{1, 4}, {2, 2}, {4, 1}}));  // straight
    // Turned about the middle, the curve bends away from the origin.
    std::vector<std::pair<double, double>> away;
    for (const auto& [x, y] : curve) away.insert(away.begin(), {4 / x, 4 / y});
    QVERIFY(!corner(away));
  }

  void theBestIsKnownByTheTruthOrByTheCorner() {
    const double none = std::nan("");
    const auto by_truth = best_point(
        {point(1, 0.3, 1, 1), point(2, 0.2, 1, 1), point(3, none, 1, 1), point(4, 0.4, 1, 1)},
        true);
    QVERIFY(by_truth && by_truth->point == 1);
    QCOMPARE(by_truth->reason, std::string("least RMSE"));
    std::vector<SweepPoint> points;
    for (int i = -4; i <= 4; ++i) {
      const double weight = std::pow(2, i), t = std::pow(2, i);
      points.push_back(point(weight, none, 0.5 * (1 + t), weight * (1 + 1 / t)));
    }
    const auto by_corner = best_point(points, true);
    QVERIFY(by_corner && by_corner->point == 4);
    QCOMPARE(by_corner->reason, std::string("corner of the L-curve"));
    QVERIFY(!best_point(points, false));  // of another parameter
    EXPECT_NEAR(l_curve_point(points[4], true).first, 2, 1e-12);
    EXPECT_NEAR(l_curve_point(points[4], true).second, 2, 1e-12);
    QVERIFY(!best_point({point(1, none, none, 0), point(2, none, none, 0), point(3, none, none, 0)},
                        true));
  }
};

GANTRY_TEST(TestSweep)
#include "test_sweep.moc"
