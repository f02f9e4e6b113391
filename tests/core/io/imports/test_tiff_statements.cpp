// What TIFF files state of their images beside the values: how they are turned, how large a pixel
// is, and which of them may be flats.
#include "core/io/files/tiff/tiff_pages.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

namespace {

/// The picture abc above def, stored in each orientation of TIFF 6.0 (page 36), which names the
/// sides that the first row and the first column are.
struct Stored {
  std::uint16_t orientation;
  const char* values;
  int columns;
  const char* text;
};
constexpr Stored ways[] = {{ORIENTATION_TOPLEFT, "abcdef", 3, ""},
                           {ORIENTATION_TOPRIGHT, "cbafed", 3, "mirrored from left to right"},
                           {ORIENTATION_BOTRIGHT, "fedcba", 3, "turned by half a turn"},
                           {ORIENTATION_BOTLEFT, "defabc", 3, "turned upside down"},
                           {ORIENTATION_LEFTTOP, "adbecf", 2, "transposed"},
                           {ORIENTATION_RIGHTTOP, "cfbead", 2, "quarter turn clockwise"},
                           {ORIENTATION_RIGHTBOT, "fcebda", 2, "transposed and turned"},
                           {ORIENTATION_LEFTBOT, "daebfc", 2, "quarter turn counter-clockwise"}};

std::vector<float> picture() { return {'a', 'b', 'c', 'd', 'e', 'f'}; }

template <class Number>
std::vector<Number> values_of(const char* text) {
  return {text, text + 6};
}

/// Returns a frame as a file stores it whose first row is the lowest.
Page upside_down(const Page& frame) {
  Page turned;
  for (int row = CountedFrames::rows - 1; row >= 0; --row)
    turned.insert(turned.end(), frame.begin() + std::ptrdiff_t{row} * CountedFrames::columns,
                  frame.begin() + std::ptrdiff_t{row + 1} * CountedFrames::columns);
  return turned;
}

}  // namespace

