// TIFF of other programs, as libtiff writes it, from folder or file to line integrals and angles;
// what does not fit is named.
#include "core/base/error.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

std::size_t number_at(const QByteArray& bytes, std::size_t at, int size) {
  std::size_t value = 0;
  for (int i = size - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[static_cast<qsizetype>(at) + i]);
  return value;
}

/// Returns the sinogram of a row of `views` counted projections.
Page counted_sinogram(int row, int views) {
  Page image;
  for (int view = 0; view < views; ++view)
    for (int column = 0; column < CountedFrames::columns; ++column)
      image.push_back(static_cast<std::uint16_t>(CountedFrames::projection(view, row, column)));
  return image;
}

/// Returns a file of one page with its values behind everything else, where many programs put them:
/// cut, it lacks values and nothing else.
QByteArray with_values_last(QByteArray file, qsizetype value_bytes) {
  constexpr std::size_t entry_bytes = 12, value_in_entry = 8;
  const std::size_t directory = number_at(file, 4, 4), entries = number_at(file, directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * entry_bytes;
    const std::size_t tag = number_at(file, entry, 2);
    if (tag != TIFFTAG_STRIPOFFSETS && tag != TIFFTAG_TILEOFFSETS) continue;
    const std::size_t from = number_at(file, entry + value_in_entry, 4);
    auto to = static_cast<std::size_t>(file.size());
    file += file.mid(static_cast<qsizetype>(from), value_bytes);
    for (int k = 0; k < 4; ++k, to >>= 8)
      file[static_cast<qsizetype>(entry + value_in_entry) + k] = static_cast<char>(to & 0xFF);
    return file;
  }
  qFatal("the test file has no values");
}

}  // namespace

class TestTiffFrames : public QObject, private FramesFolder {
  Q_OBJECT
  /// Writes p_1.tif and so on, three flats and three darks.
  void write_frames(int projections) const {
    for (int i = 0; i < projections; ++i)
      write_frame("p_" + std::to_string(i + 1) + ".tif", CountedFrames::projection(i));
    for (int i = 0; i < 3; ++i) {
      write_frame("flat_" + std::to_string(i) + ".tif", CountedFrames::flat_frame(i));
      write_frame("dark_" + std::to_string(i) + ".tif", CountedFrames::dark_frame(i));
    }
  }
  static constexpr int half_turn_columns = 40;
  /// Writes p_0.tif and so on of two soft rods over half a turn, both ends measured, a flat and a
  /// dark; those frames alone that are_there(number).
  template <class AreThere>
  void write_half_turn(int steps, const AreThere& are_there) const {
    for (int i = 0; i <= steps; ++i) {
      if (!are_there(i)) continue;
      const double angle = i * std::acos(-1.0) / steps;
      Page page;
      for (int c = 0; c < half_turn_columns; ++c) {
        const auto rod = [&](double x, double y, double width) {
          const double t = (c - 21.5 - x * std::cos(angle) - y * std::sin(angle)) / width;
          return std::exp(-0.5 * t * t);
        };
        page.push_back(
            static_cast<std::uint16_t>(60000 * std::exp(-rod(6, 2, 3) - 0.6 * rod(-7, 4, 2))));
      }
      write_pages(path("p_" + std::to_string(i) + ".tif"), {page}, half_turn_columns);
    }
    write_pages(path("flat.tif"), {Page(half_turn_columns, 60000)}, half_turn_columns);
    write_pages(path("dark.tif"), {Page(half_turn_columns, 0)}, half_turn_columns);
  }
  static void layouts() {
    QTest::addColumn<bool>("has_tiles");
    QTest::newRow("strips") << false;
    QTest::newRow("tiles") << true;
  }
  static TiffLayout tiles() {
    TiffLayout layout;
    layout.tile_width = layout.tile_height = 16;
    return layout;
  }
  /// A request for what lies at `name`, with the centre that the frames themselves do not show.
  ImportRequest request(const std::string& name = {}) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    return request;
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void aFolderWithFlatsDarksAndAngles() {
    write_frames(12);  // p_10.tif comes after p_9.tif
    std::vector<double> degrees;
    QByteArray lines = "# degrees\n";
    for (int i = 0; i < 12; ++i) {
      degrees.push_back(-20 + 7.5 * i);
      lines += QByteArray::number(degrees.back()) + "\n";
    }
    write_file(path("angles.txt"), lines);
    const ImportedScan scan = import_scan(request());
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    expect_angles(scan, degrees);
    QVERIFY(scan.scan.geometry->beam() == Beam::parallel);
    QCOMPARE(scan.scan.geometry->spec().central_column, 4.0);
    for (const auto& [what, value] : std::vector<std::pair<const char*, const char*>>{
             {"projections", "p_1.tif to p_12.tif, 12 files"},
             {"flats", "flat_0.tif to flat_2.tif, 3 files"},
             {"darks", "dark_0.tif to dark_2.tif, 3 files"},
             {"angles", "from angles.txt"},
             {"beam", "parallel"},
             {"size of a cell", "unknown: lengths are in cells, a cell is 1 mm in files"}})
      QVERIFY2(is_assumed(scan, what, value), what);
    QVERIFY(notes_beside_flats(scan).empty());
  }

