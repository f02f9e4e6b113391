// What the points of a sweep are compared by, and which one is best.
#include "core/geometry/default_scan.hpp"
#include "core/io/scans/gantry_scan.hpp"
#include "core/worker/sweep/sweep_measure.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSweepMeasure : public QObject {
  Q_OBJECT

  static SweepPoint point(double value, double rmse, double data, double penalty) {
    SweepPoint one;
    one.value = value;
    HistoryEntry last;
    last.report.objective = {data, penalty};
    if (std::isfinite(rmse)) last.metrics["rmse"] = rmse;
    one.history = {last};
    return one;
  }

 private slots:
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

  /// Of FISTA with total variation, 100 iterations, 2000 photons per ray, 60 parallel views of 64
  /// cells and weights from 1.5e-5 to 15: the corner is where the error is least. The points
  /// before it lie close together.
  void theCornerIsNotThatOfCrowdedPoints() {
    QCOMPARE(*corner({{1.54901, 119.51},
                      {1.54933, 118.969},
                      {1.55234, 115.94},
                      {1.60493, 99.5367},
                      {2.1673, 58.3862},
                      {3.75284, 35.9534},
                      {11.4597, 19.0399},
                      {40.2327, 6.43648},
                      {125.609, 0.62229}}),
             std::size_t{4});
    // Two close points of a straight curve, of which one is off by a thousandth, are no corner.
    QVERIFY(!corner({{1, 4}, {2, 2}, {2.002, 1.996}, {4, 1}}));
  }

  void theBestIsKnownByTheTruthOrByTheCorner() {
    const Workshop workshop;
    const std::vector<SweepMeasure> all = sweep_measures(workshop.catalog);
    const SweepMeasure rmse = *std::ranges::find(all, "RMSE", &SweepMeasure::label);
    const double none = std::nan("");
    const auto by_truth = best_point(
        {point(1, 0.3, 1, 1), point(2, 0.2, 1, 1), point(3, none, 1, 1), point(4, 0.4, 1, 1)}, rmse,
        true);
    QVERIFY(by_truth && by_truth->point == 1);
    QCOMPARE(by_truth->reason, std::string("least RMSE"));
    std::vector<SweepPoint> points;
    for (int i = -4; i <= 4; ++i) {
      const double weight = std::pow(2, i), t = std::pow(2, i);
      points.push_back(point(weight, none, 0.5 * (1 + t), weight * (1 + 1 / t)));
    }
    const auto by_corner = best_point(points, rmse, true);
    QVERIFY(by_corner && by_corner->point == 4);
    QCOMPARE(by_corner->reason, std::string("corner of the L-curve"));
    QVERIFY(by_corner->is_corner && !by_truth->is_corner);
    QVERIFY(!best_point(points, rmse, false));  // of another parameter
    EXPECT_NEAR(l_curve_point(points[4], true).first, 2, 1e-12);
    EXPECT_NEAR(l_curve_point(points[4], true).second, 2, 1e-12);
    QVERIFY(!best_point({point(1, none, none, 0), point(2, none, none, 0), point(3, none, none, 0)},
                        rmse, true));
    // The best point by a measure of which more is better is the greatest.
    SweepMeasure more = rmse;
    more.smaller_is_better = false;
    more.label = "SSIM";
    const auto greatest = best_point({point(1, 0.3, 1, 1), point(2, 0.4, 1, 1)}, more, false);
    QVERIFY(greatest && greatest->point == 1 && greatest->reason == "greatest SSIM");
  }

  void theAxisOfAMeasuredScanIsThatOfTheSharpestSlice_data() {
    QTest::addColumn<bool>("half_turn");
    QTest::addColumn<QString>("solver");
    QTest::addColumn<bool>("nonnegative");
    QTest::addColumn<bool>("is_told");
    QTest::addRow("whole turn, FBP") << false << "fbp" << false << true;
    QTest::addRow("whole turn, SIRT") << false << "sirt" << true << true;
    QTest::addRow("half turn, FBP") << true << "fbp" << false << true;
    // Values above 0 alone do not tell the axis.
    QTest::addRow("half turn, SIRT above 0") << true << "sirt" << true << false;
  }
  void theAxisOfAMeasuredScanIsThatOfTheSharpestSlice() {
    QFETCH(bool, half_turn);
    QFETCH(QString, solver);
    QFETCH(bool, nonnegative);
    QFETCH(bool, is_told);
    const auto object = phantom("forbild_head");
    const Vec3 half = object->half_extent_mm();
    const double radius = std::max(half.x, half.y);
    constexpr int columns = 96;
    const int views = half_turn ? 60 : 120;
    constexpr double axis = 49.2;
    ScanSpec spec = default_scan(radius, 0, columns);
    if (half_turn) {
      spec.beam = Beam::parallel;
      spec.column_pitch_mm = spec.row_pitch_mm = 2.8 * radius / columns;
    }
    spec.view_angles_rad = angles_from_degrees(0, (half_turn ? 180.0 : 360.0) / views, views);
    spec.central_column = axis;
    const ScanGeometry truth(spec);
    const auto rays = test::measured(*object, truth, 1e4, object->is_section() ? 4 : 1);
    spec.central_column = 47.5;  // as the file states it
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.scan.json").toStdString();
    write_scan(path, ScanGeometry(spec), rays, "a scan");

    Workshop workshop;
    Experiment experiment;
    experiment.source.kind = SourceKind::scan;
    experiment.source.path = path;
    experiment.grid = VolumeGrid::centered(columns, columns, 1,
                                           {2.2 * radius / columns, 2.2 * radius / columns, 1});
    RunSpec run = run_spec(solver.toStdString(), solver == "fbp" ? 1 : 8);
    if (solver == "sirt") run.solver_params.set("nonnegative", nonnegative);
    experiment.runs = {run};
    const auto data = prepare_data(experiment, workshop.catalog, workshop.cpu());
    const auto params = sweep_params(experiment, 0, data.get(), workshop.catalog);
    const auto column = std::ranges::find_if(params, &SweepParam::is_central_column);
    QVERIFY(column != params.end() && column->spec.key == "central_column");
    const Interrupt interrupt;
    std::vector<SweepPoint> points;
    sweep(experiment, 0, *column, {46.2, 47.7, 49.2, 50.7, 52.2}, run.iterations, data,
          {MetricsSpec{}, workshop.catalog, workshop.backends, interrupt},
          [&](SweepPoint one) { points.push_back(std::move(one)); });
    const auto all = sweep_measures(workshop.catalog);
    const SweepMeasure& measure = all[usual_measure(all, &*column, *data)];
    QCOMPARE(measure.label, std::string(half_turn ? "Negative values" : "Sharpness"));
    const auto best = best_point(points, measure, false);
    QCOMPARE(best.has_value(), is_told);
    if (best) QCOMPARE(best->point, std::size_t{2});
  }

  /// The gradient of a ramp is its slope.
  void theSharpnessOfASlopeIsItsSlope() {
    const VolumeGrid grid = VolumeGrid::centered(20, 20, 3, {0.5, 0.5, 1});
    std::vector<float> mu(grid.voxels(), 1e6F);  // the other slices do not count
    for (int iy = 0; iy < 20; ++iy)
      for (int ix = 0; ix < 20; ++ix)
        mu[grid.index(ix, iy, 1)] = 0.25F * static_cast<float>(ix) - 1.0F;
    const SliceSharpness found = middle_slice_sharpness(mu, grid);
    EXPECT_NEAR(found.gradient, 0.5, 1e-6);
    QVERIFY(found.negativity > 0);
  }

  void theUsualMeasureFollowsTheDataAndTheParameter() {
    Workshop workshop;
    const auto all = sweep_measures(workshop.catalog);
    const auto label = [&](const SweepParam* param, const ExperimentData& data) {
      return all[usual_measure(all, param, data)].label;
    };
    const auto data = small_data(workshop);
    SweepParam axis{SweepParam::Of::scan, {}, 0, {}, 0};
    axis.spec.key = "central_column";
    QCOMPARE(label(&axis, *data), std::string("RMSE"));
    ExperimentData measured = *data;
    measured.reference = nullptr;
    QCOMPARE(label(nullptr, measured), std::string("Residual"));
    QCOMPARE(label(&axis, measured), std::string("Sharpness"));
    axis.of = SweepParam::Of::solver;
    QCOMPARE(label(&axis, measured), std::string("Residual"));
  }
};

GANTRY_TEST(TestSweepMeasure)
#include "test_sweep_measure.moc"
