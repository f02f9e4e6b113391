// Scan files that cannot be read or written: one line says which field or file, and what to do.
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_folder.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

class TestScanFileBad : public QObject {
  Q_OBJECT
 private slots:
  void badFieldsAreNamed_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("message");
    const QJsonValue none(QJsonValue::Undefined);
    const auto add = [](const char* field, const QJsonValue& value, const char* message) {
      QTest::addRow("%s %s", field, message) << field << value << message;
    };
    add("format", none, "format: is missing; use one of gantry-scan");
    add("format", "other", "format: \"other\" is not known; use one of gantry-scan");
    add("version", none, "version: is missing");
    add("version", 2, "version: 2 is newer than this program knows");
    add("version", "1", "version: is a text, not a number");
    add("version", 1.5, "version: is 1.5; give a whole number");
    add("description", 3, "description: is a number, not a text");
    add("geometry", none, "geometry: is missing");
    add("geometry", QJsonArray{}, "geometry: is a list, not an object");
    add("geometry.beam", none, "geometry.beam: is missing; use one of parallel, fan, cone");
    add("geometry.beam", "Fan", "geometry.beam: \"Fan\" is not known");
    add("geometry.beam", true, "geometry.beam: is true or false, not a text");
    add("geometry.detector", none, "geometry.detector: is missing; use one of flat, arc");
    add("geometry.trajectory", "spiral",
        "geometry.trajectory: \"spiral\" is not known; use one of circular, helical, poses");
    add("geometry.trajectory", "helical", "geometry.helical_feed_mm_per_turn: is missing");
    add("geometry.helical_feed_mm_per_turn", 5, "is given for a circular trajectory");
    add("geometry.source_to_isocenter_mm", none,
        "geometry.source_to_isocenter_mm: is missing; give a number");
    add("geometry.source_to_isocenter_mm", "100",
        "geometry.source_to_isocenter_mm: is a text, not a number");
    add("geometry.source_to_isocenter_mm", -1,
        "geometry.source_to_isocenter_mm: is not positive; give a length in mm");
    add("geometry.source_to_isocenter_mm", 160,
        "source_to_detector_mm is not larger than source_to_isocenter_mm");
    add("geometry.source_to_detector_mm", none, "geometry.source_to_detector_mm: is missing");
    add("geometry.detector_columns", none,
        "geometry.detector_columns: is missing; give a whole number from 1 to 65536");
    add("geometry.detector_columns", 0, "geometry.detector_columns: is 0;");
    add("geometry.detector_columns", 4.5, "geometry.detector_columns: is 4.5;");
    add("geometry.detector_columns", 1e12, "geometry.detector_columns: is 1");
    add("geometry.detector_rows", "2", "geometry.detector_rows: is a text");
    add("geometry.column_pitch_mm", none, "geometry.column_pitch_mm: is missing");
    add("geometry.column_pitch_mm", 0, "geometry.column_pitch_mm: is not positive");
    add("geometry.column_pitch_mm", 1e4, "the fan opens");
    add("geometry.row_pitch_mm", none, "geometry.row_pitch_mm: is missing");
    add("geometry.central_column", QJsonValue(QJsonValue::Null),
        "geometry.central_column: is null, not a number");
    add("geometry.view_angles_deg", none,
        "geometry.view_angles_deg: is missing; give a list of angles in degrees or {\"first\", "
        "\"step\", \"count\"}");
    add("geometry.view_angles_deg", QJsonArray{}, "geometry.view_angles_deg: is empty");
    add("geometry.view_angles_deg", 7, "geometry.view_angles_deg: is neither list nor object");
    add("geometry.view_angles_deg", QJsonArray{0, "a", 1},
        "geometry.view_angles_deg[1]: is not a number");
    add("geometry.view_angles_deg", QJsonObject{{"first", 0}, {"step", 1}},
        "geometry.view_angles_deg.count: is missing");
    add("geometry.view_angles_deg", QJsonObject{{"first", 0}, {"step", 1}, {"count", 0}},
        "geometry.view_angles_deg.count: is 0");
    add("geometry.view_angles_deg", QJsonObject{{"step", 1}, {"count", 3}},
        "geometry.view_angles_deg.first: is missing");
    add("data", none, "data: is missing; say where the data are");
    add("data.file", none, "data.file: is missing");
    add("data.file", "", "data.file: is empty");
    add("data.file", "other.f32", "other.f32: there is no such data file");
    add("data.file", ".", "there is no such data file");
    add("data.type", none, "data.type: is missing; use one of float32, float64, uint16");
    add("data.type", "float16", "data.type: \"float16\" is not known");
    add("data.type", "float64",
        "holds 96 bytes, but 3 views x 2 rows x 4 columns of 8 bytes are 192");
    add("data.type", "uint16",
        "small.f32: holds 96 bytes, but 3 views x 2 rows x 4 columns of 2 bytes are 48");
    add("data.byte_order", none, "data.byte_order: is missing; use one of little, big");
    add("data.order", none, "data.order: is missing");
    add("data.order", "row,view,column",
        "data.order: \"row,view,column\" is not known; use one of view,row,column");
    add("data.quantity", none, "data.quantity: is missing; use one of line_integral, counts");
    add("data.quantity", "counts", "data.photons_per_ray: is missing");
    add("data",
        QJsonObject{{"file", "small.f32"},
                    {"type", "float32"},
                    {"byte_order", "little"},
                    {"order", "view,row,column"},
                    {"quantity", "counts"},
                    {"photons_per_ray", 0}},
        "data.photons_per_ray: is out of range");
  }

  void badFieldsAreNamed() {
    QFETCH(QString, field);
    QFETCH(QJsonValue, value);
    QFETCH(QString, message);
    const ScanFolder folder;
    folder.put_data(ramp(24));
    folder.put_json(small_scan());
    read_scan(folder.path());  // good before the change
    folder.put_json(with(small_scan(), field, value));
    EXPECT_THROWS(InputError, read_scan(folder.path()), message.toStdString());
    EXPECT_THROWS(InputError, read_scan(folder.path()), "; ");  // a remedy
    EXPECT_THROWS(InputError, read_scan(folder.path()), "small.");
  }

  void badFilesAreNamed() {
    const ScanFolder folder;
    folder.put_json(small_scan());
    EXPECT_THROWS(InputError, read_scan(folder.path()),
                  "small.f32: there is no such data file; put it there");
    folder.put_data(ramp(23));
    EXPECT_THROWS(InputError, read_scan(folder.path()),
                  "small.f32: holds 92 bytes, but 3 views x 2 rows x 4 columns of 4 bytes are 96; "
                  "the file is cut short");
    folder.put_data(ramp(25));
    EXPECT_THROWS(InputError, read_scan(folder.path()), "holds 100 bytes");
    EXPECT_THROWS(InputError, read_scan(folder.path("absent.scan.json")), "does not exist");
    EXPECT_THROWS(InputError, read_scan(folder.path(".")), "is a folder");
    folder.put("small.scan.json", "");
    EXPECT_THROWS(InputError, read_scan(folder.path()), "is not valid JSON");
    folder.put("small.scan.json", "{\"format\": \"gantry-scan\",\n \"version\": }");
    EXPECT_THROWS(InputError, read_scan(folder.path()), "line 2, column");
    folder.put("small.scan.json", "[1, 2]");
    EXPECT_THROWS(InputError, read_scan(folder.path()), "is a list, not an object");
    folder.put("small.scan.json", "{\"format\": \"gantry-scan\", \"version\": 1e999}");
    EXPECT_THROWS(InputError, read_scan(folder.path()), "is not valid JSON");
  }

  void everyCutOfTheTextIsRefused() {
    const ScanFolder folder;
    folder.put_data(ramp(24));
    const QByteArray text = QJsonDocument(small_scan()).toJson(QJsonDocument::Compact);
    for (qsizetype length = 0; length < text.size(); ++length) {
      folder.put("small.scan.json", text.left(length));
      EXPECT_THROWS(InputError, read_scan(folder.path()), "small.scan.json");
    }
    folder.put("small.scan.json", text);
    QCOMPARE(read_scan(folder.path()).line_integrals, ramp(24));
    folder.put("small.scan.json",
               QByteArray(200000, '['));  // no stack is deep enough for a recursive reader
    EXPECT_THROWS(InputError, read_scan(folder.path()), "small.scan.json");
  }

  void valuesThatAreNotFiniteAreCounted() {
    const ScanFolder folder;
    folder.put_json(small_scan());
    std::vector<float> values = ramp(24);
    values[14] = std::numeric_limits<float>::quiet_NaN();
    folder.put_data(values);
    EXPECT_THROWS(
        InputError, read_scan(folder.path()),
        "small.f32: 1 value is not finite (NaN or infinite), the first at view 1, row 1, column 2");
    values[7] = -std::numeric_limits<float>::infinity();
    folder.put_data(values);
    EXPECT_THROWS(
        InputError, read_scan(folder.path()),
        "2 values are not finite (NaN or infinite), the first at view 0, row 1, column 3");
    EXPECT_THROWS(OutputError,
                  write_scan(
                      folder.path("b.scan.json"),
                      *[&] {
                        folder.put_data(ramp(24));
                        return read_scan(folder.path()).geometry;
                      }(),
                      values, ""),
                  "2 values are not finite");
  }

  void failedWritesLeaveWhatWasThere() {
    const ScanFolder folder;
    folder.put_json(small_scan());
    folder.put_data(ramp(24));
    const LoadedScan scan = read_scan(folder.path());
    EXPECT_THROWS(
        OutputError,
        write_scan(folder.path("no/a.scan.json"), *scan.geometry, scan.line_integrals, ""),
        "create the folder first");
    EXPECT_THROWS(UsageError,
                  write_scan(folder.path("a.txt"), *scan.geometry, scan.line_integrals, ""),
                  "name it NAME.scan.json");
    EXPECT_THROWS(UsageError,
                  write_scan(folder.path(".json"), *scan.geometry, scan.line_integrals, ""),
                  "name it");
    EXPECT_THROWS(ShapeError, write_scan(folder.path(), *scan.geometry, ramp(23), ""), "size");
    // the JSON's place is taken by a folder: the data must not appear either
    QVERIFY(QDir().mkpath(QString::fromStdString(folder.path("b.scan.json"))));
    EXPECT_THROWS(OutputError,
                  write_scan(folder.path("b.scan.json"), *scan.geometry, scan.line_integrals, ""),
                  "is not a regular file");
    QCOMPARE(folder.names(), (QStringList{"b.scan.json", "small.f32", "small.scan.json"}));
    QCOMPARE(read_scan(folder.path()).line_integrals, ramp(24));
  }
};

GANTRY_TEST(TestScanFileBad)
#include "test_scan_file_bad.moc"
