// Parts of Gantry's own scan files.
#include "core/base/error.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestGantryScanFrames : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path_;
  std::shared_ptr<const ScanGeometry> geometry_;
  std::vector<float> values_;

  static constexpr int views = 6, rows = 5, columns = 14;
  float value(int view, int row, int column) const {
    return values_[static_cast<std::size_t>((view * rows + row) * columns + column)];
  }
  ImportRequest part() const {
    ImportRequest request;
    request.path = path_;
    request.part = {.columns = {3, 10}, .rows = {1, {}}, .bin = 2, .every = 3};
    return request;
  }
  void write(const PhotonCounting& counting) {
    write_scan(path_, *geometry_, values_, "a cone", counting);
  }

 private slots:
  void initTestCase() {
    path_ = folder_.filePath(QStringLiteral("s.scan.json")).toStdString();
    ScanSpec spec = fan_spec(views, columns, 2);
    spec.beam = Beam::cone;
    spec.detector_rows = rows;
    spec.row_pitch_mm = 3;
    spec.central_column = 6.2;
    spec.central_row = 1.7;
    geometry_ = share(spec);
    values_ = random_values(geometry_->rays(), 7, 0.1F, 2.0F);
  }

  /// A file that is opened as it is needs no import.
  void theWholeScanIsNotImported() {
    write({});
    QVERIFY(!is_importable(path_));
    ImportRequest whole;
    whole.path = path_;
    const ImportedScan imported = import_scan(whole);
    QCOMPARE(imported.scan.line_integrals, values_);
    QVERIFY(imported.scan.geometry->spec() == geometry_->spec());
    QCOMPARE(imported.scan.description, std::string("a cone"));
  }

  /// Rows 1 to 4 and columns 3 to 10 in groups of 2 x 2, of the views 0 and 3.
  void cellsAreCutAndJoined() {
    write({});
    const LoadedScan scan = import_scan(part()).scan;
    QCOMPARE(scan.geometry->views(), 2);
    QCOMPARE(scan.geometry->rows(), 2);
    QCOMPARE(scan.geometry->columns(), 4);
    std::size_t ray = 0;
    for (const int view : {0, 3})
      for (const int row : {1, 3})
        for (int column = 3; column < 11; column += 2, ++ray) {
          const float mean = (value(view, row, column) + value(view, row, column + 1) +
                              value(view, row + 1, column) + value(view, row + 1, column + 1)) /
                             4;
          EXPECT_NEAR(scan.line_integrals[ray], mean, 1e-6);
        }
    // The middle of a group is where the middle of its four cells was.
    const Ray ray_of_part = scan.geometry->ray(1, 2, 1), before = geometry_->ray(3, 7.5, 3.5);
    EXPECT_NEAR(ray_of_part.direction.x, before.direction.x, 1e-12);
    EXPECT_NEAR(ray_of_part.direction.y, before.direction.y, 1e-12);
    EXPECT_NEAR(ray_of_part.direction.z, before.direction.z, 1e-12);
  }

  /// The photons of a group are those of its cells, and so is its electronic noise.
  void countsAreJoinedAsCounts() {
    write({1000, 3});
    const LoadedScan scan = import_scan(part()).scan;
    EXPECT_NEAR(scan.counting.photons_per_ray, 4000, 1e-9);
    EXPECT_NEAR(scan.counting.electronic_sigma, 6, 1e-9);
    double transmission = 0;
    for (const int row : {3, 4})
      for (const int column : {9, 10}) transmission += std::exp(-value(3, row, column)) / 4;
    EXPECT_NEAR(scan.line_integrals.back(), -std::log(transmission), 1e-5);
  }

  /// The axis of a circle whose detector is shifted in each view is where the request says; other
  /// poses have none.
  void theAxisOfShiftedViewsMayBeGiven() {
    std::vector<CellShift> shifts(views);
    shifts[2] = {0.7, -0.4};
    const ScanGeometry shifted(with_shifted_detector(geometry_->spec(), shifts)),
        tilted(with_moved_detector(geometry_->spec(), {.roll_rad = 0.01}));
    ImportRequest request;
    request.path = path_;
    request.centre = 7.2;
    write_scan(path_, shifted, values_, "a cone");
    const ImportedScan imported = import_scan(request);
    for (int view = 0; view < views; ++view) {
      const Ray one = imported.scan.geometry->ray(view, 5, 1), other = shifted.ray(view, 4, 1);
      EXPECT_NEAR(norm(one.direction - other.direction), 0, 1e-9);
    }
    QCOMPARE(imported.scan.notes,
             std::vector<std::string>{"the column of the axis that was given, 7.2, took the place "
                                      "of 6.2, which the files state"});
    write_scan(path_, tilted, values_, "a cone");
    EXPECT_THROWS(UsageError, import_scan(request), "cannot change the free poses");
  }

  void flatsAreRefused() {
    write({});
    ImportRequest request = part();
    request.flats = {path_};
    EXPECT_THROWS(UsageError, import_scan(request), "leave out the flats and darks");
  }

  void damagedDataAreRefused() {
    write({});
    QFile file(folder_.filePath(QStringLiteral("s.f32")));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(400) && file.write("damage") == 6);
    file.close();
    EXPECT_THROWS(InputError, import_scan(part()), "CRC-32");
  }
};

GANTRY_TEST(TestGantryScanFrames)
#include "test_gantry_scan_frames.moc"
