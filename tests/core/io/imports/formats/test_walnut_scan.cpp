// Images that lie turned, mirrored or in the reverse order against their geometry: by options, and
// by themselves for the walnuts of CWI, whose scripts take transpose(flipud(image)) and the last
// image first.
#include "core/base/error.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/formats/off_centre_ball.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

using namespace gantry;
using namespace gantry::test;

class TestWalnutScan : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const std::string& name = {}) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  static constexpr double beam = 50000, dark = 200;

  /// Writes the vectors, and images as the scanner read them out.
  void write_walnut(const ScanGeometry& geometry) const {
    const int rows = geometry.rows(), columns = geometry.columns(), views = geometry.views();
    QByteArray vectors;
    for (int view = 0; view < views; ++view) {
      const View pose = geometry.view(view);
      const Vec3 middle = pose.detector_mm +
                          (0.5 * (columns - 1) - geometry.spec().central_column) * pose.u_mm +
                          (0.5 * (rows - 1) - geometry.spec().central_row) * pose.v_mm;
      for (const Vec3& one : {pose.source_mm, middle, pose.u_mm, pose.v_mm})
        vectors += numbers(one) + ' ';
      vectors += '\n';
    }
    write_file(path("scan_geom_corrected.geom"), vectors);
    const auto image_of = [&](const auto& value) {
      Page image(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
      for (int r = 0; r < rows; ++r)  // image = flipud(transpose(projection))
        for (int c = 0; c < columns; ++c)
          image[static_cast<std::size_t>((columns - 1 - c) * rows + r)] =
              static_cast<std::uint16_t>(std::lround(value(r, c)));
      return image;
    };
    const auto write = [&](const std::string& name, const Page& image) {
      write_pages(path(name), {image}, rows);
    };
    write("di000000.tif", image_of([](int, int) { return dark; }));
    for (const char* name : {"io000000.tif", "io000001.tif"})
      write(name, image_of([](int, int) { return dark + beam; }));
    for (int view = 0; view < views; ++view)
      write(QStringLiteral("scan_%1.tif")
                .arg(views - 1 - view, 6, 10, QLatin1Char('0'))
                .toStdString(),
            image_of([&](int r, int c) {
              return dark + beam * std::exp(-OffCentreBall::integral(geometry.ray(view, c, r)));
            }));
  }
  static void expect_ball(const ImportedScan& imported) {
    const ScanGeometry& found = *imported.scan.geometry;
    QCOMPARE(found.columns(), cone_of_ball().detector_columns);
    OffCentreBall::expect_in(found, imported.scan.line_integrals, 1e-4);
  }
  ImportRequest request() const {
    ImportRequest asked;
    asked.path = path();
    return asked;
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theDataSetIsKnownByItsNames() {
    write_walnut(ScanGeometry(cone_of_ball()));
    const ImportedScan imported = import_scan(request());
    expect_ball(imported);
    const auto said = std::ranges::find(imported.assumptions, "images", &Assumption::what);
    QVERIFY(said != imported.assumptions.end());
    QCOMPARE(said->value, std::string("turned clockwise by 90 degrees, the last one first"));
    ImportRequest with_geometry = request();
    with_geometry.geometry = path("scan_geom_corrected.geom");
    expect_ball(import_scan(with_geometry));
  }

  /// A missing image takes the vectors of its number with it.
  void aMissingImage() {
    write_walnut(ScanGeometry(cone_of_ball()));
    std::filesystem::remove(path("scan_000004.tif"));
    const ImportedScan imported = import_scan(request());
    QCOMPARE(imported.scan.geometry->views(), 11);
    expect_ball(imported);
  }

  /// The options do the same for images of other names; without them the size is refused, with a
  /// word on how to turn them.
  void options() {
    write_walnut(ScanGeometry(cone_of_ball()));
    std::filesystem::rename(path("scan_geom_corrected.geom"), path("v.geom"));
    ImportRequest asked = request();
    asked.flats = {path("io000000.tif"), path("io000001.tif")};
    asked.darks = {path("di000000.tif")};
    asked.geometry = path("v.geom");
    asked.turn = FrameTurn{90, false, true};
    expect_ball(import_scan(asked));
    asked.turn = FrameTurn{270, false, true};  // turned over by half a turn
    QVERIFY(import_scan(asked).scan.line_integrals !=
            OffCentreBall::integrals(ScanGeometry(cone_of_ball())));
  }

  /// A geometry that states another size says that images may be turned.
  void anotherSizeIsRefused() {
    write_walnut(ScanGeometry(cone_of_ball()));
    QByteArray vectors = bytes_of_file(path("scan_geom_corrected.geom"));
    vectors.prepend("# DetectorColCount = 28\n# DetectorRowCount = 22\n");
    write_file(path("v.geom"), vectors);
    ImportRequest asked = request();
    asked.geometry = path("v.geom");
    asked.turn = FrameTurn{};
    EXPECT_THROWS(InputError, import_scan(asked), "turn the images (--turn 90 or 270)");
  }

  /// Vectors of all projections beside other images are their geometry, also where one is missing;
  /// those of another number are named.
  void vectorsBesideOtherImages() {
    write_walnut(ScanGeometry(cone_of_ball()));
    std::filesystem::rename(path("scan_geom_corrected.geom"), path("v.geom"));
    ImportRequest asked = request();
    asked.turn = FrameTurn{90, false, true};
    expect_ball(import_scan(asked));
    std::filesystem::remove(path("scan_000004.tif"));
    expect_ball(import_scan(asked));
    write_file(path("w.geom"), bytes_of_file(path("v.geom")));
    asked.assumes_half_turn = true;
    QVERIFY(has_part(import_scan(asked).scan.notes, "v.geom, w.geom have each a view for each "));
    std::filesystem::remove(path("w.geom"));
    write_file(path("v.geom"), bytes_of_file(path("v.geom")) + "1 2 3 4 5 6 7 8 9 10 11 12\n");
    const std::vector<std::string> notes = import_scan(asked).scan.notes;
    QVERIFY(has_part(notes, "v.geom, beside them, states 13 views for 11 projections and was"));
    QVERIFY(!has_part(notes, "--angles v.geom"));
  }

  /// A walnut was scanned from three heights of the source, each a folder of its own.
  void aFolderOfScans() {
    const std::unique_ptr<QTemporaryDir> whole = std::make_unique<QTemporaryDir>();
    write_walnut(ScanGeometry(cone_of_ball()));
    const std::filesystem::path parent = whole->path().toStdString();
    std::filesystem::copy(path(), parent / "tubeV1");
    ImportRequest asked;
    asked.path = parent.string();
    expect_ball(import_scan(asked));
    std::filesystem::copy(path(), parent / "tubeV2");
    EXPECT_THROWS(InputError, import_scan(asked), "holds 2 scans: tubeV1, tubeV2");
  }

  /// A missing file of reversed ones lacks the angle that is as far from the end of the list.
  void aMissingFileOfReversedOnes() {
    const std::vector<int> numbers = {0, 1, 3, 4, 5, 6};
    for (const int number : numbers)
      write_pages(path("p_" + std::to_string(number) + ".tif"),
                  {CountedFrames::projection(6 - number)}, CountedFrames::columns);
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    write_pages(path("dark.tif"), {CountedFrames::dark_frame(0)}, CountedFrames::columns);
    ImportRequest asked = request();
    asked.centre = 4;
    asked.turn = FrameTurn{0, false, true};
    const std::vector<double> expected = {0, 20, 50, 90, 170, 230};
    const auto expect = [&](const std::vector<double>& angles) {
      const ImportedScan imported = import_scan(asked);
      expect_angles(imported, angles);
      expect_line_integrals(imported, {0, 1, 2, 3, 5, 6});
    };
    write_file(path("angles.txt"), "0\n20\n50\n90\n120\n170\n230\n");
    expect(expected);
    asked.arc_deg = 180;
    expect({0, 30, 60, 90, 150, 180});
    asked.arc_deg.reset();
    asked.angles = path("angles.txt");
    expect(expected);
    // With the angles of flats and darks behind those of the projections.
    write_file(path("angles.txt"), "0\n20\n50\n90\n120\n170\n230\n9\n");
    std::filesystem::rename(path("dark.tif"), path("p_7.tif"));
    asked.dark_frames = {{6, {}}};
    expect(expected);
    // Names of the files tell their angles in any order.
    write_file(path("angles.txt"),
               "p_0.tif 230\np_1.tif 170\np_3.tif 90\np_4.tif 50\np_5.tif 20\np_6.tif 0\n");
    expect(expected);
  }

  /// Sinograms whose views lie along columns, beside flats that are images of the detector, which
  /// stay, and darks that are sinograms.
  void sinogramsAreTurnedThemselves() {
    constexpr int views = 7, columns = CountedFrames::columns;
    for (int row = 0; row < CountedFrames::rows; ++row) {
      Page sinogram;
      for (int column = 0; column < columns; ++column)
        for (int view = 0; view < views; ++view)
          sinogram.push_back(
              static_cast<std::uint16_t>(CountedFrames::projection(view, row, column)));
      const std::string name = std::to_string(row) + ".tif";
      write_pages(path("sino_" + name), {sinogram}, views);
      write_pages(path("dark_" + name), {Page(2 * std::size_t{columns}, CountedFrames::dark)}, 2);
    }
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, columns);
    ImportRequest asked = request();
    asked.centre = 4;
    asked.arc_deg = 180;
    asked.turn = FrameTurn{90, true, false};
    for (const ImageContent images : {ImageContent::as_found, ImageContent::sinograms}) {
      asked.images = images;
      const ImportedScan imported = import_scan(asked);
      expect_line_integrals(imported, {0, 1, 2, 3, 4, 5, 6});
      QVERIFY(has_part(imported.scan.notes,
                       "the flats, images of the detector beside sinograms, "
                       "were not turned as these were"));
      QVERIFY(!has_part(imported.scan.notes, "the darks"));
    }
    // Frames that are marked are those of the turned images.
    asked.turn = FrameTurn{90, true, true};
    asked.dark_frames = {{6, {}}};
    expect_line_integrals(import_scan(asked), {5, 4, 3, 2, 1, 0});
  }

  /// The order of the axes tells how sinograms lie in an array.
  void sinogramsOfArraysAreNotTurned() {
    write_file(path("a.npy"), "\x93NUMPY");
    ImportRequest asked = request();
    asked.path = path("a.npy");
    asked.images = ImageContent::sinograms;
    asked.turn = FrameTurn{90};
    EXPECT_THROWS(UsageError, import_scan(asked), "state the order of its axes (--axes) instead");
  }

  /// Every turn, with and without a mirror, of a frame of 2 x 3.
  void turns() {
    class Numbered final : public FrameSource {
     public:
      int frames() const override { return 3; }
      int rows() const override { return 2; }
      int columns() const override { return 3; }
      void read(int frame, std::span<float> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = static_cast<float>(100 * frame) + static_cast<float>(i);
      }
      std::string name(int frame) const override { return std::to_string(frame); }
    };
    const auto first_of = [](const FrameTurn& turn) {
      RawScan scan;
      scan.projections = std::make_shared<const Numbered>();
      turn_frames(turn, scan);
      std::vector<float> values(6);
      scan.projections->read(0, values);
      return values;
    };
    const std::vector<std::pair<FrameTurn, std::vector<float>>> expected = {
        {{0, false}, {0, 1, 2, 3, 4, 5}},   {{90, false}, {3, 0, 4, 1, 5, 2}},
        {{180, false}, {5, 4, 3, 2, 1, 0}}, {{270, false}, {2, 5, 1, 4, 0, 3}},
        {{0, true}, {2, 1, 0, 5, 4, 3}},    {{90, true}, {0, 3, 1, 4, 2, 5}},
        {{180, true}, {3, 4, 5, 0, 1, 2}},  {{270, true}, {5, 2, 4, 1, 3, 0}}};
    for (const auto& [turn, values] : expected) QCOMPARE(first_of(turn), values);
    QCOMPARE(first_of({0, false, true})[0], 200.0F);
    RawScan stated;
    stated.projections = std::make_shared<const Numbered>();
    stated.geometry = cone_of_ball();
    EXPECT_THROWS(UsageError, turn_frames({90}, stated), "the files state how source");
  }
};

GANTRY_TEST(TestWalnutScan)
#include "test_walnut_scan.moc"
