// Arrays of NumPy beside images, and images beside arrays: flats, darks and angles.
#include "core/base/error.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestArraysBeside : public QObject, private FramesFolder {
  Q_OBJECT
  void write_projections() const {
    for (int i = 0; i < 5; ++i)
      write_frame("p_" + std::to_string(i) + ".tif", CountedFrames::projection(i));
  }
  void write_flats() const {
    write_file(path("flat.npy"), npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats())));
    write_file(path("dark.npy"),
               npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0))));
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void flatsInAFolderOfImagesAreFound() {
    write_projections();
    write_flats();
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "flats", "flat.npy"));
    QVERIFY(is_assumed(scan, "darks", "dark.npy"));
  }

  /// They may hold other angles than those that are taken.
  void listsOfAnglesThatAreNotReadAreNamed() {
    write_projections();
    write_flats();
    for (const char* name :
         {"angles_a.txt", "angles_b.txt", "angles.npz", "angles.mat", "angles.yaml"})
      write_file(path(name), "0\n45\n90\n135\n180\n");
    ImportRequest of_folder = half_turn();
    of_folder.arc_deg.reset();
    const ImportedScan scan = import_scan(of_folder);
    for (const char* name : {"angles_b.txt", "angles.npz", "angles.mat", "angles.yaml"})
      QVERIFY2(
          has_part(scan.scan.notes, (name + std::string(" is called a list of angles")).c_str()),
          name);
  }

  /// Images that are named as flats count; others may be wrong, or of another scan.
  void arraysThatAreNotUsedAreNamed() {
    write_projections();
    write_flats();
    for (int i = 0; i < 3; ++i)
      write_frame("white_" + std::to_string(i) + ".tif", CountedFrames::flat_frame(i));
    write_file(path("other.npy"), npy("<f4", "(1,)", QByteArray(4, 0)));
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(has_part(scan.scan.notes, "1 file was left out: flat.npy"));
    QVERIFY(has_part(scan.scan.notes, "1 file was left out: other.npy"));
    QVERIFY(!has_part(scan.scan.notes, "dark.npy"));
  }

  void anglesMayBeAnArray() {
    write_projections();
    write_flats();
    const std::vector<double> angles = {0, 20, 50, 90, 140};
    write_file(path("theta.npy"), npy("<f8", "(5, 1)", bytes_of_numbers(angles)));
    ImportRequest one = half_turn();
    one.arc_deg.reset();
    expect_angles(import_scan(one), angles);
    std::filesystem::rename(path("theta.npy"), path("list.npy"));
    one.angles = path("list.npy");
    expect_angles(import_scan(one), angles);
    write_file(path("list.npy"), npy("<f8", "(2, 2)", QByteArray(32, 0)));
    EXPECT_THROWS(InputError, import_scan(one), "which is no list of angles");
  }

  /// A log of something else may have as many numbers.
  void numbersThatAreNoAnglesAreNamed() {
    write_projections();
    write_flats();
    write_file(path("beam_current.txt"), "1\n2\n3\n4\n5\n");
    write_file(path("log.txt"), "299.7\n299.1\n299.9\n299.4\n299.5\n");
    ImportRequest one = half_turn();
    ImportedScan scan = import_scan(one);
    QVERIFY(!has_part(scan.scan.notes, "has a number for each projection"));  // the arc is given
    one.arc_deg.reset();
    one.assumes_half_turn = true;
    scan = import_scan(one);
    QVERIFY(has_part(scan.scan.notes, "beam_current.txt has a number for each projection"));
    QVERIFY(has_part(scan.scan.notes, "log.txt has a number for each projection"));
    write_file(path("log.txt"), "angle\n29\n21\n23\n24\n25\n");
    expect_angles(import_scan(one), {29, 21, 23, 24, 25});
    write_file(path("z_theta.txt"), "1\n2\n3\n5\n8\n");
    expect_angles(import_scan(one), {1, 2, 3, 5, 8});
  }

  /// Which of several arrays is meant, nothing tells; a number beside one is no frame.
  void severalArraysAreNotChosenFrom_data() {
    QTest::addColumn<QString>("projections");
    QTest::addRow("of arrays") << "p.npy";
    QTest::addRow("of images") << QString();
  }
  void severalArraysAreNotChosenFrom() {
    QFETCH(QString, projections);
    write_projections();
    write_file(path("p.npy"), npy("<u2", "(5, 6, 9)", bytes_of_numbers(counted_projections(5))));
    const QByteArray flats = npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats())),
                     dark = npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0)));
    write_file(path("z.npz"), zip({{"white.npy", flats}, {"black.npy", dark}}, false));
    write_file(path("d.npz"),
               zip({{"black.npy", dark}, {"ms.npy", npy("<u2", "()", "\1\1")}}, false));
    ImportRequest one = half_turn(projections.toStdString());
    one.flats = {path("z.npz")};
    one.darks = {path("d.npz")};
    EXPECT_THROWS(InputError, import_scan(one),
                  "z.npz: holds 2 arrays, of which none was taken: white (3 x 6 x 9), "
                  "black (6 x 9); store the right one in a file of its own");
    write_file(path("z.npz"), zip({{"white.npy", flats}}, false));
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
    one.darks = {path("z2.npz")};
    write_file(path("z2.npz"), zip({{"a.npy", dark}, {"b.npy", dark}}, false));
    EXPECT_THROWS(InputError, import_scan(one),
                  "holds 2 arrays, of which none was taken: a (6 x 9)");
  }

  void imagesMayBeTheFlatsOfAnArray() {
    write_file(path("p.npy"), npy("<u2", "(5, 6, 9)", bytes_of_numbers(counted_projections(5))));
    ImportRequest one = half_turn("p.npy");
    for (int i = 0; i < 3; ++i) {
      const std::string flat = "f_" + std::to_string(i) + ".tif";
      write_frame(flat, CountedFrames::flat_frame(i));
      one.flats.push_back(path(flat));
    }
    write_frame("d.tif", CountedFrames::dark_frame(0));
    one.darks = {path("d.tif")};
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
    // Of sinograms [row][view][column], too.
    write_file(path("s.npy"),
               npy("<u2", "(6, 5, 9)", bytes_of_numbers(sinograms_of(counted_projections(5)))));
    one.path = path("s.npy");
    one.images = ImageContent::sinograms;
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
  }
};

GANTRY_TEST(TestArraysBeside)
#include "test_arrays_beside.moc"
