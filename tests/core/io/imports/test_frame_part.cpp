// Parts of imported scans: some cells, groups of cells, some projections.
#include "core/base/error.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_json.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/sinogram_frames.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Five frames of 6 rows of 10 columns: frame f shows 1000 f + 100 row + column.
class CountingFrames final : public FrameSource {
 public:
  int frames() const override { return 5; }
  int rows() const override { return 6; }
  int columns() const override { return 10; }
  void read(int frame, std::span<float> values) const override {
    std::size_t cell = 0;
    for (int row = 0; row < rows(); ++row)
      for (int column = 0; column < columns(); ++column)
        values[cell++] = static_cast<float>(1000 * frame + 100 * row + column);
  }
  std::string name(int frame) const override { return "frame " + std::to_string(frame); }
};

/// Notes which frames are read.
class WatchedFrames final : public FrameSource {
 public:
  int frames() const override { return frames_.frames(); }
  int rows() const override { return frames_.rows(); }
  int columns() const override { return frames_.columns(); }
  void read(int frame, std::span<float> values) const override {
    read_.push_back(frame);
    frames_.read(frame, values);
  }
  std::string name(int frame) const override { return frames_.name(frame); }
  const std::vector<int>& read_frames() const { return read_; }

 private:
  CountingFrames frames_;
  mutable std::vector<int> read_;
};

/// Frames of which a part can be read alone; notes of how many cells the means were read.
class PartlyReadFrames final : public FrameSource {
 public:
  explicit PartlyReadFrames(const PartOfCells& part = {{0, 10}, {0, 6}}) : part_(part) {}
  int frames() const override { return (frames_.frames() + part_.every - 1) / part_.every; }
  int rows() const override { return part_.rows.groups(); }
  int columns() const override { return part_.columns.groups(); }
  int place(int frame) const override { return frame * part_.every; }
  std::string name(int frame) const override { return frames_.name(place(frame)); }
  void read(int frame, std::span<float> values) const override {
    std::vector<float> all(60);
    frames_.read(place(frame), all);
    const int group = part_.rows.group;
    std::ranges::fill(values, 0);
    for (int row = 0; row < part_.rows.count; ++row)
      for (int column = 0; column < part_.columns.count; ++column)
        values[static_cast<std::size_t>(row / group * columns() + column / group)] +=
            all[static_cast<std::size_t>((part_.rows.first + row) * 10 + part_.columns.first +
                                         column)];
    for (float& value : values) value /= static_cast<float>(group * group);
    *read_cells += part_.rows.count * part_.columns.count;
  }
  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override {
    const auto of_frames = std::make_shared<PartlyReadFrames>(part);
    of_frames->read_cells = read_cells;
    return of_frames;
  }
  std::shared_ptr<int> read_cells = std::make_shared<int>(0);

 private:
  CountingFrames frames_;
  PartOfCells part_;
};

RawScan counting_scan() {
  RawScan scan;
  scan.projections = scan.flats = scan.darks = std::make_shared<CountingFrames>();
  return scan;
}

ScanSpec cone() {
  ScanSpec spec = fan_spec(5, 10, 2);
  spec.beam = Beam::cone;
  spec.detector_rows = 6;
  spec.row_pitch_mm = 3;
  spec.central_column = 4.2;
  spec.central_row = 1.7;
  return spec;
}

ScanSpec with_poses(const ScanSpec& circle) {
  const ScanGeometry geometry(circle);
  ScanSpec spec = circle;
  spec.trajectory = Trajectory::poses;
  for (int view = 0; view < geometry.views(); ++view) {
    View pose = geometry.view(view);
    pose.source_mm.z += view;
    spec.poses.push_back(pose);
  }
  return spec;
}

}  // namespace

