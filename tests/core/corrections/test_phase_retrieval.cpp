// Phase retrieval against its closed form: cosines that the mirrored views continue.
#include "core/catalog/catalog.hpp"
#include "core/corrections/phase_retrieval.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int views = 3, columns = 36;
constexpr double distance_mm = 400, energy_kev = 20, ratio = 300;
const Params params = {
    {"distance_mm", distance_mm}, {"energy_kev", energy_kev}, {"delta_over_beta", ratio}};

ScanSpec parallel_scan(int rows) {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.column_pitch_mm = 0.02;
  spec.row_pitch_mm = 0.03;
  spec.central_column = 0.5 * (columns - 1);
  spec.central_row = 0.5 * (rows - 1);
  spec.view_angles_rad = angles_from_degrees(0, 60, views);
  return spec;
}

/// z lambda (delta / beta) / (4 pi), mm^2, with h c = 12.39841984 keV Angstrom.
double strength(double z_mm) { return z_mm * 12.39841984e-7 / energy_kev * ratio / (4 * M_PI); }

/// A transmission with one wave across and one down, of other amplitudes in each view.
double transmission(int view, int column, int row, int rows, double across, double down) {
  const double a = std::cos(3 * M_PI * (column + 0.5) / columns),
               b = std::cos(2 * M_PI * (row + 0.5) / rows);
  return 0.5 + 0.08 * (view + 1) * (across * a + down * b);
}

std::vector<float> line_integrals(int rows, double across, double down) {
  std::vector<float> values;
  for (int view = 0; view < views; ++view)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        values.push_back(
            static_cast<float>(-std::log(transmission(view, column, row, rows, across, down))));
  return values;
}

double wave_number(int half_waves, int cells, double pitch_mm) {
  return M_PI * half_waves / (cells * pitch_mm);
}

}  // namespace

class TestPhaseRetrieval : public QObject {
  Q_OBJECT

 private slots:
  void wavesAreDamped_data() {
    QTest::addColumn<int>("rows");
    QTest::addRow("views of 20 rows") << 20;
    QTest::addRow("a single row") << 1;
  }
  void wavesAreDamped() {
    QFETCH(int, rows);
    const double k = wave_number(3, columns, 0.02), l = wave_number(2, rows, 0.03),
                 down = rows > 1 ? 0.7 : 0;
    std::vector<float> values = line_integrals(rows, 1, down);
    make_phase_retrieval(ScanGeometry(parallel_scan(rows)), params)->apply(values);
    const std::vector<float> expected = line_integrals(
        rows, 1 / (1 + strength(distance_mm) * k * k), down / (1 + strength(distance_mm) * l * l));
    QVERIFY(strength(distance_mm) * k * k > 0.03);  // else nothing was to be seen
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 2e-6);
  }

  /// A diverging beam of the magnification 2: half the distance, and cells of half the size.
  void aConeIsScaledToTheAxis() {
    constexpr int rows = 20;
    ScanSpec spec = parallel_scan(rows);
    spec.beam = Beam::cone;
    spec.source_to_isocenter_mm = 100;
    spec.source_to_detector_mm = 200;
    const double k = wave_number(3, columns, 0.01);
    std::vector<float> values = line_integrals(rows, 1, 0);
    make_phase_retrieval(ScanGeometry(spec), params)->apply(values);
    const std::vector<float> expected =
        line_integrals(rows, 1 / (1 + strength(distance_mm / 2) * k * k), 0);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 2e-6);
  }

  /// The geometry of a cone states the distance; one that contradicts it is noted.
  void theDistanceOfTheGeometry_data() {
    QTest::addColumn<bool>("cone");
    QTest::addColumn<double>("given");
    QTest::addColumn<double>("taken");
    QTest::addColumn<QString>("note");
    QTest::addRow("cone, not given")
        << true << 0.0 << 400.0 << "the distance from the axis to the detector";
    QTest::addRow("cone, the same") << true << 400.0 << 400.0 << "";
    QTest::addRow("cone, another") << true << 100.0 << 100.0
                                   << "\"distance_mm\" is 100 mm, but the detector "
                                      "is 400 mm from the axis by the geometry";
    QTest::addRow("parallel, not given")
        << false << 0.0 << 100.0 << "neither \"distance_mm\" nor the geometry of the parallel beam";
    QTest::addRow("parallel, given") << false << 400.0 << 400.0 << "";
  }
  void theDistanceOfTheGeometry() {
    QFETCH(bool, cone);
    QFETCH(double, given);
    QFETCH(double, taken);
    QFETCH(QString, note);
    constexpr int rows = 20;
    ScanSpec spec = parallel_scan(rows);
    if (cone) {
      spec.beam = Beam::cone;
      spec.source_to_isocenter_mm = 400;
      spec.source_to_detector_mm = 800;
    }
    const double magnification = cone ? 2 : 1, k = wave_number(3, columns, 0.02 / magnification);
    Params with = params;
    with.set("distance_mm", given);
    std::vector<float> values = line_integrals(rows, 1, 0);
    const std::vector<std::string> notes =
        make_phase_retrieval(ScanGeometry(spec), with)->apply(values);
    const std::vector<float> expected =
        line_integrals(rows, 1 / (1 + strength(taken / magnification) * k * k), 0);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 2e-6);
    QCOMPARE(notes.size(), note.isEmpty() ? 1U : 2U);
    QVERIFY(notes.back().starts_with(note.toStdString()));
    QCOMPARE(resolve_params({}, phase_retrieval_params(), "x").real("distance_mm"), 0.0);
  }

  void withoutAPhaseNothingChanges() {
    Params none = params;
    none.set("delta_over_beta", 0.0);
    std::vector<float> values = line_integrals(20, 1, 0.7);
    const std::vector<float> before = values;
    make_phase_retrieval(ScanGeometry(parallel_scan(20)), none)->apply(values);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], before[i], 2e-6);
  }
};

GANTRY_TEST(TestPhaseRetrieval)
#include "test_phase_retrieval.moc"
