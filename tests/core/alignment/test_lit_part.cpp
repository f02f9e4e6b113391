// The part of a detector that the beam reaches: covered margins, and the rim of a round screen,
// pretend another axis.
#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/lit_part.hpp"
#include "core/centring/turning_views.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <array>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Two cylinders along the axis, which is beside the middle of a round screen.
struct RoundScreen {
  static constexpr int columns = 64, rows = 48, views = 61;
  static constexpr double axis = 22.3, radius = 29;

  static bool is_lit(int row, int column) {
    return std::hypot(row - (rows - 1) / 2.0, column - (columns - 1) / 2.0) < radius;
  }
  static ScanGeometry geometry() {
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = columns;
    spec.detector_rows = rows;
    spec.column_pitch_mm = spec.row_pitch_mm = 1;
    spec.central_column = (columns - 1) / 2.0;
    spec.central_row = (rows - 1) / 2.0;
    for (int i = 0; i < views; ++i) spec.view_angles_rad.push_back(pi * i / (views - 1));
    return ScanGeometry(spec);
  }
  static double integral(double angle, int column) {
    double sum = 0;
    for (const auto& [x, y, r] : {std::array{0.0, 0.0, 15.0}, std::array{6.0, 5.0, 4.0}}) {
      const double off = column - axis - x * std::cos(angle) - y * std::sin(angle);
      sum += r * r > off * off ? 0.04 * std::sqrt(r * r - off * off) : 0;
    }
    return sum;
  }
  /// `is_round`: cells beside the screen are 0.
  static std::vector<float> line_integrals(bool is_round) {
    const ScanGeometry scan = geometry();
    std::vector<float> values;
    for (int view = 0; view < views; ++view)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          values.push_back(is_round && !is_lit(row, column)
                               ? 0
                               : static_cast<float>(integral(scan.angle_rad(view), column) +
                                                    ((row + column) % 2 == 0 ? 1e-4 : -1e-4)));
    return values;
  }
};

}  // namespace

class TestLitPart : public QObject {
  Q_OBJECT

 private slots:
  void rowsOfTheMiddleTellTheAxis() {
    const ScanGeometry scan = RoundScreen::geometry();
    const std::vector<float> values = RoundScreen::line_integrals(true);
    const auto whole = centre_from_data(scan, values);
    QVERIFY(whole && std::abs(whole->column - RoundScreen::axis) > 0.2);
    const TurningViews views(scan, values);
    QVERIFY(views.geometry().rows() < RoundScreen::rows / 2);
    EXPECT_NEAR(views.geometry().spec().central_row, (views.geometry().rows() - 1) / 2.0, 0.5);
    const auto lit = centre_from_data(views.geometry(), views.line_integrals());
    QVERIFY(lit.has_value());
    EXPECT_NEAR(lit->column + views.column_offset(), RoundScreen::axis, 0.1);
  }

  void allRowsOfAnotherScanCount() {
    const ScanGeometry scan = RoundScreen::geometry();
    std::vector<float> values = RoundScreen::line_integrals(false);
    QVERIFY(!lit_part(scan, values));
    // A cell that shows nothing in one view, or one that never does, is no rim.
    values[5] = 0;
    for (std::size_t at = 700; at < values.size(); at += scan.cells()) values[at] = 0;
    QVERIFY(!lit_part(scan, values));
  }

  /// Without noise, air that the object never reaches is 0 in all views, and is no margin.
  void airOfASimulationIsLit() {
    const ScanGeometry scan = RoundScreen::geometry();
    std::vector<float> values;
    for (int view = 0; view < RoundScreen::views; ++view)
      for (int row = 0; row < RoundScreen::rows; ++row)
        for (int column = 0; column < RoundScreen::columns; ++column) {
          const double off = column - RoundScreen::axis - 8 * std::cos(scan.angle_rad(view));
          values.push_back(off * off < 16 ? static_cast<float>(std::sqrt(16 - off * off)) : 0);
        }
    QVERIFY(!lit_part(scan, values));
  }

  /// Behind a slit, the rows that see the beam.
  void aSlit() {
    const ScanGeometry scan = RoundScreen::geometry();
    std::vector<float> values = RoundScreen::line_integrals(false);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t row = i / RoundScreen::columns % RoundScreen::rows;
      if (row < 10 || row >= 31) values[i] = 0;
    }
    const auto lit = lit_part(scan, values);
    QVERIFY(lit.has_value());
    const ScanSpec& part = lit->views.scan;
    QCOMPARE(part.detector_rows, 21);
    QCOMPARE(part.detector_columns, int{RoundScreen::columns});
    EXPECT_NEAR(part.central_row, 23.5 - 10, 0);
    QCOMPARE(lit->first_column, 0);
    QCOMPARE(lit->views.line_integrals.size(),
             std::size_t{21} * RoundScreen::columns * RoundScreen::views);
    QCOMPARE(lit->views.line_integrals[20 * RoundScreen::columns + 30],
             values[30 * RoundScreen::columns + 30]);
  }

  /// Columns that are covered at both ends would pretend an axis between them.
  void coveredColumns() {
    const ScanGeometry scan = RoundScreen::geometry();
    std::vector<float> values = RoundScreen::line_integrals(false);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t column = i % RoundScreen::columns;
      if (column < 11 || column >= 60) values[i] = 0;
    }
    const TurningViews views(scan, values);
    QCOMPARE(views.geometry().columns(), 49);
    QCOMPARE(views.geometry().rows(), int{RoundScreen::rows});
    QCOMPARE(views.column_offset(), 11.0);
    const auto lit = centre_from_data(views.geometry(), views.line_integrals());
    QVERIFY(lit.has_value());
    EXPECT_NEAR(lit->column + views.column_offset(), RoundScreen::axis, 0.1);
  }
};

GANTRY_TEST(TestLitPart)
#include "test_lit_part.moc"
