// Images that lie turned, mirrored or in the reverse order against their geometry: by options, and
// by themselves for the walnuts of CWI, whose scripts take transpose(flipud(image)) and the last
// image first.
#include "core/base/error.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_scan.hpp"
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

  /// Vectors beside other images are named as a geometry, not as angles.
  void vectorsAreNoAngles() {
    write_walnut(ScanGeometry(cone_of_ball()));
    std::filesystem::rename(path("scan_geom_corrected.geom"), path("v.geom"));
    ImportRequest asked = request();
    asked.assumes_half_turn = true;
    const std::vector<std::string> notes = import_scan(asked).scan.notes;
    const auto has = [&](const std::string& words) {
      return std::ranges::any_of(
          notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
    };
    QVERIFY(has("v.geom looks like a geometry and was not read; --geometry takes it"));
    QVERIFY(!has("--angles v.geom"));
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
