// The axis of rotation of fan and cone beams from rays that were measured from both sides.
#include "core/alignment/centre_from_data.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <utility>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A head scan with its axis at a column that is not the middle.
ScanSpec head_scan(int columns, int views, double arc_deg) {
  const Vec3 half = phantom("forbild_head")->half_extent_mm();
  ScanSpec spec = default_scan(std::max(half.x, half.y), 0, columns);
  spec.view_angles_rad = angles_from_degrees(17, arc_deg / views, views);
  return spec;
}

}  // namespace

class TestConjugateRays : public QObject {
  Q_OBJECT
 private slots:
  void theAxisIsFound_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("arc");
    QTest::addColumn<double>("part");  // of the columns left of the axis
    QTest::addColumn<double>("photons");
    constexpr int flat = static_cast<int>(DetectorShape::flat),
                  arc = static_cast<int>(DetectorShape::arc);
    QTest::addRow("flat") << flat << 360.0 << 0.513 << 0.0;
    QTest::addRow("flat, 10 000 photons") << flat << 360.0 << 0.4877 << 1e4;
    QTest::addRow("flat, whole turn the other way") << flat << -360.0 << 0.513 << 1e4;
    QTest::addRow("arc, 10 000 photons") << arc << 360.0 << 0.5061 << 1e4;
    QTest::addRow("half fan, 10 000 photons") << flat << 360.0 << 0.1312 << 1e4;
    QTest::addRow("half fan to the other side, 10 000 photons") << flat << 360.0 << 0.8927 << 1e4;
    QTest::addRow("short scan, 10 000 photons") << flat << 225.0 << 0.5052 << 1e4;
  }
  void theAxisIsFound() {
    QFETCH(int, shape);
    QFETCH(double, arc);
    QFETCH(double, part);
    QFETCH(double, photons);
    ScanSpec spec = head_scan(512, 360, arc);
    spec.detector = static_cast<DetectorShape>(shape);
    spec.central_column = part * spec.detector_columns;
    const ScanGeometry scan(spec);
    const auto found = centre_from_conjugate_rays(
        with_axis_in_the_middle(spec), measured(*phantom("forbild_head"), scan, photons));
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f, mismatch %.2g", found->column, spec.central_column,
          found->spread, found->mismatch);
    EXPECT_NEAR(found->column, spec.central_column, 0.1);
    QVERIFY(found->spread < 0.2);
  }

  /// The rows in the plane of the source tell the axis of a cone beam.
  void theAxisOfAConeBeamIsFound() {
    const auto head = phantom("forbild_head_3d");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 2 * half.z, 256);
    spec.view_angles_rad = angles_from_degrees(0, 2, 180);
    spec.central_column = 121.37;
    QVERIFY(spec.beam == Beam::cone && spec.detector_rows > 50);
    const std::vector<float> p = measured(*head, ScanGeometry(spec), 1e4);
    const auto found = centre_from_data(with_axis_in_the_middle(spec), p);
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, spec.central_column, 0.1);
    spec.central_row = -40;  // no row lies in the plane of the source
    QVERIFY(!centre_from_conjugate_rays(ScanGeometry(spec), p));
  }

  /// A detector that reaches beyond the axis on one side by few columns: the columns at its edge
  /// are a large part of those that are compared, so that whatever smoothing does there moves the
  /// axis.
  void theAxisOfAHalfConeIsFound_data() {
    QTest::addColumn<QString>("object");
    QTest::addColumn<double>("column");
    QTest::addColumn<double>("photons");
    for (const char* object : {"shepp_logan_ks", "forbild_head_3d"})
      for (const double column : {14.3, 134.7})
        for (const double photons : {0.0, 1e4})
          QTest::addRow("%s, column %g, %g photons", object, column, photons)
              << object << column << photons;
  }
  void theAxisOfAHalfConeIsFound() {
    QFETCH(QString, object);
    QFETCH(double, column);
    QFETCH(double, photons);
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.source_to_isocenter_mm = 500;
    spec.source_to_detector_mm = 800;
    spec.detector_columns = 150;
    spec.detector_rows = 6;
    spec.column_pitch_mm = spec.row_pitch_mm = 2.3;
    spec.central_column = column;
    spec.central_row = 2.2;
    spec.view_angles_rad = angles_from_degrees(0, 1, 360);
    const auto found = centre_from_conjugate_rays(
        with_axis_in_the_middle(spec),
        measured(*phantom(object.toStdString()), ScanGeometry(spec), photons));
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f, mismatch %.2g", found->column, column, found->spread,
          found->mismatch);
    EXPECT_NEAR(found->column, column, photons > 0 ? 0.05 : 0.02);
  }

  /// A beam that is weaker at the edges, and cells of unequal gain: without a flat both are in all
  /// views, and pretend an axis near the middle or the edge.
  void theAxisIsFoundWithoutAFlat_data() {
    QTest::addColumn<double>("arc");
    QTest::addColumn<double>("part");
    QTest::addRow("whole turn") << 360.0 << 0.44;
    QTest::addRow("short scan") << 225.0 << 0.5634;
  }
  void theAxisIsFoundWithoutAFlat() {
    QFETCH(double, arc);
    QFETCH(double, part);
    ScanSpec spec = head_scan(256, 240, arc);
    spec.central_column = part * spec.detector_columns;
    const ScanGeometry guess = with_axis_in_the_middle(spec);
    std::vector<float> p = measured(*phantom("forbild_head"), ScanGeometry(spec), 0);
    for (float& value : p) value *= 0.12F;  // a small object
    p = with_noise(std::move(p), 1e4);
    const auto with_flat = centre_without_flat(guess, p);
    QVERIFY(with_flat && with_flat->is_certain);
    EXPECT_NEAR(with_flat->estimate.column, spec.central_column, 0.1);
    add_uneven_beam(p, spec.detector_columns);
    const auto of_values = centre_from_conjugate_rays(guess, p);
    QVERIFY(!of_values || std::abs(of_values->column - spec.central_column) > 0.5);
    const auto found = centre_without_flat(guess, p);
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f", found->estimate.column, spec.central_column,
          found->estimate.spread);
    QVERIFY(found->is_certain);
    EXPECT_NEAR(found->estimate.column, spec.central_column, 0.15);
  }

  void otherScansTellNothing() {
    // Over a third of a turn, no line is measured from both sides.
    const ScanSpec third = head_scan(128, 60, 120);
    const std::vector<float> p = measured(*phantom("forbild_head"), ScanGeometry(third), 0);
    QVERIFY(!centre_from_conjugate_rays(ScanGeometry(third), p));
    // Views of different objects match nowhere.
    ScanSpec whole = head_scan(128, 60, 360);
    std::vector<float> odd = measured(*phantom("forbild_head"), ScanGeometry(whole), 0);
    for (std::size_t i = 0; i < odd.size(); ++i)
      if (i / 128 % 2 == 0) odd[i] = static_cast<float>(i * 7919 % 1000) * 1e-3F;
    QVERIFY(!centre_from_conjugate_rays(ScanGeometry(whole), odd));
    whole.beam = Beam::parallel;
    QVERIFY(!centre_from_conjugate_rays(ScanGeometry(whole), odd));
    EXPECT_THROWS(ShapeError,
                  centre_from_conjugate_rays(ScanGeometry(third), std::vector<float>(3)),
                  "geometry");
  }

  void nothingIsFoundInAir() {
    const ScanGeometry scan(head_scan(128, 60, 360));
    QVERIFY(!centre_from_conjugate_rays(scan, std::vector<float>(scan.rays())));
  }
};

GANTRY_TEST(TestConjugateRays)
#include "test_conjugate_rays.moc"
