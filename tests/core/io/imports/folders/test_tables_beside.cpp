// Tables of a geometry beside images: vectors of ASTRA and projection matrices in texts and arrays.
#include "core/base/error.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/core/io/known_tables.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

using namespace gantry;
using namespace gantry::test;

class TestTablesBeside : public QObject, private FramesFolder {
  Q_OBJECT
  static constexpr double cell_mm = 0.4;
  static constexpr int views = 5;

  static View pose(int view) { return KnownPose(view).view(cell_mm, cell_mm); }
  static std::vector<double> vectors(int count = views) {
    return numbers_of_views(count, [](int i) { return vectors_of(pose(i)); });
  }
  static std::vector<double> matrices(int count = views) {
    return numbers_of_views(count, [](int i) {
      return known_matrix(i, cell_mm, CountedFrames::columns, CountedFrames::rows);
    });
  }
  static QByteArray array(const std::vector<double>& numbers, const char* shape) {
    return npy("<f8", shape, little_endian(std::span(numbers)));
  }
  void write_images(const QString& format) const {
    for (int i = 0; i < views; ++i) {
      const std::string name = "p_" + std::to_string(i);
      if (format == "npy")
        write_file(path(name + ".npy"),
                   npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::projection(i))));
      else
        write_frame(name + ".tif", CountedFrames::projection(i));
    }
  }
  ImportRequest request() const {
    ImportRequest request;
    request.path = path();
    request.normalise.white_level = 10100;
    return request;
  }
  static std::size_t notes_with(const ImportedScan& scan, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::count_if(
        scan.scan.notes,
        [&](const std::string& note) { return note.find(name) != std::string::npos; }));
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void aTableIsTaken_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("numbers");
    QTest::addColumn<QString>("images");
    const QString cone = "vectors of ASTRA, cone_vec", matrix = "projection matrices";
    const auto row = [](const char* name, const QByteArray& bytes, const QString& numbers,
                        const char* images = "tif") {
      QTest::addRow("%s beside %s, %lld bytes", name, images, static_cast<long long>(bytes.size()))
          << QString(name) << bytes << numbers << QString(images);
    };
    row("vectors.npy", array(vectors(), "(5, 12)"), cone);
    row("walnut_geom.npy", array(vectors(), "(5, 12)"), cone);
    row("v.npy", array(vectors(), "(5, 12)"), cone);
    row("vectors.txt", "# sx sy sz dx dy dz\n" + table_text(vectors(), 12), cone);
    row("scan.txt", table_text(vectors(), 12), cone);
    row("vectors.csv", table_text(vectors(), 12, ","), cone);
    row("matrices.txt", table_text(matrices(), 12), matrix);
    row("matrices.txt", table_text(matrices(), 4), matrix);
    row("matrices.npy", array(matrices(), "(5, 12)"), matrix);
    row("matrices.npy", array(matrices(), "(5, 3, 4)"), "");
    row("m.npy", array(matrices(), "(5, 3, 4)"), "");
    row("vectors.npy", array(vectors(), "(5, 12)"), cone, "npy");
    row("m.npy", array(matrices(), "(5, 3, 4)"), "", "npy");
  }
  void aTableIsTaken() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, numbers);
    QFETCH(const QString, images);
    write_images(images);
    write_file(path(name.toStdString()), bytes);
    ImportRequest asked = request();
    asked.pixel_mm = cell_mm;
    const ImportedScan scan = import_scan(asked);
    const std::vector<View>& poses = scan.scan.geometry->spec().poses;
    QCOMPARE(static_cast<int>(poses.size()), views);
    for (int i = 0; i < views; ++i) expect_view(poses[static_cast<std::size_t>(i)], pose(i));
    QVERIFY(is_assumed(scan, "geometry", name.toStdString()));
    QVERIFY(numbers.isEmpty() ||
            is_assumed(scan, "numbers of the geometry", numbers.toStdString()));
    QCOMPARE(notes_with(scan, name.toStdString()), std::size_t{0});
  }

  /// No ray of a projection matrix depends on the size of a cell.
  void matricesNeedNoSizeOfACell() {
    write_images("tif");
    write_file(path("matrices.txt"), table_text(matrices(), 12));
    const ImportedScan scan = import_scan(request());
    QVERIFY(is_assumed(scan, "size of a cell", "1 mm"));
    QVERIFY(scan.scan.lengths_are_known);
    const ScanGeometry& geometry = *scan.scan.geometry;
    for (int i = 0; i < views; ++i) {
      const Vec3 middle = pose(i).detector_mm - pose(i).source_mm;
      const Ray ray =
          geometry.ray(i, 0.5 * (CountedFrames::columns - 1), 0.5 * (CountedFrames::rows - 1));
      expect_vector(ray.origin_mm, pose(i).source_mm);
      expect_vector(normalized(ray.direction), normalized(middle));
    }
  }

  /// One array with all projections is a scan where vectors beside it say so.
  void aTableBesideASingleArray() {
    std::vector<std::uint16_t> all;
    for (int i = 0; i < views; ++i) {
      const auto frame = CountedFrames::projection(i);
      all.insert(all.end(), frame.begin(), frame.end());
    }
    write_file(path("walnut.npy"), npy("<u2", "(5, 6, 9)", bytes_of_numbers(all)));
    QVERIFY(!is_importable(path()));
    write_file(path("vectors.npy"), array(vectors(), "(5, 12)"));
    QVERIFY(is_importable(path()));
    QVERIFY(is_assumed(import_scan(request()), "geometry", "vectors.npy"));
  }

  /// A table that is not taken is named in one note, with both counts or the option that takes it,
  /// and never as a list of angles.
  void whatIsNotTakenIsNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("has_arc");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* name, const QByteArray& bytes, bool has_arc, const char* note) {
      QTest::addRow("%s %s", name, note) << QString(name) << bytes << has_arc << QString(note);
    };
    const char* counts = ", beside them, states 3 views for 5 projections and was not read";
    for (const bool has_arc : {false, true}) {
      row("vectors.npy", array(vectors(3), "(3, 12)"), has_arc, counts);
      row("vectors.txt", table_text(vectors(3), 12), has_arc, counts);
      row("matrices.txt", table_text(matrices(3), 4), has_arc, counts);
      row("m.npy", array(matrices(3), "(3, 3, 4)"), has_arc, counts);
    }
    const char* takes =
        " states the geometry, but was not read, since the angles were given; --geometry takes it";
    row("vectors.npy", array(vectors(), "(5, 12)"), true, takes);
    row("matrices.txt", table_text(matrices(), 12), true, takes);
    QByteArray damaged = table_text(vectors(), 12);
    damaged.truncate(damaged.size() - 20);
    row("vectors.txt", damaged, false, "was not read as a geometry (");
    row("vectors.npy", array(std::vector<double>(60), "(5, 12)"), false,
        "make no sense as vectors of ASTRA or as matrices; name it NAME.cone_vec.txt");
  }
  void whatIsNotTakenIsNamed() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const bool, has_arc);
    QFETCH(const QString, note);
    write_images("tif");
    write_file(path(name.toStdString()), bytes);
    ImportRequest asked = request();
    asked.assumes_half_turn = true;
    if (has_arc) asked.arc_deg = 180;
    const ImportedScan scan = import_scan(asked);
    QVERIFY(scan.scan.geometry->spec().poses.empty());
    QVERIFY(has_part(scan.scan.notes, note.toUtf8().constData()));
    QCOMPARE(notes_with(scan, name.toStdString()), std::size_t{1});
    QVERIFY(!has_part(scan.scan.notes, "--angle-column"));
  }

  /// Of two tables none is taken; of a table and a list of angles the table.
  void twoTables() {
    write_images("tif");
    write_file(path("vectors.npy"), array(vectors(), "(5, 12)"));
    write_file(path("angles.txt"), "0\n1\n2\n3\n4\n");
    QVERIFY(has_part(import_scan(request()).scan.notes, "angles.txt was not read: vectors.npy"));
    write_file(path("matrices.npy"), array(matrices(), "(5, 3, 4)"));
    const ImportedScan scan = import_scan(request());
    QVERIFY(has_part(scan.scan.notes,
                     "matrices.npy, vectors.npy have each a view for each projection, and none was "
                     "read; --geometry takes one"));
    expect_angles(scan, {0, 1, 2, 3, 4});
    ImportRequest asked = request();
    asked.geometry = path("vectors.npy");
    QVERIFY(
        has_part(import_scan(asked).scan.notes,
                 "matrices.npy was not read: vectors.npy is the geometry; --geometry takes it"));
  }

  /// Tables of other things with as many columns stay what they were.
  void otherTablesAreNoGeometry() {
    write_images("tif");
    QByteArray log;
    for (int i = 0; i < views; ++i)
      log += QByteArray::number(i) + " " + QByteArray::number(20 * i) +
             " 300 301 0.5 7 1e3 2 5 80 120 3\n";
    write_file(path("motors.txt"), log);
    write_file(path("stage.npy"), array(std::vector<double>(30), "(5, 6)"));
    ImportRequest asked = request();
    asked.assumes_half_turn = true;
    const ImportedScan scan = import_scan(asked);
    QVERIFY(scan.scan.geometry->spec().poses.empty());
    QVERIFY(has_part(scan.scan.notes, "1 file was left out: stage.npy"));
    QVERIFY(is_assumed(scan, "angles", "from motors.txt"));
  }
};

GANTRY_TEST(TestTablesBeside)
#include "test_tables_beside.moc"