  /// Flats in two series are known by their names, and interpolated where that is asked for: here
  /// they are alike.
  void flatsBeforeAndAfter() {
    for (int i = 0; i < 5; ++i)
      write_frame("p_" + std::to_string(i + 1) + ".tif", CountedFrames::projection(i));
    for (const char* name : {"flat_before_1.tif", "flat_before_2.tif", "flat_after_1.tif"})
      write_frame(name, CountedFrames::flat_frame(0));
    write_frame("dark_1.tif", CountedFrames::dark_frame(0));
    ImportRequest of_folder = request();
    of_folder.arc_deg = 180;
    of_folder.normalise.average = FrameAverage::interpolated;
    const ImportedScan scan = import_scan(of_folder);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "time of the flats", "2 before, 1 after the projections"));
    QVERIFY(scan.scan.notes.at(0).starts_with("flats of 2 times were interpolated"));
    QFile::remove(QString::fromStdString(path("flat_after_1.tif")));
    EXPECT_THROWS(InputError, import_scan(of_folder),
                  "flat_before_1.tif: all flats were taken at one time");
  }

  /// What the request says is assumed no longer.
  void aFileOfPages() {
    std::vector<Page> pages, flats;
    for (int i = 0; i < 5; ++i) pages.push_back(CountedFrames::projection(i));
    for (int i = 0; i < 3; ++i) flats.push_back(CountedFrames::flat_frame(i));
    write_pages(path("scan.tif"), pages, CountedFrames::columns);
    write_pages(path("beam.tif"), flats, CountedFrames::columns);
    write_frame("off.tif", CountedFrames::dark_frame(0));
    ImportRequest pages_request = request("scan.tif");
    pages_request.flats = {path("beam.tif")};
    pages_request.darks = {path("off.tif")};
    pages_request.arc_deg = 180;
    pages_request.pixel_mm = 0.25;
    pages_request.source_to_axis_mm = 300;
    pages_request.source_to_detector_mm = 500;
    const ImportedScan scan = import_scan(pages_request);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 45, 90, 135, 180});
    QVERIFY(scan.scan.geometry->beam() == Beam::cone);
    QCOMPARE(scan.scan.geometry->spec().column_pitch_mm, 0.25);
    for (const Assumption& one : scan.assumptions)
      QVERIFY2(one.what == "sense of rotation" || one.what == "central row", one.what.c_str());
    pages_request.arc_is_open = true;
    expect_angles(import_scan(pages_request), {0, 36, 72, 108, 144});
  }

  /// A parallel scan of one row over half a turn, of an object beside the axis. The beam grows
  /// weaker from view to view, and is 1 again by the columns at both ends, which see air.
  void aSinogramWhoseAxisIsFound() {
    constexpr int views = 37, columns = 64;
    constexpr double axis = 29.25;
    const auto line_integral = [](int view, int column) {
      const double angle = std::acos(-1.0) * view / (views - 1);
      const double t = column - axis - 6 * std::cos(angle);
      return 1.5 * std::exp(-0.5 * t * t / 16);
    };
    Page sinogram;
    for (int view = 0; view < views; ++view)
      for (int column = 0; column < columns; ++column)
        sinogram.push_back(static_cast<std::uint16_t>(
            std::lround((60000 - 1000 * view) * std::exp(-line_integral(view, column)))));
    write_pages(path("sinogram.tif"), {sinogram}, columns);
    ImportRequest one;
    one.path = path("sinogram.tif");
    one.arc_deg = 180;
    one.normalise.air_columns = 4;
    const ImportedScan scan = import_scan(one);
    QCOMPARE(scan.scan.geometry->views(), views);
    QCOMPARE(scan.scan.geometry->rows(), 1);
    QCOMPARE(scan.scan.geometry->columns(), columns);
    QVERIFY(is_assumed(scan, "the picture", "a sinogram, a view per row"));
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, axis, 0.1);
    QVERIFY(scan.scan.notes.empty());  // the columns of air tell the beam
    std::size_t ray = 0;
    for (int view = 0; view < views; ++view)
      for (int column = 0; column < columns; ++column)
        EXPECT_NEAR(scan.scan.line_integrals[ray++], line_integral(view, column), 1e-3);
  }

  /// A sinogram for each row of the detector, the uppermost first, beside flats that are images of
  /// the detector and darks that are sinograms of two darks each.
  void aFolderOfSinograms() {
    constexpr int views = 5;
    const auto write = [&](const std::string& stem) {
      for (int row = 0; row < CountedFrames::rows; ++row)
        write_frame(stem + std::to_string(row) + ".tif", counted_sinogram(row, views));
    };
    write("sino_");
    write_frame("flat_0.tif", CountedFrames::flat_frame(0));
    for (int row = 0; row < CountedFrames::rows; ++row)
      write_frame("dark_" + std::to_string(row) + ".tif",
                  Page(std::size_t{2} * CountedFrames::columns, CountedFrames::dark));
    ImportRequest of_folder = request();
    of_folder.arc_deg = 180;
    const ImportedScan named = import_scan(of_folder);
    expect_line_integrals(named, {0, 1, 2, 3, 4});
    expect_angles(named, {0, 45, 90, 135, 180});
    QVERIFY(is_assumed(named, "the images", "sinograms, a view per row"));
    of_folder.images = ImageContent::projections;  // what is given counts more than the names
    EXPECT_THROWS(InputError, import_scan(of_folder), "a flat has 9 x 6 cells");

    for (int row = 0; row < CountedFrames::rows; ++row)
      QFile::remove(QString::fromStdString(path("sino_" + std::to_string(row) + ".tif")));
    write("p_");
    of_folder.images = ImageContent::sinograms;
    const ImportedScan given = import_scan(of_folder);
    expect_line_integrals(given, {0, 1, 2, 3, 4});
    QVERIFY(!is_assumed(given, "the images", "sinograms, a view per row"));
  }

  void aFolderOfOneSinogram() {
    write_frame("slice.tif", counted_sinogram(2, 7));
    ImportRequest of_folder = request();
    of_folder.arc_deg = 180;
    const ImportedScan scan = import_scan(of_folder);
    QCOMPARE(scan.scan.geometry->views(), 7);
    QCOMPARE(scan.scan.geometry->rows(), 1);
    QVERIFY(is_assumed(scan, "the picture", "a sinogram, a view per row"));
    of_folder.images = ImageContent::projections;
    of_folder.arc_deg.reset();
    of_folder.assumes_half_turn = true;
    const ImportedScan projection = import_scan(of_folder);
    QCOMPARE(projection.scan.geometry->views(), 1);
    QCOMPARE(projection.scan.geometry->rows(), 7);
  }

  /// Its angle is left out with it.
  void aFrameOfAnotherSizeIsNamed() {
    write_frames(8);
    write_pages(path("p_4.tif"), {Page(CountedFrames::rows * 8, 500)}, 8);
    write_file(path("angles.txt"), "0\n10\n20\n30\n40\n50\n60\n70\n");
    const ImportedScan scan = import_scan(request());
    expect_line_integrals(scan, {0, 1, 2, 4, 5, 6, 7});
    expect_angles(scan, {0, 10, 20, 40, 50, 60, 70});
    QCOMPARE(notes_beside_flats(scan),
             (std::vector<std::string>{"p_4.tif has 8 x 6 pixels instead of 9 x 6 and was left "
                                       "out"}));
  }

  /// Numbers of 8 bits among those of 16 are of another scale, even if they come first.
  void aFrameOfAnotherTypeIsNamed() {
    write_frames(4);
    write_numbers<std::uint8_t>(
        path("p_1.tif"),
        {std::vector<std::uint8_t>(CountedFrames::rows * CountedFrames::columns, 9)},
        CountedFrames::columns, {});
    ImportRequest request;
    request.path = path();
    request.arc_deg = 180;
    request.centre = 4;
    const ImportedScan scan = import_scan(request);
    expect_line_integrals(scan, {1, 2, 3});
    QCOMPARE(notes_beside_flats(scan),
             (std::vector<std::string>{"p_1.tif holds 8-bit whole numbers instead of 16-bit whole "
                                       "numbers and was left out"}));
  }

  /// Numbers with a sign are of another scale than those without, in a file too.
  void numbersWithASignAreNamed() {
    const std::vector<std::int16_t> below_0(CountedFrames::rows * CountedFrames::columns, -9);
    write_numbers<std::int16_t>(path("p_1.tif"), {below_0}, CountedFrames::columns, {});
    for (const char* name : {"p_0.tif", "p_2.tif"}) write_frame(name, CountedFrames::projection(0));
    std::vector<std::string> notes;
    QCOMPARE(tiff_frames_of({path("p_0.tif"), path("p_1.tif"), path("p_2.tif")}, notes)->frames(),
             2);
    QCOMPARE(notes, (std::vector<std::string>{"p_1.tif holds 16-bit signed whole numbers instead "
                                              "of 16-bit whole numbers and was left out"}));
    TiffLayout appended;
    appended.mode = "a";
    write_numbers<std::int16_t>(path("p_0.tif"), {below_0}, CountedFrames::columns, appended);
    std::vector<float> values(below_0.size());
    const auto pages = tiff_frames_of({path("p_0.tif")}, notes);
    EXPECT_THROWS(InputError, pages->read(1, values), "has pages of different types: page 2");
  }

  /// The arc is told by the views, and divided by the numbers of the frames.
  void missingFramesLeaveAGapInTheAnglesThatTheViewsTell() {
    constexpr int steps = 60;
    write_half_turn(steps, [](int i) { return i < 20 || i >= 35; });
    ImportRequest open = request();
    open.centre.reset();
    const ImportedScan scan = import_scan(open);
    std::vector<double> angles;
    for (int i = 0; i <= steps; ++i)
      if (i < 20 || i >= 35) angles.push_back(3 * i);
    expect_angles(scan, angles);
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, 21.5, 0.1);
    QVERIFY(is_assumed(scan, "angles", "0 to 180 degrees, both ends measured"));
  }

  /// Of every fourth view, those between them are read only near the ends, which tell the arc: the
  /// file of another one may be damaged.
  void viewsThatDoNotRemainAreNotRead() {
    constexpr int steps = 90;
    write_half_turn(steps, [](int) { return true; });
    const std::string name = path("p_46.tif");
    constexpr qsizetype value_bytes = qsizetype{2} * half_turn_columns;
    write_file(name, with_values_last(bytes_of_file(name), value_bytes).chopped(value_bytes));
    ImportRequest open = request();
    open.centre.reset();
    EXPECT_THROWS(InputError, import_scan(open), "p_46.tif: ");
    open.part.every = 4;
    const ImportedScan scan = import_scan(open);
    std::vector<double> angles;
    for (int i = 0; i <= steps; i += 4) angles.push_back(2 * i);
    expect_angles(scan, angles);
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, 21.5, 0.1);
    QVERIFY(is_assumed(scan, "angles", "0 to 180 degrees, both ends measured"));
  }

  /// The numbers in the names are those of files, not of frames.
  void aFolderOfFilesOfPages() {
    for (const int file : {0, 1})
      write_pages(path("p_" + std::to_string(5 * file) + ".tif"),
                  {CountedFrames::projection(2 * file), CountedFrames::projection(2 * file + 1)},
                  CountedFrames::columns);
    write_frame("flat_0.tif", CountedFrames::flat_frame(0));
    write_frame("dark_0.tif", CountedFrames::dark_frame(0));
    ImportRequest over_arc = request();
    over_arc.arc_deg = 180;
    const ImportedScan scan = import_scan(over_arc);
    expect_line_integrals(scan, {0, 1, 2, 3});
    expect_angles(scan, {0, 60, 120, 180});
  }

  /// As where frames for alignment follow the projections.
  void aListOfFewerAnglesIsNotPassedOver() {
    write_frames(5);
    write_file(QString::fromStdString(path("angles.txt")), "0\n60\n120\n180\n");
    EXPECT_THROWS(InputError, import_scan(request()),
                  "angles.txt: has 4 angles for 5 frames; give one angle per frame");
  }

  void flatsOfAnotherSizeAreRefused() {
    write_frames(3);
    for (const char* name : {"flat_0.tif", "flat_1.tif", "flat_2.tif"})
      write_pages(path(name), {Page(CountedFrames::rows * 8, 500)}, 8);
    ImportRequest over_arc = request();
    over_arc.arc_deg = 180;
    EXPECT_THROWS(InputError, import_scan(over_arc), "flat_0.tif: a flat has 8 x 6 cells");
  }

  void anglesThatAreNotKnownAreAskedFor() {
    write_frames(3);
    EXPECT_THROWS(InputError, import_scan(request()),
                  "does not state the angles of its projections");
  }

  void aCutFrameIsNamed_data() { layouts(); }
  /// A frame that lacks its directory, or values alone, is named with its file.
  void aCutFrameIsNamed() {
    QFETCH(const bool, has_tiles);
    const TiffLayout layout = has_tiles ? tiles() : TiffLayout{};
    write_frames(3);
    write_pages(path("p_2.tif"), {CountedFrames::projection(1)}, CountedFrames::columns, layout);
    ImportRequest over_arc = request();
    over_arc.arc_deg = 180;
    const QByteArray whole = bytes_of_file(path("p_2.tif"));
    const qsizetype value_bytes =
        2 *
        (has_tiles ? qsizetype{16} * 16 : qsizetype{CountedFrames::rows} * CountedFrames::columns);
    for (qsizetype length = 8; length < whole.size() - 4; length += 9) {
      write_file(path("p_2.tif"), whole.left(length));
      EXPECT_THROWS(InputError, import_scan(over_arc), "p_2.tif: ");
    }
    const QByteArray moved = with_values_last(whole, value_bytes);
    write_file(path("p_2.tif"), moved);
    expect_line_integrals(import_scan(over_arc), {0, 1, 2});
    for (const qsizetype missing : {qsizetype{1}, value_bytes / 2, value_bytes}) {
      write_file(path("p_2.tif"), moved.chopped(missing));
      EXPECT_THROWS(InputError, import_scan(over_arc), "p_2.tif: cannot be read in page 1");
    }
  }

  void aDamagedFileIsLeftOut_data() {
    QTest::addColumn<int>("damaged");
    for (const int damaged : {0, 2, 4}) QTest::addRow("frame %d", damaged) << damaged;
  }
  /// The others keep the angles of their numbers, listed or by an arc; a file that lacks values
  /// alone is found, too.
  void aDamagedFileIsLeftOut() {
    QFETCH(const int, damaged);
    write_frames(5);
    const std::string name = "p_" + std::to_string(damaged + 1) + ".tif";
    const QByteArray whole = bytes_of_file(path(name));
    constexpr qsizetype value_bytes = qsizetype{2} * CountedFrames::rows * CountedFrames::columns;
    std::vector<int> frames;
    std::vector<double> listed, over_arc;
    for (int i = 0; i < 5; ++i) {
      if (i == damaged) continue;
      frames.push_back(i);
      listed.push_back(7.0 * i * i);
      over_arc.push_back(45.0 * i);
    }
    write_file(path("angles.txt"), "0\n7\n28\n63\n112\n");
    for (const QByteArray& cut : {whole.left(whole.size() / 2),
                                  with_values_last(whole, value_bytes).chopped(value_bytes)}) {
      write_file(path(name), cut);
      EXPECT_THROWS(InputError, import_scan(request()), (name + ": ").c_str());
      EXPECT_THROWS(InputError, import_scan(request()), "--leave-out-damaged");
      ImportRequest without = request();
      without.leaves_out_damaged = true;
      const ImportedScan scan = import_scan(without);
      expect_line_integrals(scan, frames);
      expect_angles(scan, listed);
      QVERIFY(has_part(scan.scan.notes, ("a damaged file was left out: " + path(name)).c_str()));
      without.arc_deg = 180;
      expect_angles(import_scan(without), over_arc);
    }
  }

  /// Files of another kind, all alike, are not damaged; a row of the detector has no substitute.
  void whatCannotBeLeftOutIsRefused() {
    for (int i = 0; i < 3; ++i) write_file(path("p_" + std::to_string(i) + ".tif"), "II*\0 none");
    ImportRequest without = request();
    without.leaves_out_damaged = true;
    without.arc_deg = 180;
    EXPECT_THROWS(InputError, import_scan(without), "p_0.tif: ");
    init();
    for (int row = 0; row < CountedFrames::rows; ++row)
      write_frame("sino_" + std::to_string(row) + ".tif", counted_sinogram(row, 8));
    without.path = path();
    write_file(path("sino_2.tif"), bytes_of_file(path("sino_2.tif")).left(40));
    EXPECT_THROWS(InputError, import_scan(without), "cannot be left out");
  }

  void aCutFileOfPagesIsRefused_data() { layouts(); }
  /// Pages that follow a cut are missing, and nothing is made of the others.
  void aCutFileOfPagesIsRefused() {
    QFETCH(const bool, has_tiles);
    std::vector<Page> pages;
    for (int i = 0; i < 5; ++i) pages.push_back(CountedFrames::projection(i));
    write_pages(path("scan.tif"), pages, CountedFrames::columns,
                has_tiles ? tiles() : TiffLayout{});
    const QByteArray whole = bytes_of_file(path("scan.tif"));
    ImportRequest over_arc = request("cut.tif");
    over_arc.arc_deg = 180;
    write_file(path("cut.tif"), whole);
    over_arc.darks = {path("dark.tif")};
    over_arc.flats = {path("flat.tif")};
    write_frame("dark.tif", CountedFrames::dark_frame(0));
    write_frame("flat.tif", CountedFrames::flat_frame(0));
    expect_line_integrals(import_scan(over_arc), {0, 1, 2, 3, 4});
    for (int part = 1; part < 50; ++part) {
      write_file(path("cut.tif"), whole.left(whole.size() * part / 50));
      EXPECT_THROWS(InputError, import_scan(over_arc), "cut.tif: ");
    }
  }
};

GANTRY_TEST(TestTiffFrames)
#include "test_tiff_frames.moc"
