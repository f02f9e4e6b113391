// The axis of rotation from the centres of mass of the views of a parallel beam.
#include "core/alignment/centre_of_mass.hpp"
#include "core/base/error.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numbers>
#include <random>

using namespace gantry;
using namespace gantry::test;

class TestCentreOfMass : public QObject {
  Q_OBJECT

  static constexpr double axis_ = 61.3;
  static ScanSpec scan(double arc_deg, int views, int rows = 1) {
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 128;
    spec.detector_rows = rows;
    spec.column_pitch_mm = 1;
    spec.row_pitch_mm = 1;
    spec.central_column = axis_;
    spec.central_row = 0.5 * (rows - 1);
    for (int v = 0; v < views; ++v)
      spec.view_angles_rad.push_back(arc_deg * std::numbers::pi / 180 * v / views);
    return spec;
  }
  /// Returns the line integrals of two discs of 0.03/mm, in closed form, and noise.
  static std::vector<float> discs(const ScanGeometry& geometry, double noise, double size = 1) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, noise);
    std::vector<float> data;
    for (int view = 0; view < geometry.views(); ++view)
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column) {
          const Ray ray = geometry.ray(view, column, row);
          double sum = noise > 0 ? normal(random) : 0;
          for (const Vec3& disc : {Vec3{9, 4, 20 * size}, Vec3{-17, 11, 8 * size}}) {
            const double x = disc.x - ray.origin_mm.x, y = disc.y - ray.origin_mm.y,
                         away = x * ray.direction.y - y * ray.direction.x;
            if (std::abs(away) < disc.z) sum += 0.06 * std::sqrt(disc.z * disc.z - away * away);
          }
          data.push_back(static_cast<float>(sum));
        }
    return data;
  }

 private slots:
  void theAxisIsFound_data() {
    QTest::addColumn<double>("arc");
    QTest::addColumn<int>("rows");
    QTest::addColumn<double>("noise");
    QTest::addColumn<double>("off");
    QTest::newRow("100 degrees, exact") << 100.0 << 1 << 0.0 << 0.02;
    QTest::newRow("170 degrees, exact") << 170.0 << 1 << 0.0 << 0.01;
    QTest::newRow("170 degrees, 1e4 photons") << 170.0 << 3 << 0.015 << 0.05;
    QTest::newRow("noise above a twentieth of the values") << 170.0 << 1 << 0.08 << 0.2;
    QTest::newRow("a turn") << 360.0 << 1 << 0.015 << 0.03;
  }
  void theAxisIsFound() {
    QFETCH(double, arc);
    QFETCH(int, rows);
    QFETCH(double, noise);
    QFETCH(double, off);
    const ScanGeometry geometry(scan(arc, 120, rows));
    const auto found = centre_from_mass(geometry, discs(geometry, noise));
    QVERIFY(found);
    EXPECT_NEAR(found->column, axis_, off);
    QVERIFY(std::abs(found->column - axis_) <= 3 * found->spread + 0.005);
  }

  /// Flats that are 1 % too bright add the same to all line integrals.
  void anErrorOfTheFlatsDoesNotMoveIt() {
    const ScanGeometry geometry(scan(170, 120));
    std::vector<float> data = discs(geometry, 0);
    for (float& value : data) value += 0.01F;
    const auto found = centre_from_mass(geometry, data);
    QVERIFY(found);
    EXPECT_NEAR(found->column, axis_, 0.01);
  }

  void scansThatTellNoneAreRefused() {
    const ScanGeometry arc(scan(170, 120)), narrow(scan(80, 60)), fan(fan_spec(60, 90, 2));
    QVERIFY(centre_from_mass(arc, discs(arc, 0)));
    QVERIFY(!centre_from_mass(narrow, discs(narrow, 0)));
    QVERIFY(!centre_from_mass(arc, discs(arc, 0, 2.6)));  // reaches beyond the detector
    QCOMPARE(why_no_mass(arc, discs(arc, 0, 2.6)),
             std::string("no air is seen on the left or on the right"));
    QVERIFY(!centre_from_mass(arc, discs(arc, 3)));
    QCOMPARE(why_no_mass(arc, discs(arc, 3)), std::string("noise hides where the object ends"));
    QVERIFY(!centre_from_mass(fan, discs(fan, 0)));
    std::vector<float> data = discs(arc, 0);
    for (std::size_t i = 0; i < data.size() / 2; ++i) data[i] *= 1.3F;  // unequal masses
    QVERIFY(!centre_from_mass(arc, data));
    QVERIFY(why_no_mass(arc, data).starts_with("the masses of the views differ by 13"));
    data.pop_back();
    EXPECT_THROWS(ShapeError, centre_from_mass(arc, data), "not those of the geometry");
  }
};

GANTRY_TEST(TestCentreOfMass)
#include "test_centre_of_mass.moc"
