// Scans of Zeiss microscopes in compound files (OLE 2).
#include "core/base/error.hpp"
#include "core/io/files/containers/ole_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/ole_writer.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/child_processes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int views = 5;
using Streams = std::map<std::string, QByteArray>;

template <class Number>
QByteArray bytes_of(const std::vector<Number>& numbers) {
  return QByteArray(reinterpret_cast<const char*>(numbers.data()),
                    static_cast<qsizetype>(numbers.size() * sizeof(Number)));
}
QByteArray whole(std::int32_t value) { return bytes_of(std::vector<std::int32_t>{value}); }
QByteArray real(float value) { return bytes_of(std::vector<float>{value}); }

/// A cone beam with cells of 30 um at the object, magnified twice.
Streams scan_streams() {
  Streams streams = {{"ImageInfo/ImageWidth", whole(CountedFrames::columns)},
                     {"ImageInfo/ImageHeight", whole(CountedFrames::rows)},
                     {"ImageInfo/NoOfImages", whole(views)},
                     {"ImageInfo/DataType", whole(5)},
                     {"ImageInfo/XrayGeometry", whole(1)},
                     {"ImageInfo/PixelSize", real(30)},
                     {"ImageInfo/Angles", bytes_of(std::vector<float>{-90, -45, 0, 45, 90})},
                     {"ImageInfo/StoRADistance", bytes_of(std::vector<float>(views, -50))},
                     {"ImageInfo/DtoRADistance", bytes_of(std::vector<float>(views, 50))},
                     {"ReferenceData/DataType", whole(10)}};
  for (int i = 0; i < views; ++i)
    streams["ImageData1/Image" + std::to_string(i + 1)] = bytes_of(CountedFrames::projection(i));
  std::vector<float> flat;
  for (int row = 0; row < CountedFrames::rows; ++row)
    for (int column = 0; column < CountedFrames::columns; ++column)
      flat.push_back(static_cast<float>(CountedFrames::flat(column)));
  streams["ReferenceData/Image"] = bytes_of(flat);
  return streams;
}

struct Ball {
  Vec3 centre_mm;
  double radius_mm;
};
constexpr Ball balls[] = {{{0.04, -0.06, 0.03}, 0.22}, {{-0.2, 0.12, -0.06}, 0.09}};

/// The thickness of the balls along a ray.
double thickness_mm(Vec3 from, Vec3 direction) {
  double sum = 0;
  for (const Ball& ball : balls) {
    const double off = norm(cross(ball.centre_mm - from, direction));
    if (off < ball.radius_mm) sum += 2 * std::sqrt(ball.radius_mm * ball.radius_mm - off * off);
  }
  return sum;
}

/// A whole turn of the balls whose images are to be moved, each otherwise. The axis is not in the
/// middle of an image that stays.
struct ShiftedScan {
  static constexpr int views = 60, rows = 20, columns = 35;
  static constexpr double axis_column = 15.3, cell_mm = 0.06;
  double source_mm = 50;  ///< to the axis; the detector is as far; 0: parallel

  static float right(int view) { return 1.7F * std::sin(2.3F * static_cast<float>(view)); }
  static float down(int view) { return 1.2F * std::cos(1.9F * static_cast<float>(view)); }
  static double angle_deg(int view) { return -90 + 360.0 * view / views; }