class TestTiffStatements : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const std::string& name = {}) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  /// Writes three projections of this layout, a flat and a dark.
  void write_counted(const TiffLayout& layout) const {
    for (int i = 0; i < 3; ++i)
      write_pages(path("p_" + std::to_string(i) + ".tif"), {CountedFrames::projection(i)},
                  CountedFrames::columns, layout);
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    write_pages(path("dark.tif"), {CountedFrames::dark_frame(0)}, CountedFrames::columns);
  }
  /// Whether this is why the size of a cell was assumed.
  static bool is_said_of_cell(const ImportedScan& scan, const char* why) {
    return std::ranges::any_of(scan.assumptions, [&](const Assumption& one) {
      return one.what == "size of a cell" && one.why.find(why) != std::string::npos;
    });
  }
  ImportedScan imported(const std::function<void(ImportRequest&)>& change = {}) const {
    ImportRequest request;
    request.path = path();
    request.centre = 4;
    request.arc_deg = 90;
    if (change) change(request);
    return import_scan(request);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { qunsetenv("GANTRY_DECODER"); }

  void pagesAreTurnedUpright() {
    for (const char* decoder : {"", "none"}) {
      if (*decoder != 0) qputenv("GANTRY_DECODER", decoder);
      for (const Stored& way : ways)
        for (const std::uint32_t tile : {0U, 16U}) {
          TiffLayout layout;
          layout.orientation = way.orientation;
          layout.tile_width = layout.tile_height = tile;
          layout.compression = tile > 0 ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE;
          write_numbers<std::uint16_t>(path("a.tif"), {values_of<std::uint16_t>(way.values)},
                                       way.columns, layout);
          write_numbers<double>(path("b.tif"), {values_of<double>(way.values)}, way.columns,
                                layout);
          for (const char* name : {"a.tif", "b.tif"}) {
            TiffPages file(path(name));
            const TiffPage page = file.load(0);
            QCOMPARE(page.columns, 3);
            QCOMPARE(page.rows, 2);
            QCOMPARE(file.page(0), page);
            std::vector<float> read(6);
            file.values(read);
            QCOMPARE(read, picture());
            QVERIFY(page.turned_text().find(way.text) != std::string::npos);
            QCOMPARE(page.turned_text().empty(), way.orientation == ORIENTATION_TOPLEFT);
          }
        }
    }
  }

  /// The resolution along a row of the file is that along a column of the picture.
  void theResolutionTurnsToo() {
    TiffLayout layout;
    layout.across = 20;
    layout.along = 50;
    layout.unit = RESUNIT_CENTIMETER;
    layout.orientation = ORIENTATION_RIGHTTOP;
    write_pages(path("a.tif"), {values_of<std::uint16_t>("cfbead")}, 2, layout);
    const TiffResolution found = TiffPages(path("a.tif")).resolution();
    QCOMPARE(found.x, 50.0);
    QCOMPARE(found.y, 20.0);
  }

  void volumesAreTurnedUpright() {
    for (const Stored& way : ways) {
      TiffLayout layout;
      layout.orientation = way.orientation;
      write_pages(path("a.tif"), {2, values_of<std::uint16_t>(way.values)}, way.columns, layout);
      const LoadedVolume read = load_volume(path("a.tif"));
      QCOMPARE(read.grid.nx, 3);
      QCOMPARE(read.grid.ny, 2);
      std::vector<float> expected = picture();
      expected.insert(expected.end(), expected.begin(), expected.begin() + 6);
      QCOMPARE(read.mu, expected);
      QCOMPARE(has_part(read.notes, "tag Orientation"), way.orientation != ORIENTATION_TOPLEFT);
      QVERIFY(has_part(read.notes, way.text));
    }
  }

  /// Projections from the lowest row on beside flats and darks from the uppermost one on.
  void projectionsAreTurnedUpright() {
    TiffLayout layout;
    layout.orientation = ORIENTATION_BOTLEFT;
    for (int i = 0; i < 3; ++i)
      write_pages(path("p_" + std::to_string(i) + ".tif"),
                  {upside_down(CountedFrames::projection(i))}, CountedFrames::columns, layout);
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    write_pages(path("dark.tif"), {CountedFrames::dark_frame(0)}, CountedFrames::columns);
    const ImportedScan scan = imported();
    expect_line_integrals(scan, {0, 1, 2});
    QVERIFY(has_part(scan.scan.notes,
                     "images were turned upside down, since the tag Orientation of p_0.tif is 4"));
  }

  /// Of ImageJ's unit, the resolution and its unit: what is a size of a cell, and what is said.
  void theSizeOfACell_data() {
    QTest::addColumn<QByteArray>("unit");  // of ImageJ
    QTest::addColumn<double>("across");
    QTest::addColumn<double>("along");
    QTest::addColumn<int>("unit_of_resolution");
    QTest::addColumn<double>("column_mm");  // 0: not known
    QTest::addColumn<double>("row_mm");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* name, const char* unit, double across, double along,
                        int of_resolution, double column_mm, double row_mm, const char* note) {
      QTest::newRow(name) << QByteArray(unit) << across << along << of_resolution << column_mm
                          << row_mm << QString(note);
    };
    row("mm", "mm", 100, 100, RESUNIT_NONE, 0.01, 0.01, "");
    row("micron", "micron", 0.2, 0.2, RESUNIT_INCH, 5e-3, 5e-3, "");
    row("escaped", "\\u00B5m", 0.2, 0.1, RESUNIT_NONE, 5e-3, 1e-2, "");
    row("cm", "cm", 50, 50, RESUNIT_CENTIMETER, 0.2, 0.2, "");
    row("no unit, 72 an inch", "", 72, 72, RESUNIT_INCH, 0, 0, "");
    row("no unit, 72 an inch in centimetres", "", 28.346, 28.346, RESUNIT_CENTIMETER, 0, 0, "");
    row("no unit, 300 an inch", "", 300, 300, RESUNIT_INCH, 0, 0, "");
    row("no unit, 508 an inch", "", 508, 508, RESUNIT_INCH, 0, 0,
        "p_0.tif states 508 pixels an inch, which may be a resolution of printing: "
        "--pixel 0.05 takes it");
    row("no unit, 508 in no unit", "", 508, 508, RESUNIT_NONE, 0, 0, "");
    row("no unit, centimetres", "", 1000, 1000, RESUNIT_CENTIMETER, 0, 0,
        "p_0.tif states 1000 pixels a centimetre, which may be a resolution of printing: "
        "--pixel 0.01 takes it");
    row("inch", "inch", 300, 300, RESUNIT_INCH, 0, 0, "");
    row("pixel", "pixel", 1, 1, RESUNIT_NONE, 0, 0, "");
    row("two units", "mm", 50, 50, RESUNIT_CENTIMETER, 0.2, 0.2,
        "p_0.tif counts pixels a centimetre, while its description has mm as the unit");
  }
  void theSizeOfACell() {
    QFETCH(const QByteArray, unit);
    QFETCH(const double, across);
    QFETCH(const double, along);
    QFETCH(const int, unit_of_resolution);
    QFETCH(const double, column_mm);
    QFETCH(const double, row_mm);
    QFETCH(const QString, note);
    TiffLayout layout;
    const QByteArray description = "ImageJ=1.53t\nimages=1\nunit=" + unit + "\n";
    if (!unit.isEmpty()) layout.description = description.constData();
    layout.across = static_cast<float>(across);
    layout.along = static_cast<float>(along);
    layout.unit = static_cast<std::uint16_t>(unit_of_resolution);
    write_counted(layout);
    const ImportedScan scan = imported();
    const ScanSpec& spec = scan.scan.geometry->spec();
    QCOMPARE(scan.scan.lengths_are_known, column_mm > 0);
    EXPECT_NEAR(spec.column_pitch_mm, column_mm > 0 ? column_mm : 1, 1e-6 * column_mm);
    EXPECT_NEAR(spec.row_pitch_mm, row_mm > 0 ? row_mm : 1, 1e-6 * row_mm);
    QCOMPARE(is_said_of_cell(scan, "ImageJ's unit and the resolution in p_0.tif"), column_mm > 0);
    QCOMPARE(is_said_of_cell(scan, "neither the files nor the user state it"), column_mm == 0);
    if (note.isEmpty())
      QVERIFY(!has_part(scan.scan.notes, "p_0.tif"));
    else
      QVERIFY2(has_part(scan.scan.notes, note.toUtf8()), qPrintable(note));
  }

  void theSizeOfTheRequestComesFirst() {
    TiffLayout layout;
    layout.description = "ImageJ=1.53t\nimages=1\nunit=mm\n";
    layout.across = layout.along = 100;
    write_counted(layout);
    const ImportedScan scan = imported([](ImportRequest& request) { request.pixel_mm = 0.5; });
    QCOMPARE(scan.scan.geometry->spec().column_pitch_mm, 0.5);
    QVERIFY(!is_said_of_cell(scan, "ImageJ's unit"));
  }

  void aFileOfAnotherSizeIsNamed() {
    TiffLayout layout;
    layout.description = "ImageJ=1.53t\nimages=1\nunit=mm\n";
    layout.across = layout.along = 100;
    write_counted(layout);
    layout.across = layout.along = 50;
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns, layout);
    ImportedScan scan = imported();
    QVERIFY(!has_part(scan.scan.notes, "states 0.02 mm"));  // the dark is looked at last
    write_pages(path("dark.tif"), {CountedFrames::dark_frame(0)}, CountedFrames::columns, layout);
    scan = imported();
    QCOMPARE(scan.scan.geometry->spec().column_pitch_mm, 0.01);
    QVERIFY(has_part(scan.scan.notes, "dark.tif states 0.02 mm as the size of a pixel, not 0.01"));
  }

  /// TIFF that Gantry made of a scan whose cells are of unknown size says mm, and that these are
  /// cells.
  void cellsOfUnknownSizeStayUnknown() {
    for (const bool are_known : {false, true}) {
      const std::vector<float> values(std::size_t{4} * 3 * 2, 0.5F);
      VolumeToWrite images;
      images.grid = VolumeGrid::centered(4, 3, 2, {0.25, 0.25, 1});
      images.mu = values;
      images.lengths_are_known = are_known;
      write_volume(path("p.tif"), images);
      const ImportedScan scan = imported([this](ImportRequest& request) {
        request.path = path("p.tif");
        request.normalise.are_line_integrals = true;
        request.centre = 1.5;
      });
      QCOMPARE(scan.scan.lengths_are_known, are_known);
      QCOMPARE(scan.scan.geometry->spec().column_pitch_mm, are_known ? 0.25 : 1);
    }
  }

  /// Without a flat, what was left out comes before all other notes.
  void imagesThatMayBeFlatsAreNamedFirst() {
    TiffLayout layout;
    layout.orientation = ORIENTATION_TOPRIGHT;  // which is noted
    for (int i = 0; i < 3; ++i)
      write_pages(path("p_" + std::to_string(i) + ".tif"), {CountedFrames::projection(i)},
                  CountedFrames::columns, layout);
    write_pages(path("x_1.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    const ImportedScan scan = imported();
    QVERIFY(scan.scan.notes.size() > 2);
    QVERIFY2(scan.scan.notes[0].starts_with(
                 "no flat was found, though images that were left out may be flats or darks: "
                 "x_#.tif (1 file); --flat and --dark name these; "),
             scan.scan.notes[0].c_str());
    const ImportedScan with_flat =
        imported([this](ImportRequest& request) { request.flats = {path("x_1.tif")}; });
    QVERIFY(!has_part(with_flat.scan.notes, "may be flats or darks"));
    write_pages(path("io_1.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    QVERIFY(QFile::remove(folder_->filePath(QStringLiteral("x_1.tif"))));
    QVERIFY(is_assumed(imported(), "flats", "io_1.tif"));
  }

  /// The rows of a sinogram are views, whose distance says nothing of the rows of the detector.
  void aSinogramHasTheSizeOfItsColumns() {
    TiffLayout layout;
    layout.description = "ImageJ=1.53t\nimages=1\nunit=mm\n";
    layout.across = 100;
    layout.along = 7;
    write_pages(path("sino_0.tif"), {CountedFrames::projection(0)}, CountedFrames::columns, layout);
    const ImportedScan scan = imported();
    QCOMPARE(scan.scan.geometry->views(), CountedFrames::rows);
    QCOMPARE(scan.scan.geometry->spec().column_pitch_mm, 0.01);
    QCOMPARE(scan.scan.geometry->spec().row_pitch_mm, 0.01);
  }

  void anglesInATableBesideGoToTheFilesThatItNames() {
    write_counted({});
    write_file(path("angles.csv"), "image,angle\np_2.tif,7\np_0.tif,1\np_1.tif,4\n");
    const std::vector<double> angles =
        imported([](ImportRequest& request) { request.arc_deg.reset(); })
            .scan.geometry->spec()
            .view_angles_rad;
    QCOMPARE(angles.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(degrees(angles[i]), 1 + 3.0 * i, 1e-12);
    write_file(path("angles.csv"), "image,angle\np_2.tif,7\np_0.tif,1\n");
    EXPECT_THROWS(InputError, imported([](ImportRequest& request) { request.arc_deg.reset(); }),
                  "has no line for 1 of 3, p_1.tif");
  }

  void aClosedShutterMakesDarksWhereThereAreNone() {
    const std::vector<int> lit = {6, 7, 8, 8, 7, 6};
    for (int i = 0; i < 8; ++i)
      write_pages(path("p_" + std::to_string(i) + ".tif"),
                  {i < 6 ? CountedFrames::projection(lit[static_cast<std::size_t>(i)])
                         : CountedFrames::dark_frame(0)},
                  CountedFrames::columns);
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    const ImportedScan scan = imported();
    expect_line_integrals(scan, lit);
    QVERIFY(is_assumed(scan, "darks", "2 projections from p_6.tif to p_7.tif"));
  }

  void omeStatesTheSizeOfPixels() {
    TiffLayout layout;
    layout.description =
        "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image ID=\"Image:0\">"
        "<Pixels SizeX=\"9\" PhysicalSizeX=\"3.5\" PhysicalSizeY=\"0.007\" "
        "PhysicalSizeYUnit=\"mm\" PhysicalSizeZ=\"5000\" "
        "PhysicalSizeZUnit='nm'/></Image></OME>";
    write_counted(layout);
    const ImportedScan scan = imported();
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.0035, 1e-12);
    EXPECT_NEAR(scan.scan.geometry->spec().row_pitch_mm, 0.007, 1e-12);
    QVERIFY(is_said_of_cell(scan, "PhysicalSizeX of OME in p_0.tif"));
    write_pages(path("v.tif"), {CountedFrames::projection(0), CountedFrames::projection(1)},
                CountedFrames::columns, layout);
    const LoadedVolume volume = load_volume(path("v.tif"));
    EXPECT_NEAR(volume.grid.spacing_mm.x, 0.0035, 1e-12);
    EXPECT_NEAR(volume.grid.spacing_mm.y, 0.007, 1e-12);
    EXPECT_NEAR(volume.grid.spacing_mm.z, 0.005, 1e-12);
    QVERIFY(!has_part(volume.notes, "states no"));
  }
};

GANTRY_TEST(TestTiffStatements)
#include "test_tiff_statements.moc"
