// The axis of a scan that is imported without a flat, in a beam that is uneven.
#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestCentreWithoutFlat : public QObject {
  Q_OBJECT
  static constexpr int columns = 120, views = 90;
  static constexpr double centre = 55.3;

  /// Imports a disc about the axis, and one beside it, unless its mean attenuation is 0.
  static ImportedScan imported(double beside, bool has_flat) {
    const QTemporaryDir folder;
    const auto path = [&](const QString& name) { return folder.filePath(name).toStdString(); };
    const auto beam = [](int column) {
      const double x = (column - 0.5 * columns) / (0.5 * columns);
      return 40000 * (1 - 0.2 * x * x) * (1 + 0.05 * (column * 7919 % 1009 / 1009.0 - 0.5));
    };
    const auto disc = [](double t, double radius) {
      return std::sqrt(std::max(0.0, 1 - t * t / (radius * radius)));
    };
    for (int view = 0; view < views; ++view) {
      const double angle = 2 * std::acos(-1.0) * view / views;
      Page page;
      for (int column = 0; column < columns; ++column) {
        const double t = column - centre;
        page.push_back(static_cast<std::uint16_t>(
            beam(column) *
            std::exp(-disc(t, 30) - beside * disc(t - 20 * std::cos(angle + 0.3), 6))));
      }
      write_pages(path(QStringLiteral("p_%1.tif").arg(view)), {page}, columns);
    }
    Page flat;
    for (int column = 0; column < columns; ++column)
      flat.push_back(static_cast<std::uint16_t>(beam(column)));
    if (has_flat) write_pages(path("flat.tif"), {flat}, columns);
    ImportRequest request;
    request.path = folder.path().toStdString();
    request.arc_deg = 360;
    request.arc_is_open = true;
    return import_scan(request);
  }
  static std::string reason_for_centre(const ImportedScan& scan) {
    const auto found =
        std::ranges::find(scan.assumptions, std::string("centre of rotation"), &Assumption::what);
    return found == scan.assumptions.end() ? std::string() : found->why;
  }

 private slots:
  void changesTellTheAxis() {
    const ImportedScan scan = imported(0.5, false);
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, centre, 0.25);
    QVERIFY(reason_for_centre(scan).find("not certain") == std::string::npos);
    QVERIFY(scan.scan.lacks_flat);
  }
  void anAxisThatNoChangeConfirmsIsNotCertain() {
    const std::string reason = reason_for_centre(imported(0, false));
    QVERIFY2(reason.ends_with("; not certain without a flat"), reason.c_str());
  }
  void aFlatMakesItCertain() {
    const ImportedScan scan = imported(0, true);
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, centre, 0.1);
    QVERIFY(reason_for_centre(scan).find("not certain") == std::string::npos);
    QVERIFY(!scan.scan.lacks_flat);
  }
};

GANTRY_TEST(TestCentreWithoutFlat)
#include "test_centre_without_flat.moc"