  double thickness(int view, int row, int column) const {
    const double t = radians(angle_deg(view)), c = std::cos(t), s = std::sin(t),
                 cell = source_mm > 0 ? cell_mm : 0.5 * cell_mm,
                 across = (column + right(view) - axis_column) * cell,
                 up = (0.5 * (rows - 1) - row - down(view)) * cell;
    const auto turned = [&](double u, double forward) {
      return Vec3{c * u - s * forward, s * u + c * forward, 0};
    };
    const Vec3 on = turned(across, 50) + Vec3{0, 0, up},
               from = source_mm > 0 ? turned(0, -source_mm) : on - turned(0, 100);
    return thickness_mm(from, normalized(on - from));
  }
  Streams streams() const {
    std::vector<float> angles, x, y, flat(rows * columns, 30000);
    Streams streams = scan_streams();
    for (int view = 0; view < views; ++view) {
      std::vector<float> image;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          image.push_back(static_cast<float>(30000 * std::exp(-2 * thickness(view, row, column))));
      streams["ImageData1/Image" + std::to_string(view + 1)] = bytes_of(image);
      angles.push_back(static_cast<float>(angle_deg(view)));
      x.push_back(right(view));
      y.push_back(down(view));
    }
    streams["ImageInfo/ImageWidth"] = whole(columns);
    streams["ImageInfo/ImageHeight"] = whole(rows);
    streams["ImageInfo/NoOfImages"] = whole(views);
    streams["ImageInfo/DataType"] = whole(10);
    streams["ImageInfo/XrayGeometry"] = whole(source_mm > 0 ? 1 : 0);
    streams["ImageInfo/Angles"] = bytes_of(angles);
    streams["ImageInfo/StoRADistance"] = bytes_of(std::vector<float>(views, -50));
    streams["ImageInfo/DtoRADistance"] = bytes_of(std::vector<float>(views, 50));
    streams["ReferenceData/Image"] = bytes_of(flat);
    streams["Alignment/X-Shifts"] = bytes_of(x);
    streams["Alignment/Y-Shifts"] = bytes_of(y);
    return streams;
  }
};

/// The greatest difference between line integrals and those of the balls along the rays.
double largest_error(const LoadedScan& scan) {
  double largest = 0;
  std::size_t at = 0;
  for (int view = 0; view < scan.geometry->views(); ++view)
    for (int row = 0; row < scan.geometry->rows(); ++row)
      for (int column = 0; column < scan.geometry->columns(); ++column) {
        const Ray ray = scan.geometry->ray(view, column, row);
        largest = std::max(largest, std::abs(2 * thickness_mm(ray.origin_mm, ray.direction) -
                                             scan.line_integrals[at++]));
      }
  return largest;
}

}  // namespace

