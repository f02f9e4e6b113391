// A sweep of a correction's parameter: slices of the middle row, each of data that were corrected
// with another value.
#include "core/centring/row_slices.hpp"
#include "core/worker/sweep/sweep.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestCorrectedSlices : public QObject, DataFixture {
  Q_OBJECT
  static constexpr int rows = 5, columns = 40, views = 24, added = 3;

  /// A scan of several rows, with columns that the import adds.
  Experiment experiment(Beam beam, const std::vector<CorrectionSpec>& corrections) {
    ScanSpec spec = fan_spec(views, columns, 4);
    spec.beam = beam;
    spec.detector_rows = rows;
    spec.central_row = 2;
    if (beam == Beam::parallel) spec.source_to_isocenter_mm = spec.source_to_detector_mm = 0;
    const ScanGeometry geometry(spec);
    write_scan(path("rows.scan.json"), geometry, random_values(geometry.rays(), 3), "a scan");
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = path("rows.scan.json");
    e.source.import_settings.padding = {added, PadValues::fade};
    e.corrections = corrections;
    RunSpec run;
    run.solver = "sirt";
    run.iterations = 100000;
    e.runs = {run};
    return e;
  }
  SweepParam param(const Experiment& e, const ExperimentData& data, const std::string& id) {
    const auto params = sweep_params(e, 0, &data, workshop_.catalog);
    const auto found = std::ranges::find(params, id, &SweepParam::id);
    if (found == params.end()) qFatal("no parameter %s", id.c_str());
    return *found;
  }
  std::vector<SweepPoint> swept(const Experiment& e, const SweepParam& param,
                                const std::vector<double>& values,
                                const std::shared_ptr<const ExperimentData>& data) {
    const Interrupt interrupt;
    std::vector<SweepPoint> points;
    sweep(e, 0, param, values, 100000, data,
          {MetricsSpec{}, workshop_.catalog, workshop_.backends, interrupt},
          [&](SweepPoint one) { points.push_back(std::move(one)); });
    return points;
  }

 private slots:
  void theyAreOfTheDataThatRunsWouldUse_data() {
    QTest::addColumn<Beam>("beam");
    QTest::addColumn<std::vector<CorrectionSpec>>("corrections");
    QTest::addColumn<QString>("id");
    QTest::addColumn<std::vector<double>>("values");
    using Steps = std::vector<CorrectionSpec>;
    const CorrectionSpec hardening{"beam_hardening", {{"a2", 0.1}}}, rings{"rings", {}},
        air{"drift", {{"left", 2}, {"right", 2}}}, off{"scale", {{"factor", 9.0}}, true};
    QTest::newRow("each value by itself")
        << Beam::parallel << Steps{off, hardening} << "correction:1:a2"
        << std::vector<double>{-0.05, 0, 0.2};
    QTest::newRow("the sinogram of a row") << Beam::parallel << Steps{hardening, rings}
                                           << "correction:1:snr" << std::vector<double>{1.5, 30};
    QTest::newRow("the whole detector")
        << Beam::parallel << Steps{air, rings} << "correction:0:left" << std::vector<double>{1, 6};
    QTest::newRow("the whole detector afterwards")
        << Beam::parallel << Steps{hardening, air} << "correction:0:a2"
        << std::vector<double>{0, 0.2};
    QTest::newRow("cone beam") << Beam::cone << Steps{hardening, rings} << "correction:0:a2"
                               << std::vector<double>{0, 0.2};
  }
  void theyAreOfTheDataThatRunsWouldUse() {
    QFETCH(const Beam, beam);
    QFETCH(const std::vector<CorrectionSpec>, corrections);
    QFETCH(const QString, id);
    QFETCH(const std::vector<double>, values);
    const Experiment e = experiment(beam, corrections);
    const auto data = prepare(e);
    const SweepParam swept_param = param(e, *data, id.toStdString());
    const auto points = swept(e, swept_param, values, data);
    QCOMPARE(points.size(), values.size());
    constexpr int wide = columns + 2 * added;
    for (std::size_t k = 0; k < values.size(); ++k) {
      QVERIFY2(points[k].problem.empty(), points[k].problem.c_str());
      const auto whole = prepare(with_value(e, 0, swept_param, values[k]));
      const ExperimentData& row = *points[k].data;
      QCOMPARE(row.geometry->rows(), 1);
      QCOMPARE(row.line_integrals.size(), static_cast<std::size_t>(views * wide));
      for (int view = 0; view < views; ++view)
        for (int column = 0; column < wide; ++column)
          QCOMPARE(
              row.line_integrals[static_cast<std::size_t>(view * wide + column)],
              whole->line_integrals[static_cast<std::size_t>((view * rows + 2) * wide + column)]);
      QCOMPARE(points[k].image.size(), row.grid.voxels());
      QCOMPARE(row.grid.nz, 1);
      QVERIFY(points[k].run == e.runs[0]);
    }
    QVERIFY(points[0].image != points[1].image);
  }

  /// Another tilt of the detector gives slices of the row as it lies on the tilted detector,
  /// whatever the run is, and no data of their own.
  void aTiltIsShownByTheMiddleRow() {
    const Experiment e = experiment(Beam::cone, {});
    const auto data = prepare(e);
    const auto points =
        swept(e, param(e, *data, "scan:detector_tilt_deg"), {-0.4, 0, 0.4, 12}, data);
    QCOMPARE(points.size(), 4U);
    for (const std::size_t k : {0U, 1U, 2U}) {
      QVERIFY2(points[k].problem.empty(), points[k].problem.c_str());
      const auto row = middle_row(*data->geometry, data->line_integrals, columns + 2 * added, views,
                                  radians(points[k].value));
      QVERIFY(points[k].data->line_integrals == row->line_integrals);
      QVERIFY(points[k].run == e.runs[0]);
    }
    QVERIFY(points[0].image != points[1].image && points[0].image != points[2].image);
    QVERIFY(points[3].image.empty() && points[3].problem.find("too few rows") != std::string::npos);
  }

  /// The limits of a coefficient, -1000 to 1000, say nothing of what is useful.
  void theRangeIsNearThePresentValue() {
    const Experiment e = experiment(
        Beam::parallel, {{"beam_hardening", {}}, {"scatter", {}}, {"rings", {{"snr", 4.0}}}});
    const auto data = prepare(e);
    const auto range = [&](const char* id) { return *range_to_sweep(param(e, *data, id)); };
    EXPECT_NEAR(range("correction:0:a1").low, 0.9, 1e-12);
    EXPECT_NEAR(range("correction:0:a1").high, 1.1, 1e-12);
    EXPECT_NEAR(range("correction:0:a2").low, -0.1, 1e-12);
    EXPECT_NEAR(range("correction:0:a2").high, 0.1, 1e-12);
    EXPECT_NEAR(range("correction:0:a3").high, 0.01, 1e-12);
    QVERIFY(!range("correction:0:a2").logarithmic);
    EXPECT_NEAR(range("correction:1:part").low, 0.002, 1e-12);
    EXPECT_NEAR(range("correction:1:part").high, 0.2, 1e-12);
    QVERIFY(range("correction:1:part").logarithmic);
    EXPECT_NEAR(range("correction:2:snr").low, 1.1, 1e-12);
    EXPECT_NEAR(range("correction:2:snr").high, 40, 1e-12);
    // Other parameters have the range that forms have.
    const SweepParam column = param(e, *data, "scan:central_column");
    EXPECT_NEAR(range_to_sweep(column)->low, column.present - 5, 1e-9);
  }
};

GANTRY_TEST(TestCorrectedSlices)
#include "test_corrected_slices.moc"
