// The axis that an import finds, and how certain it says it is: without a flat, in a beam that is
// uneven, and by steps that are too coarse for the object.
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
  /// Imports half a turn without its end, with a flat, of a body that reaches beyond the detector.
  static ImportedScan imported_in_part(int views) {
    constexpr int width = 256;
    const QTemporaryDir folder;
    const auto path = [&](const QString& name) { return folder.filePath(name).toStdString(); };
    struct Rod {
      double x, y, radius, mu;
    };
    for (int view = 0; view < views; ++view) {
      const double angle = std::acos(-1.0) * view / views;
      Page page;
      for (int column = 0; column < width; ++column) {
        double sum = 0;
        for (const Rod& rod :
             {Rod{26, 13, 205, 0.003}, Rod{128, 77, 15, 0.016}, Rod{-51, 141, 20, 0.016},
              Rod{26, -154, 13, 0.016}, Rod{-128, -51, 26, 0.012}, Rod{51, 26, 10, 0.016}}) {
          const double t = column - 128.3 - rod.x * std::cos(angle) - rod.y * std::sin(angle);
          sum += 2 * rod.mu * std::sqrt(std::max(0.0, rod.radius * rod.radius - t * t));
        }
        page.push_back(static_cast<std::uint16_t>(60000 * std::exp(-sum)));
      }
      write_pages(path(QStringLiteral("p_%1.tif").arg(view, 3, 10, QLatin1Char('0'))), {page},
                  width);
    }
    write_pages(path("flat.tif"), {Page(width, 60000)}, width);
    ImportRequest request;
    request.path = folder.path().toStdString();
    request.arc_deg = 180;
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
  void partsThatDisagreeAreSaid() {
    const std::string coarse = reason_for_centre(imported_in_part(36)),
                      fine = reason_for_centre(imported_in_part(180));
    QVERIFY2(coarse.starts_with("from 3 views at each end of half a turn, parts of which agree to "
                                "only 0."),
             coarse.c_str());
    QCOMPARE(fine, std::string("from 3 views at each end of half a turn"));
  }
};

GANTRY_TEST(TestCentreWithoutFlat)
#include "test_centre_without_flat.moc"
