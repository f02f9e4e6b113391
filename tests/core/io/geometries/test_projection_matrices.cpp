// A scan of known poses, written as the matrices of pinhole cameras, comes back.
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestProjectionMatrices : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  static constexpr double pixel_mm = 0.4;
  static constexpr const char* head = "# columns = 40\n# rows = 30\n# pixel_mm = 0.4\n";

  std::string path() const { return folder_.filePath("scan.matrices.txt").toStdString(); }

  /// K R (1 | -source), where R has the directions of columns, rows and rays, and K the distance of
  /// the detector in cells and the cell in which the ray along the normal lands.
  static QByteArray matrix(int view, double factor, double height_mm = pixel_mm) {
    const KnownPose pose(view);
    const Vec3 reach = pose.detector_mm - pose.source_mm;
    const double column = 19.5 - dot(reach, pose.u) / pixel_mm,
                 row = 14.5 - dot(reach, pose.v) / height_mm;
    const Vec3 first = (pose.distance_mm / pixel_mm) * pose.u + column * pose.normal,
               second = (pose.distance_mm / height_mm) * pose.v + row * pose.normal;
    QByteArray text;
    for (const Vec3& line : {first, second, pose.normal})
      text += numbers(factor * line) + " " + number(-factor * dot(line, pose.source_mm)) + " ";
    return text.trimmed() + "\n";
  }
  static QByteArray table(double factor, double height_mm = pixel_mm) {
    QByteArray text;
    for (int i = 0; i < known_views; ++i) text += matrix(i, factor, height_mm);
    return text;
  }

 private slots:
  /// A matrix may have any factor, also a negative one.
  void knownPosesComeBack() {
    for (const double factor : {1.0, -3.7, 1e-4}) {
      write_file(path(), head + table(factor));
      const ScanSpec spec = read_geometry(path());
      QVERIFY(spec.beam == Beam::cone && spec.trajectory == Trajectory::poses);
      QCOMPARE(spec.detector_columns, known_columns);
      QCOMPARE(spec.detector_rows, known_rows);
      QCOMPARE(static_cast<int>(spec.poses.size()), known_views);
      for (int i = 0; i < known_views; ++i)
        expect_view(spec.poses[static_cast<std::size_t>(i)], KnownPose(i).view(pixel_mm, pixel_mm));
    }
  }

  void cellsNeedNotBeSquare() {
    write_file(path(), head + table(1, 0.5));
    const StatedGeometry stated = read_stated_geometry(path(), {});
    for (int i = 0; i < known_views; ++i)
      expect_view(stated.spec.poses[static_cast<std::size_t>(i)], KnownPose(i).view(pixel_mm, 0.5));
    QCOMPARE(stated.notes.size(), std::size_t{1});
    QVERIFY(stated.notes[0].find("25 % higher") != std::string::npos);
  }

  void theDetectorMayBeKnown() {
    write_file(path(), table(1));
    const ScanSpec spec = read_stated_geometry(path(), {known_columns, known_rows, pixel_mm}).spec;
    expect_view(spec.poses[3], KnownPose(3).view(pixel_mm, pixel_mm));
    EXPECT_THROWS(InputError, read_geometry(path()), "does not state the size of the detector");
    EXPECT_THROWS(InputError, read_stated_geometry(path(), {known_columns, known_rows, 0}),
                  "distance of detector cells, which matrices leave open; give the size of a cell");
  }

  /// What the user or the projections say of the cells counts more than a comment in the file.
  void aKnownSizeOfACellCountsMore() {
    write_file(path(), head + table(1));
    const StatedGeometry stated = read_stated_geometry(path(), {known_columns, known_rows, 0.8});
    // Cells of twice the size stand twice as far away from the source.
    const View expected = KnownPose(3).view(0.8, 0.8);
    const View& pose = stated.spec.poses[3];
    expect_vector(pose.u_mm, expected.u_mm);
    expect_vector(pose.v_mm, expected.v_mm);
    expect_vector(pose.source_mm, expected.source_mm);
    expect_vector(pose.detector_mm - pose.source_mm,
                  2.0 * (expected.detector_mm - expected.source_mm));
    QCOMPARE(stated.notes.size(), std::size_t{1});
    QVERIFY(stated.notes[0].starts_with("pixel_mm, 0.4 in "));
    QVERIFY(read_stated_geometry(path(), {known_columns, known_rows, 0.4}).notes.empty());
  }

  /// Each row of a matrix on its own line, with or without blank lines and comments between.
  void threeLinesForAView() {
    for (const char* between : {"", "\n", "# the next view\n\n"}) {
      QByteArray text = head;
      for (int i = 0; i < known_views; ++i) {
        const QList<QByteArray> words = matrix(i, 1).trimmed().split(' ');
        for (int row = 0; row < 3; ++row) text += words.mid(4 * row, 4).join(' ') + "\n";
        text += between;
      }
      write_file(path(), text);
      const ScanSpec spec = read_geometry(path());
      QCOMPARE(static_cast<int>(spec.poses.size()), known_views);
      for (int i = 0; i < known_views; ++i)
        expect_view(spec.poses[static_cast<std::size_t>(i)], KnownPose(i).view(pixel_mm, pixel_mm));
    }
  }

  void rowsThatAreNotWholeAreRefused() {
    const QByteArray lines = "1 0 0 0\n0 1 0 0\n", whole = "1 0 0 0 0 1 0 0 0 0 1 5\n";
    write_file(path(), head + lines);
    EXPECT_THROWS(InputError, read_geometry(path()), "ends within a row, behind 8 of its 12");
    write_file(path(), head + lines + whole);
    EXPECT_THROWS(InputError, read_geometry(path()),
                  "line 6: begins a row before the one above is whole");
    write_file(path(), head + whole + "1 0 0\n");
    EXPECT_THROWS(InputError, read_geometry(path()),
                  "line 5: has 3 numbers; give 12 numbers in each line, or 4 in each of 3 lines");
  }

  void whatIsNoPointSourceIsRefused() {
    write_file(path(), QByteArray(head) + "1 0 0 0 0 1 0 0 0 0 0 1\n");
    EXPECT_THROWS(InputError, read_geometry(path()), "matrix 1: is the matrix of no point source");
  }

  void cutFiles() {
    write_file(path(), head + table(1));
    read_cut_files(path(), [&] { read_geometry(path()); });
  }
};

GANTRY_TEST(TestProjectionMatrices)
#include "test_projection_matrices.moc"