class TestFramePart : public QObject {
  Q_OBJECT
 private slots:
  void framesAreCutBinnedAndLeftOut() {
    RawScan scan = counting_scan();
    take_part(scan, {.columns = {3, 8}, .rows = {1, {}}, .bin = 2, .every = 2});
    QCOMPARE(scan.projections->frames(), 3);
    QCOMPARE(scan.flats->frames(), 5);  // all flats count
    QCOMPARE(scan.projections->columns(), 3);
    QCOMPARE(scan.projections->rows(), 2);  // rows 1 to 4; row 5 fills no group
    std::vector<float> values(6);
    scan.projections->read(2, values);
    QCOMPARE(scan.projections->name(2), std::string("frame 4"));
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 3; ++column)
        QCOMPARE(values[static_cast<std::size_t>(row * 3 + column)],
                 4000 + 100 * (1.5F + 2.0F * float(row)) + 3.5F + 2.0F * float(column));
    scan.darks->read(1, values);
    QCOMPARE(values[0], 1000 + 150 + 3.5F);
  }

  /// The middle of each new cell is that of its group, and its view that of the projection.
  void theGeometryIsThatOfThePart_data() {
    QTest::addColumn<bool>("poses");
    QTest::addColumn<bool>("arc");
    QTest::addColumn<bool>("begins_lowest");
    QTest::addRow("flat") << false << false << false;
    QTest::addRow("flat, rows from below") << false << false << true;
    QTest::addRow("arc") << false << true << false;
    QTest::addRow("poses") << true << false << false;
  }
  void theGeometryIsThatOfThePart() {
    QFETCH(bool, poses);
    QFETCH(bool, arc);
    QFETCH(bool, begins_lowest);
    ScanSpec spec = cone();
    if (arc) spec.detector = DetectorShape::arc;
    if (poses) spec = with_poses(spec);
    const FramePart part{.columns = {3, 8}, .rows = {1, 4}, .bin = 2, .every = 2};
    const ScanGeometry whole(spec), cut(part_of(spec, part, begins_lowest));
    QCOMPARE(cut.views(), 3);
    QCOMPARE(cut.columns(), 3);
    QCOMPARE(cut.rows(), 2);
    for (int view = 0; view < 3; ++view)
      for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 3; ++column) {
          const Ray here = cut.ray(view, column, row);
          // Image rows 1 to 4 of six are rows 1 to 4 from below, too.
          const Ray there = whole.ray(2 * view, 3.5 + 2 * column, 1.5 + 2 * row);
          EXPECT_NEAR(here.origin_mm.x, there.origin_mm.x, 1e-9);
          EXPECT_NEAR(here.origin_mm.z, there.origin_mm.z, 1e-9);
          EXPECT_NEAR(here.direction.x, there.direction.x, 1e-9);
          EXPECT_NEAR(here.direction.y, there.direction.y, 1e-9);
          EXPECT_NEAR(here.direction.z, there.direction.z, 1e-9);
        }
    // The two uppermost rows of the images are the highest, or the lowest where they come first.
    const ScanGeometry top(part_of(spec, {.columns = {}, .rows = {0, 1}}, begins_lowest));
    EXPECT_NEAR(top.ray(0, 0, 0).direction.z, whole.ray(0, 0, begins_lowest ? 0 : 4).direction.z,
                1e-9);
  }

  /// The only row of a sinogram cannot be joined to others.
  void aSingleRowStays() {
    ScanSpec spec = fan_spec(5, 10, 2);
    spec.central_column = 4.2;
    const ScanSpec cut = part_of(spec, {.columns = {}, .rows = {}, .bin = 3}, false);
    QCOMPARE(cut.detector_rows, 1);
    QCOMPARE(cut.row_pitch_mm, spec.row_pitch_mm);
    QCOMPARE(cut.detector_columns, 3);
    EXPECT_NEAR(cut.central_column, 4.7 / 3 - 0.5, 1e-12);
  }

  /// Images 1 to 4 of sinograms are rows 1 to 4 of the views; the others are not read, and the
  /// views are those that reading whole frames gives.
  void ofSinogramsThePartAloneIsHeld() {
    const FramePart part{.columns = {1, 8}, .rows = {1, 4}, .bin = 2, .every = 2};
    const auto images = std::make_shared<WatchedFrames>();
    RawScan scan;
    scan.projections = frames_of_sinograms(images, {});
    const FrameSource& whole = *scan.projections;
    QCOMPARE(whole.frames(), 6);
    QCOMPARE(whole.rows(), 5);
    std::vector<std::vector<float>> expected;
    for (const int view : {0, 2, 4}) {
      std::vector<float>& cells = expected.emplace_back();
      for (const int row : {1, 3})
        for (int column = 1; column < 9; column += 2)
          cells.push_back(static_cast<float>(1000 * row + 500 + 100 * view) +
                          static_cast<float>(column) + 0.5F);
    }
    take_part(scan, part);
    QCOMPARE(scan.projections->frames(), 3);
    QCOMPARE(scan.projections->place(2), 4);
    for (std::size_t view = 0; view < 3; ++view) {
      std::vector<float> cells(8);
      scan.projections->read(static_cast<int>(view), cells);
      QCOMPARE(cells, expected[view]);
    }
    QCOMPARE(images->read_frames(), (std::vector{1, 2, 3, 4}));
    // Reversed, the same.
    const auto others = std::make_shared<WatchedFrames>();
    scan.projections = frames_of_sinograms(others, {});
    turn_frames({.is_reversed = true}, scan);
    take_part(scan, part);
    std::vector<float> last(8);
    scan.projections->read(2, last);
    for (std::size_t cell = 0; cell < 8; ++cell)  // view 1 of six
      QCOMPARE(last[cell], 0.5F * (expected[0][cell] + expected[1][cell]));
    QCOMPARE(others->read_frames(), (std::vector{1, 2, 3, 4}));
  }

  /// A part of turned frames is read alone, and holds what the same part of all cells does.
  void ofTurnedFramesThePartAloneIsRead_data() {
    QTest::addColumn<int>("clockwise_deg");
    QTest::addColumn<bool>("is_mirrored");
    for (const int clockwise_deg : {0, 90, 180, 270})
      for (const bool is_mirrored : {false, true})
        if (clockwise_deg > 0 || is_mirrored)
          QTest::addRow("%d degrees%s", clockwise_deg, is_mirrored ? ", mirrored" : "")
              << clockwise_deg << is_mirrored;
  }
  void ofTurnedFramesThePartAloneIsRead() {
    QFETCH(int, clockwise_deg);
    QFETCH(bool, is_mirrored);
    const FrameTurn turn{clockwise_deg, is_mirrored};
    const FramePart part{.columns = {1, 4}, .rows = {2, 5}, .bin = 2, .every = 2};
    RawScan scan = counting_scan(), expected = counting_scan();
    const auto stored = std::make_shared<PartlyReadFrames>();
    scan.projections = stored;
    for (RawScan* one : {&scan, &expected}) {
      turn_frames(turn, *one);
      take_part(*one, part);
    }
    QCOMPARE(scan.projections->frames(), 3);
    QCOMPARE(scan.projections->place(2), 4);
    for (int frame = 0; frame < 3; ++frame) {
      std::vector<float> values(4), others(4);
      scan.projections->read(frame, values);
      expected.projections->read(frame, others);
      QCOMPARE(values, others);
    }
    QCOMPARE(*stored->read_cells, 3 * 16);
  }

  void thePartOfEverythingIsEverything() {
    RawScan scan = counting_scan();
    const auto before = scan.projections;
    take_part(scan, {});
    QVERIFY(scan.projections == before);
    QVERIFY(part_of(cone(), {}, false) == cone());
  }

  void badPartsAreRefused() {
    const auto take = [](const FramePart& part) {
      RawScan scan = counting_scan();
      take_part(scan, part);
    };
    EXPECT_THROWS(InputError, take({.columns = {2, 10}, .rows = {}}),
                  "columns 2 to 10 lie outside the 10 columns of the images; count from 0 to 9");
    EXPECT_THROWS(InputError, take({.columns = {}, .rows = {6, {}}}),
                  "rows 6 to 5 lie outside the 6 rows");
    EXPECT_THROWS(InputError, take({.columns = {5, 4}, .rows = {}}),
                  "the first of the columns, 5, lies after the last, 4; write the smaller number");
    EXPECT_THROWS(InputError, take({.columns = {}, .rows = {2, 4}, .bin = 4}),
                  "groups of 4 cells do not fit into 3 rows");
  }

  void experimentsHoldThePart() {
    ImportSettings settings;
    settings.part = {{5, {}}, {2, 9}, 3, 4};
    settings.images = ImageContent::sinograms;
    settings.leaves_out_damaged = true;
    settings.turn = FrameTurn{270, true, true};
    const nlohmann::json json = to_json(settings, "/");
    QVERIFY(import_from_json(JsonFields(json, "test"), "/") == settings);
    for (const char* text : {R"({"columns": 5})", R"({"rows": []})", R"({"rows": [1, 2, 3]})",
                             R"({"rows": [-1]})", R"({"columns": [1, "2"]})", R"({"bin": 0})",
                             R"({"every": 0})", R"({"images": "slices"})", R"({"turn_deg": 45})"}) {
      const nlohmann::json bad = nlohmann::json::parse(text);
      EXPECT_THROWS(InputError, import_from_json(JsonFields(bad, "test"), "/"), "test");
    }
  }

  /// The ends of a part may lie within the object, where no air is.
  void airOfAPartIsNamed() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("c.npy")).toStdString();
    constexpr int views = 12, rows = 2, columns = 40;
    std::vector<float> counts;
    for (int i = 0; i < views * rows * columns; ++i) {
      const double x = i % columns - 19.5;
      counts.push_back(std::round(
          static_cast<float>(40000 * std::exp(-std::sqrt(std::max(0.0, 100 - x * x)) / 8))));
    }
    write_file(path, npy("<f4", "(12, 2, 40)", little_endian(std::span<const float>(counts))));
    ImportRequest request;
    request.path = path;
    request.arc_deg = 180;
    const auto says = [&](const char* what) {
      return has_part(import_scan(request).scan.notes, what);
    };
    constexpr const char *beam = "the beam was looked for at the ends of the part",
                         *air = "air was taken from the ends of the part";
    QVERIFY(!says(beam) && !says(air));
    request.part.columns = {12, 27};
    QVERIFY(says(beam) && !says(air));
    request.normalise.air_columns = 2;
    QVERIFY(says(air));
    request.normalise.white_level = 40000;
    QVERIFY(says(air) && !says(beam));
    request.part.columns = {};
    QVERIFY(!says(air));
  }
};

GANTRY_TEST(TestFramePart)
#include "test_frame_part.moc"