class TestZeissScan : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path() const { return folder_->filePath(QStringLiteral("s.txrm")).toStdString(); }
  ImportedScan imported(const Streams& streams) const {
    write_ole(path(), streams);
    return read();
  }
  ImportedScan read(std::optional<double> centre = {}) const {
    ImportRequest request;
    request.path = path();
    request.centre = centre;
    return import_scan(request);
  }
  /// The streams, one of which is another.
  static Streams with(const std::string& name, const QByteArray& bytes) {
    Streams streams = scan_streams();
    streams[name] = bytes;
    return streams;
  }
  static Streams without(const std::string& name) {
    Streams streams = scan_streams();
    streams.erase(name);
    return streams;
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void aScan() {
    const ImportedScan scan = imported(scan_streams());
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.beam == Beam::cone);
    EXPECT_NEAR(spec.source_to_isocenter_mm, 50, 1e-9);
    EXPECT_NEAR(spec.source_to_detector_mm, 100, 1e-9);
    EXPECT_NEAR(spec.column_pitch_mm, 0.06, 1e-9);
    expect_angles(scan, {-90, -45, 0, 45, 90});
    std::size_t ray = 0;
    for (int frame = 0; frame < views; ++frame)
      for (int row = CountedFrames::rows - 1; row >= 0; --row)
        for (int column = 0; column < CountedFrames::columns; ++column)
          EXPECT_NEAR(scan.scan.line_integrals[ray++],
                      -std::log(CountedFrames::projection(frame, row, column) /
                                static_cast<double>(CountedFrames::flat(column))),
                      1e-5);
    QVERIFY(is_assumed(scan, "centre of rotation", "column 4, the middle"));
    QVERIFY(scan.scan.notes.empty());
  }

  void flatsAndDarksMayBeGiven() {
    write_ole(path(), without("ReferenceData/Image"));
    const auto beside = [&](const char* name) { return folder_->filePath(name).toStdString(); };
    write_file(beside("f.npy"), npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats())));
    write_pages(beside("d.tif"), {CountedFrames::dark_frame(0)}, CountedFrames::columns);
    ImportRequest request;
    request.path = path();
    request.flats = {beside("f.npy")};
    request.darks = {beside("d.tif")};
    expect_line_integrals(import_scan(request), {0, 1, 2, 3, 4});
  }

  /// Names of streams are compared without regard to case.
  void otherWriting() {
    Streams streams;
    for (const auto& [name, bytes] : scan_streams())
      streams[QString::fromStdString(name).toLower().toStdString()] = bytes;
    QCOMPARE(imported(streams).scan.geometry->views(), views);
  }

  void parallelBeams() {
    const ImportedScan scan = imported(with("ImageInfo/XrayGeometry", whole(0)));
    QVERIFY(scan.scan.geometry->beam() == Beam::parallel);
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.03, 1e-9);
    QVERIFY(is_assumed(scan, "beam", "parallel"));
  }

  /// An image that is to be moved was measured by cells that stand elsewhere.
  void shiftsMoveTheDetector_data() {
    QTest::addColumn<bool>("cone");
    QTest::addRow("cone") << true;
    QTest::addRow("parallel") << false;
  }
  void shiftsMoveTheDetector() {
    QFETCH(bool, cone);
    Streams streams = with("ImageInfo/XrayGeometry", whole(cone ? 1 : 0));
    write_ole(path(), streams);
    const ImportedScan still = read(0.5 * (CountedFrames::columns - 1));
    const std::vector<float> x = {0, 3, -1.5F, 0, 2}, y = {0, -2, 0.25F, 1, 0};
    streams["Alignment/X-Shifts"] = bytes_of(x);
    streams["Alignment/Y-Shifts"] = bytes_of(y);
    const ImportedScan moved = imported(streams);
    QCOMPARE(moved.scan.geometry->spec().trajectory, Trajectory::poses);
    QCOMPARE(moved.scan.line_integrals, still.scan.line_integrals);
    for (int view = 0; view < views; ++view) {
      const auto i = static_cast<std::size_t>(view);
      // Rows are counted upwards, and images are moved down.
      const Ray ours = moved.scan.geometry->ray(view, 2, 1),
                expected = still.scan.geometry->ray(view, 2 + x[i], 1 - y[i]);
      EXPECT_NEAR(norm(cross(ours.direction, expected.direction)), 0, 1e-9);
      EXPECT_NEAR(norm(cross(ours.origin_mm - expected.origin_mm, expected.direction)), 0, 1e-9);
    }
  }

  /// Shifts that are not one for each image are left out, and no word says that they were taken.
  void shiftsThatAreTooFewAreNoted() {
    Streams streams = with("Alignment/X-Shifts", bytes_of(std::vector<float>{0, 3, -1, 2}));
    const std::string note =
        "Alignment/X-Shifts lists 4 numbers for 5 images: these shifts were left out";
    const ImportedScan alone = imported(streams);
    QVERIFY(alone.scan.geometry->spec().trajectory == Trajectory::circular);
    QCOMPARE(alone.scan.notes, std::vector<std::string>{note});
    streams["Alignment/Y-Shifts"] = bytes_of(std::vector<float>{0, 1, 0, 2, 0});
    const ImportedScan both = imported(streams);
    QCOMPARE(std::ranges::count(both.scan.notes, note), 1);
    QVERIFY(is_assumed(both, "detector", "shifted in each view by Alignment/Y-Shifts"));
  }

  void anglesThatAreTooManyAreNoted() {
    const ImportedScan scan = imported(
        with("ImageInfo/Angles", bytes_of(std::vector<float>{-90, -45, 0, 45, 90, 135, 180})));
    expect_angles(scan, {-90, -45, 0, 45, 90});
    QCOMPARE(scan.scan.notes,
             std::vector<std::string>{
                 "ImageInfo/Angles lists 7 numbers for 5 images: the first 5 were taken"});
  }

  void oneDistanceForAllViews() {
    Streams streams = with("ImageInfo/StoRADistance", real(-40));
    streams["ImageInfo/DtoRADistance"] = real(60);
    const ImportedScan scan = imported(streams);
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.beam == Beam::cone);
    EXPECT_NEAR(spec.source_to_isocenter_mm, 40, 1e-6);
    EXPECT_NEAR(spec.source_to_detector_mm, 100, 1e-6);
    EXPECT_NEAR(spec.column_pitch_mm, 0.075, 1e-9);
    QVERIFY(!is_assumed(scan, "beam", "parallel"));
    QVERIFY(scan.scan.notes.empty());
    const ImportedScan none = imported(without("ImageInfo/StoRADistance"));
    QVERIFY(none.scan.geometry->beam() == Beam::parallel);
  }

  /// The images that were taken are imported; lists may be as long as was planned.
  void aScanThatWasStopped() {
    Streams streams = with("ImageInfo/ImagesTaken", whole(3));
    for (const char* missing : {"ImageData1/Image4", "ImageData1/Image5"}) streams.erase(missing);
    for (const auto& angles : {std::vector<float>{-90, -45, 0}, {-90, -45, 0, 45, 90}}) {
      streams["ImageInfo/Angles"] = bytes_of(angles);
      const ImportedScan scan = imported(streams);
      expect_angles(scan, {-90, -45, 0});
      QCOMPARE(scan.scan.line_integrals.size(), scan.scan.geometry->rays());
      QCOMPARE(scan.scan.notes,
               std::vector<std::string>{"the scan was stopped after 3 of 5 images "
                                        "(ImageInfo/ImagesTaken), which were imported"});
    }
    streams["ImageInfo/ImagesTaken"] = whole(4);
    EXPECT_THROWS(InputError, imported(streams), "has no stream ImageData1/Image4");
    const ImportedScan more = imported(with("ImageInfo/ImagesTaken", whole(3)));
    QCOMPARE(more.scan.geometry->views(), views);
    QVERIFY(has_part(more.scan.notes, "but the file holds more"));
    QVERIFY(imported(with("ImageInfo/ImagesTaken", whole(views))).scan.notes.empty());
  }

  /// The axis of shifted images is found from the data, and can be given.
  void theAxisOfShiftedImages_data() {
    QTest::addColumn<double>("source_mm");
    QTest::addRow("cone") << 50.0;
    QTest::addRow("parallel") << 0.0;
  }
  void theAxisOfShiftedImages() {
    QFETCH(double, source_mm);
    write_ole(path(), ShiftedScan{source_mm}.streams());
    const ImportedScan found = read();
    QVERIFY(found.scan.geometry->spec().trajectory == Trajectory::poses);
    EXPECT_NEAR(found.scan.geometry->spec().central_column, ShiftedScan::axis_column, 0.1);
    QVERIFY(is_assumed(found, "centre of rotation",
                       "column " + format_param(found.scan.geometry->spec().central_column)));
    QVERIFY(
        is_assumed(found, "detector", "shifted in each view by Alignment/X-Shifts and Y-Shifts"));
    QVERIFY(found.scan.notes.empty());
    const ImportedScan given = read(ShiftedScan::axis_column);
    QVERIFY2(largest_error(given.scan) < 1e-4, QByteArray::number(largest_error(given.scan)));
    QVERIFY(largest_error(read(ShiftedScan::axis_column + 0.5).scan) > 0.01);
  }

  /// Views left out, cells joined and a border cut off leave each ray where it was.
  void aPartOfShiftedImages() {
    write_ole(path(), ShiftedScan{}.streams());
    ImportRequest request;
    request.path = path();
    request.centre = ShiftedScan::axis_column;
    request.part = {{1, 34}, {}, 2, 7};
    const ScanGeometry whole = *read(request.centre).scan.geometry,
                       part = *import_scan(request).scan.geometry;
    QCOMPARE(part.views(), 9);
    for (int view = 0; view < part.views(); ++view) {
      const Ray one = part.ray(view, 3, 2), other = whole.ray(7 * view, 1 + 6.5, 4.5);
      EXPECT_NEAR(norm(one.direction - other.direction), 0, 1e-9);
    }
  }

  /// As where the images are turned over.
  void shiftsTheOtherWayRoundAreNoted() {
    Streams streams = ShiftedScan{}.streams();
    std::vector<float> x;
    for (int view = 0; view < ShiftedScan::views; ++view) x.push_back(-ShiftedScan::right(view));
    streams["Alignment/X-Shifts"] = bytes_of(x);
    QVERIFY(has_part(imported(streams).scan.notes,
                     "with the shifts of the detector across the beam reversed"));
  }

  /// The brightest group of cells, here a column, is then the beam, and a note says so.
  void withoutAFlat() {
    const ImportedScan scan = imported(without("ReferenceData/Image"));
    const double beam =
        0.5 * (CountedFrames::projection(4, 2, 8) + CountedFrames::projection(4, 3, 8));
    QVERIFY(has_part(scan.scan.notes, "was taken as the beam"));
    EXPECT_NEAR(scan.scan.line_integrals[0], -std::log(CountedFrames::projection(0, 5, 0) / beam),
                1e-5);
  }

  void badFilesAreRefused() {
    EXPECT_THROWS(InputError, imported(without("ImageInfo/Angles")),
                  "ImageInfo/Angles does not list 5 angles");
    EXPECT_THROWS(InputError, imported(without("ImageData1/Image3")),
                  "has no stream ImageData1/Image3");
    EXPECT_THROWS(InputError, imported(with("ImageData1/Image3", QByteArray(20, '\0'))),
                  "the stream ImageData1/Image3 is cut short or damaged");
    EXPECT_THROWS(InputError, imported(with("ImageInfo/DataType", whole(10))),
                  " is cut short or damaged");
    Streams narrow = without("ReferenceData/Image");
    narrow["ImageInfo/ImageWidth"] = whole(8);
    EXPECT_THROWS(InputError, imported(narrow), " has 108 bytes, not the 96 of 8 x 6 values");
    EXPECT_THROWS(InputError, imported(with("ReferenceData/DataType", whole(5))),
                  "ReferenceData/Image has 216 bytes, not the 108 of 9 x 6 values");
    EXPECT_THROWS(InputError, imported(with("ImageInfo/ImageWidth", whole(-3))),
                  "ImageInfo/ImageWidth is -3, not 1 to 65535");
    EXPECT_THROWS(InputError, imported(with("ImageInfo/DataType", whole(3))),
                  "ImageInfo/DataType is 3, neither 16-bit numbers (5) nor floats (10)");
    EXPECT_THROWS(InputError, imported(with("ImageInfo/NoOfImages", whole(9000000))),
                  "claims 9000000 images of 9 x 6");
    EXPECT_THROWS(
        InputError,
        imported(with("ImageInfo/Angles",
                      bytes_of(std::vector<float>(views, std::numeric_limits<float>::infinity())))),
        "ImageInfo/Angles holds a number that is not finite");
    EXPECT_THROWS(InputError, imported({{"WordDocument", QByteArray(5000, 'w')}}),
                  "has no stream ImageInfo/ImageWidth");
  }

  /// Streams are read in a process that ends with its file. A failure of the process is a failure
  /// of the file.
  void theFileIsReadInAnotherProcess() {
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files named so
    write_ole(path(), scan_streams());
    {
      const OleFile file(path());
      QCOMPARE(child_processes().size(), 1);
      QCOMPARE(file.bytes_of("imageinfo/angles"), std::optional<std::uint64_t>(views * 4));
      QCOMPARE(file.bytes_of("ImageInfo/None"), std::optional<std::uint64_t>());
      std::vector<float> angles(views);
      file.read("ImageInfo/Angles", std::as_writable_bytes(std::span(angles)));
      QCOMPARE(angles, std::vector<float>({-90, -45, 0, 45, 90}));
    }
    QVERIFY(child_processes().empty());
    const std::string crashing = folder_->filePath(QStringLiteral("crash_here.txrm")).toStdString();
    write_ole(crashing, scan_streams());
    EXPECT_THROWS(InputError, OleFile{crashing}, "the decoder crashed while reading it (signal 11");
    qunsetenv("GANTRY_DECODER_FAILS");
    QVERIFY(child_processes().empty());
  }

  void cutFiles() {
    write_ole(path(), scan_streams());
    read_cut_files(path(), [&] { read(); });
  }
};

GANTRY_TEST(TestZeissScan)
#include "test_zeiss_scan.moc"
