// What both sides of the axis show alike: the correction of rings keeps it as structure of the
// object, says so, and takes it for rings on request.
#include "core/catalog/catalog.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestRingsSymmetry : public QObject {
  Q_OBJECT
  Catalog catalog_;

  struct Corrected {
    std::vector<float> values;
    std::string note;
  };
  Corrected corrected(const ScanGeometry& scan, std::vector<float> values,
                      const Params& params = {}) {
    const auto notes = catalog_.corrections.make("rings", "cpu", scan, params)->apply(values);
    return {std::move(values), notes.at(0)};
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// A wall that is about as wide as a column has other profiles on both sides of the axis unless
  /// the axis is on a whole or half column. It keeps its height wherever it is;
  /// of single columns, up to 0.65 of the height was lost.
  void narrowWallsKeepTheirHeight_data() {
    QTest::addColumn<double>("axis");
    QTest::addColumn<double>("wall");
    for (const double axis : {120.0, 120.125, 120.25, 120.375, 120.5, 120.75})
      for (const double wall : {1.0, 1.5, 3.0})
        QTest::addRow("axis at %g, %g columns", axis, wall) << axis << wall;
  }
  void narrowWallsKeepTheirHeight() {
    QFETCH(double, axis);
    QFETCH(double, wall);
    SinogramCase scan;
    scan.columns = 256;
    ScanSpec spec = scan.geometry().spec();
    spec.central_column = axis;
    for (const double radius : {60.0, 80.3, 90.6}) {
      std::mt19937 engine(5);
      std::normal_distribution<double> noise(0, 0.003);
      std::vector<float> before;
      double height = 0;
      for (const double angle : spec.view_angles_rad)
        for (int column = 0; column < scan.columns; ++column) {
          const double t = column - axis, beside = t - 30 * std::cos(angle) - 17 * std::sin(angle),
                       of_wall = 0.02 * (SinogramCase::chord(t, radius) -
                                         SinogramCase::chord(t, radius - wall));
          height = std::max(height, of_wall);
          before.push_back(static_cast<float>(of_wall + 0.002 * SinogramCase::chord(beside, 25) +
                                              noise(engine)));
        }
      const auto [after, note] = corrected(ScanGeometry(spec), before);
      double most = 0;
      for (int column = 0; column < scan.columns; ++column)
        most = std::max(most, std::abs(scan.excess(after, before, 0, column)));
      QVERIFY2(most < 0.1 * height, qPrintable(QStringLiteral("radius %1: %2 of the height is lost")
                                                   .arg(radius)
                                                   .arg(most / height)));
      QVERIFY2(note.find("stayed as structure of the object") != std::string::npos, note.c_str());
    }
  }

  /// Gaps of a detector at mirror images look like such walls, and disappear on request.
  void mirroredGapsDisappearOnRequest() {
    const SinogramCase scan;  // whose axis is at 255.5
    constexpr int width = 4;
    const std::vector<int> gaps = {126, 254, 382};
    const std::vector<float> without = scan.line_integrals();
    std::vector<float> with = without;
    for (int view = 0; view < scan.views; ++view)
      for (const int gap : gaps)
        for (int k = 0; k < width; ++k) with[scan.index(view, 0, gap + k)] += 0.1F;
    const auto most_left = [&](const std::vector<float>& after, const std::vector<float>& clean) {
      double most = 0;
      for (const int gap : gaps)
        for (int k = 0; k < width; ++k)
          most = std::max(most, std::abs(scan.excess(after, clean, 0, gap + k)));
      return most;
    };
    const ScanGeometry geometry = scan.geometry();
    const Corrected kept = corrected(geometry, with);
    QVERIFY2(most_left(kept.values, corrected(geometry, without).values) > 0.05,
             "such gaps are told from a tube: the parameter is no longer needed");
    QVERIFY2(kept.note.find("set keep_symmetric=false") != std::string::npos, kept.note.c_str());
    const Params all_are_rings = {{"keep_symmetric", false}};
    const Corrected after = corrected(geometry, with, all_are_rings);
    const double left = most_left(after.values, corrected(geometry, without, all_are_rings).values);
    QVERIFY2(left < 0.01, QByteArray::number(left));
    QVERIFY2(after.note.find("stayed") == std::string::npos, after.note.c_str());
  }

  /// A scan of half a turn without anything about the axis has no such columns.
  void nothingIsSaidWithoutSymmetry() {
    SinogramCase scan;
    ScanSpec spec = scan.geometry().spec();
    spec.central_column = 231.3;
    const std::string note = corrected(ScanGeometry(spec), scan.line_integrals()).note;
    QVERIFY2(note.find("stayed") == std::string::npos, note.c_str());
  }
};

GANTRY_TEST(TestRingsSymmetry)
#include "test_rings_symmetry.moc"
