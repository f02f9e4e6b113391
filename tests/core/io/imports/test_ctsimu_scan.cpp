// Scans in the form of CTSimU: stacks without a header, metadata and scenario. The real sample is
// held against its own bytes, and against the shadow of the object that it was simulated with.
#include "core/base/error.hpp"
#include "core/io/imports/formats/ctsimu_scenario.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/support/data.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <array>
#include <cstring>
#include <filesystem>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int views = 5;

QByteArray vector(double x, double y, double z, const char* unit = "") {
  const auto value = [&](const char* key, double number) {
    return QByteArray("\"") + key + "\": {\"value\": " + QByteArray::number(number) + unit + "}";
  };
  return "{" + value("x", x) + ", " + value("y", y) + ", " + value("z", z) + "}";
}
constexpr const char* mm = ", \"unit\": \"mm\"";

/// A cone beam along x: the stage at 200 mm, the detector at 300 mm, cells of 0.5 x 0.4 mm, half a
/// turn in five views.
QByteArray scenario(const QByteArray& stage_center = vector(20, 0, 0, ", \"unit\": \"cm\"")) {
  const auto part = [](const QByteArray& center, const QByteArray& u, const QByteArray& w) {
    return "{\"center\": " + center + ", \"vector_u\": " + u + ", \"vector_w\": " + w +
           ", \"deviations\": []}";
  };
  return "{\"file\": {\"file_type\": \"CTSimU Scenario\"}, \"geometry\": {\"detector\": " +
         part(vector(300, 0, 0, mm), vector(0, -1, 0), vector(1, 0, 0)) +
         ", \"source\": " + part(vector(0, 0, 0, mm), vector(0, -1, 0), vector(1, 0, 0)) +
         ", \"stage\": " + part(stage_center, vector(1, 0, 0), vector(0, 0, 1)) +
         "}, \"detector\": {\"columns\": {\"value\": 9}, \"rows\": {\"value\": 6}, "
         "\"pixel_pitch\": {\"u\": {\"value\": 0.5, \"unit\": \"mm\"}, "
         "\"v\": {\"value\": 400, \"unit\": \"um\"}}}, \"acquisition\": {"
         "\"start_angle\": {\"value\": 10, \"unit\": \"deg\"}, "
         "\"stop_angle\": {\"value\": 190, \"unit\": \"deg\"}, \"direction\": \"CCW\", "
         "\"number_of_projections\": 5, \"include_final_angle\": true}}";
}

QByteArray metadata() {
  return "{\"file\": {\"file_type\": \"CTSimU Metadata\"}, \"output\": {\"projections\": {"
         "\"filename\": \"scan.raw\", \"number\": 5, \"max_intensity\": 20000, "
         "\"datatype\": \"uint16\", \"byteorder\": \"big\", "
         "\"headersize\": {\"file\": 10, \"image\": 4}, "
         "\"dimensions\": {\"x\": {\"value\": 9}, \"y\": {\"value\": 6}}, "
         "\"pixelsize\": {\"x\": {\"value\": 0.5, \"unit\": \"mm\"}, "
         "\"y\": {\"value\": 0.4, \"unit\": \"mm\"}}, "
         "\"dark_field\": {\"number\": 3, \"filename\": \"dark_%02d.raw\"}, "
         "\"flat_field\": {\"number\": 3, \"filename\": \"flat_%02d.raw\"}}}, "
         "\"acquisition_geometry\": {\"path_to_CTSimU_JSON\": \"../scan.json\"}}";
}

/// The numbers of a frame, the most significant byte first, behind a header.
QByteArray big_endian(const std::vector<std::uint16_t>& frame) {
  QByteArray bytes("HEAD");
  for (const std::uint16_t value : frame) {
    bytes += static_cast<char>(value >> 8);
    bytes += static_cast<char>(value & 0xFF);
  }
  return bytes;
}

std::uint16_t number_at(const QByteArray& bytes, std::size_t index) {
  std::uint16_t value = 0;  // the sample's bytes lie as those of this machine, little-endian
  std::memcpy(&value, bytes.constData() + index * sizeof value, sizeof value);
  return value;
}

/// The corners of the triangles in a binary STL file.
std::vector<Vec3> corners_in(const QByteArray& stl) {
  constexpr qsizetype head = 84, of_triangle = 50, normal = 12;
  std::vector<Vec3> corners;
  for (qsizetype at = head; at + of_triangle <= stl.size(); at += of_triangle) {
    std::array<float, 9> numbers;
    std::memcpy(numbers.data(), stl.constData() + at + normal, sizeof numbers);
    for (std::size_t k = 0; k < 9; k += 3)
      corners.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  }
  return corners;
}

/// The middle of the box around a body, whose place on the stage a scenario gives.
Vec3 middle_of(const std::vector<Vec3>& corners) {
  const auto half_way = [&](double Vec3::*axis) {
    const auto [low, high] = std::ranges::minmax(corners, {}, axis);
    return 0.5 * (low.*axis + high.*axis);
  };
  return {half_way(&Vec3::x), half_way(&Vec3::y), half_way(&Vec3::z)};
}

struct Box {
  double left = 1e9, right = -1e9, low = 1e9, high = -1e9;
  void add(double column, double row) {
    left = std::min(left, column);
    right = std::max(right, column);
    low = std::min(low, row);
    high = std::max(high, row);
  }
};

}  // namespace

class TestCtsimuScan : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  void write_scan_files() const {
    std::filesystem::create_directory(path("projections"));
    write_file(path("scan.json"), scenario());
    write_file(path("projections/scan_metadata.json"), metadata());
    QByteArray stack(10, 'x');
    for (int i = 0; i < views; ++i) stack += big_endian(CountedFrames::projection(i));
    write_file(path("projections/scan.raw"), stack);
    for (int i = 0; i < 3; ++i) {
      const QByteArray head(10, 'x'), number = QByteArray::number(i + 1).rightJustified(2, '0');
      write_file(path("projections/flat_" + number + ".raw"),
                 head + big_endian(CountedFrames::flat_frame(i)));
      write_file(path("projections/dark_" + number + ".raw"),
                 head + big_endian(CountedFrames::dark_frame(i)));
    }
  }
  ImportRequest request(const char* name = "projections/scan_metadata.json") const {
    ImportRequest request;
    request.path = path(name);
    return request;
  }
  static ImportedScan tetrahedron() {
    ImportRequest request;
    request.path = data_path("scans-in/proj_cone_tetra_raw_json/projections/tetra_metadata.json");
    return import_scan(request);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// The source stands at -x of the stage, which is the gantry angle 270 degrees; a stage that
  /// turns counter-clockwise sees it going clockwise.
  void aScan() {
    write_scan_files();
    for (const char* name : {"projections/scan_metadata.json", "scan.json"}) {
      const ImportedScan scan = import_scan(request(name));
      expect_line_integrals(scan, {0, 1, 2, 3, 4});
      expect_angles(scan, {260, 215, 170, 125, 80});
      const ScanSpec& spec = scan.scan.geometry->spec();
      QVERIFY(spec.beam == Beam::cone && spec.trajectory == Trajectory::circular);
      QCOMPARE(spec.source_to_isocenter_mm, 200.0);
      QCOMPARE(spec.source_to_detector_mm, 300.0);
      QCOMPARE(spec.column_pitch_mm, 0.5);
      QCOMPARE(spec.row_pitch_mm, 0.4);
      QCOMPARE(spec.central_column, 4.0);
      QCOMPARE(spec.central_row, 2.5);
      QVERIFY(notes_beside_flats(scan).empty());
    }
  }

  void flatsMayBeArraysOfNumpy() {
    write_scan_files();
    for (int i = 1; i < 4; ++i)
      std::filesystem::remove(path(("projections/flat_0" + std::to_string(i) + ".raw").c_str()));
    write_file(path("f.npy"), npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats())));
    ImportRequest one = request();
    one.flats = {path("f.npy")};
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
  }

  /// A stage beside the beam: no circle, since the detector is not at right angles to the ray
  /// through the axis. In the coordinates of the stage, turned to 10 degrees, stand source and
  /// detector at fixed places.
  void freePoses() {
    write_scan_files();
    write_file(path("scan.json"), scenario(vector(200, 15, 0, mm)));
    const ImportedScan scan = import_scan(request());
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.trajectory == Trajectory::poses);
    const double c = std::cos(radians(10)), s = std::sin(radians(10));
    const auto turned = [&](double x, double y) { return Vec3{c * x + s * y, c * y - s * x, 0}; };
    EXPECT_NEAR(norm(spec.poses[0].source_mm - turned(-200, -15)), 0, 1e-9);
    EXPECT_NEAR(norm(spec.poses[0].detector_mm - turned(100, -15)), 0, 1e-9);
    EXPECT_NEAR(norm(spec.poses[0].u_mm - turned(0, -0.5)), 0, 1e-9);
    EXPECT_NEAR(norm(spec.poses[0].v_mm - Vec3{0, 0, 0.4}), 0, 1e-9);
    ImportRequest changed = request();
    changed.pixel_mm = 1;
    EXPECT_THROWS(UsageError, import_scan(changed),
                  "the size of a cell: cannot change the free poses");
  }

  void contradictionsAreNoted() {
    write_scan_files();
    write_file(path("projections/scan_metadata.json"),
               metadata().replace("\"y\": {\"value\": 0.4,", "\"y\": {\"value\": 0.5,"));
    const ImportedScan scan = import_scan(request());
    QCOMPARE(notes_beside_flats(scan).size(), std::size_t{1});
    QVERIFY(notes_beside_flats(scan)[0].find(
                "pixelsize.y is 0.5 mm, but the scenario's cells are 0.4 mm") != std::string::npos);
    QCOMPARE(scan.scan.geometry->spec().row_pitch_mm, 0.4);
  }

  void withoutFlatsTheLargestIntensityIsTheBeam() {
    write_scan_files();
    write_file(path("projections/scan_metadata.json"),
               metadata().replace("\"flat_%02d.raw\"", "null"));
    const ImportedScan scan = import_scan(request());
    QVERIFY(is_assumed(scan, "the beam", "20000 in each cell"));
    EXPECT_NEAR(scan.scan.line_integrals[0],
                -std::log((CountedFrames::projection(0, 5, 0) - 100) / (20000.0 - 100)), 1e-5);
  }

  /// The metadata state the size of a cell, too.
  void withoutAScenario() {
    write_scan_files();
    write_file(path("projections/scan_metadata.json"),
               metadata().replace("\"../scan.json\"", "null"));
    ImportRequest one = request();
    one.arc_deg = 180;
    one.centre = 4;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.5, 1e-12);
    QCOMPARE(notes_beside_flats(scan),
             (std::vector<std::string>{"output.projections.pixelsize.y is 0.4 mm, but "
                                       "output.projections.pixelsize.x, 0.5 mm, was taken for "
                                       "both"}));
  }

  /// A stack that the request names holds as many flats as its length tells.
  void aStackOfFlats() {
    write_scan_files();
    QByteArray flats(10, 'x');
    for (int i = 0; i < 3; ++i) flats += big_endian(CountedFrames::flat_frame(2 - i));
    write_file(path("flats.raw"), flats);
    ImportRequest one = request();
    one.flats = {path("flats.raw")};  // the first of which is no flat: the median of three is one
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(notes_beside_flats(scan).empty());
    write_file(path("flats.raw"), flats.chopped(100));
    QVERIFY(has_part(import_scan(one).scan.notes,
                     "flats.raw holds 246 bytes, but 2 frames are 234: the end was left out"));
    write_file(path("flats.raw"), flats.left(50));
    EXPECT_THROWS(InputError, import_scan(one), "flats.raw: holds 50 bytes, but 1 frame is 122");
  }

  void whatIsWrongIsNamed() {
    write_scan_files();
    const auto with = [&](const char* from, const char* to) {
      if (!metadata().contains(from)) qFatal("the metadata do not say %s", from);
      write_file(path("projections/scan_metadata.json"), metadata().replace(from, to));
      return request();
    };
    EXPECT_THROWS(InputError, import_scan(with("\"number\": 5", "\"number\": 6")),
                  "scan.raw: holds 570 bytes, but 6 frames are 682");
    EXPECT_THROWS(InputError, import_scan(with("scan.raw", "../../other.raw")),
                  "lies outside the folder");
    EXPECT_THROWS(InputError, import_scan(with("uint16", "uint12")), "\"uint12\" is not known");
    EXPECT_THROWS(InputError, import_scan(with("\"scan.raw\"", "null")), "names no projections");
    EXPECT_THROWS(InputError, import_scan(with("flat_%02d", "plain_%02d")),
                  "plain_01.raw: there is no such file of frames");
    write_file(path("scan.json"), scenario().replace("projections\": 5", "projections\": 4"));
    const ImportedScan longer = import_scan(with("\"number\": 5", "\"number\": 4"));
    QCOMPARE(
        notes_beside_flats(longer),
        (std::vector<std::string>{"scan.raw holds 570 bytes, but 4 frames are 458: the end was "
                                  "left out"}));
    with("\"number\": 5", "\"number\": 5 ");
    write_file(path("scan.json"), scenario().replace("\"deviations\": []", "\"deviations\": [{}]"));
    EXPECT_THROWS(InputError, import_scan(request()), "geometry.source.deviations: are not read");
    write_file(path("scan.json"), scenario().replace("projections\": 5", "projections\": 7"));
    EXPECT_THROWS(InputError, import_scan(request()), "is of 7 views of 9 x 6 cells");
    std::filesystem::remove(path("projections/scan_metadata.json"));
    EXPECT_THROWS(InputError, import_scan(request("scan.json")),
                  "names no projections, and there are no metadata");
  }

  void cutFiles() {
    write_scan_files();
    for (const char* name : {"projections/scan_metadata.json", "scan.json", "projections/scan.raw",
                             "projections/flat_02.raw"})
      read_cut_files(path(name), [&] { import_scan(request()); });
  }

  /// 21 views of 18 degrees, of which the last repeats the first.
  void theTetrahedron() {
    NEED_DATA("scans-in/proj_cone_tetra_raw_json");
    const ImportedScan scan = tetrahedron();
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.beam == Beam::cone && spec.trajectory == Trajectory::circular);
    QCOMPARE(spec.source_to_isocenter_mm, 300.0);
    QCOMPARE(spec.source_to_detector_mm, 400.0);
    QCOMPARE(spec.column_pitch_mm, 1.3);
    QCOMPARE(spec.row_pitch_mm, 1.3);
    QCOMPARE(spec.central_column, 74.5);
    QCOMPARE(spec.central_row, 74.5);
    QCOMPARE(scan.scan.geometry->views(), 21);
    for (int i = 0; i < 21; ++i)
      EXPECT_NEAR(degrees(scan.scan.geometry->angle_rad(i)), 270 - 18.0 * i, 1e-9);
    const std::vector<float>& p = scan.scan.line_integrals;
    const std::size_t cells = scan.scan.geometry->cells();
    QVERIFY(std::equal(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(cells),
                       p.end() - static_cast<std::ptrdiff_t>(cells)));
  }

  /// The sample's bytes, read here: -ln of (projection - dark) / (median flat - dark).
  void theTetrahedronsLineIntegrals() {
    NEED_DATA("scans-in/proj_cone_tetra_raw_json");
    const auto bytes = [](const char* name) {
      return bytes_of_file(
          data_path(std::string("scans-in/proj_cone_tetra_raw_json/projections/") + name));
    };
    const QByteArray stack = bytes("tetra_projections.raw"), dark = bytes("tetra_dark.raw");
    const std::array<QByteArray, 3> flats = {
        bytes("tetra_flat_0000.raw"), bytes("tetra_flat_0001.raw"), bytes("tetra_flat_0002.raw")};
    const ImportedScan scan = tetrahedron();
    constexpr std::size_t size = 150, cells = size * size;
    QCOMPARE(scan.scan.line_integrals.size(), 21 * cells);
    double largest = 0;
    for (std::size_t view = 0; view < 21; ++view)
      for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) {
          const std::size_t in_file = (size - 1 - row) * size + column;
          std::array<double, 3> of_flats;
          for (std::size_t k = 0; k < 3; ++k) of_flats[k] = number_at(flats[k], in_file);
          std::ranges::sort(of_flats);
          const double off = number_at(dark, in_file),
                       t = (number_at(stack, view * cells + in_file) - off) / (of_flats[1] - off);
          const double expected = -std::log(std::max(t, 1e-6));
          largest = std::max(
              largest,
              std::abs(expected - scan.scan.line_integrals[view * cells + row * size + column]));
        }
    QVERIFY2(largest < 1e-4, QByteArray::number(largest));
  }

  /// The corners of the body, projected here by source and detector of each view, bound its shadow.
  void theTetrahedronsShadow() {
    NEED_DATA("scans-in/proj_cone_tetra_raw_json");
    const ImportedScan scan = tetrahedron();
    const ScanGeometry& geometry = *scan.scan.geometry;
    const std::vector<Vec3> corners =
        corners_in(bytes_of_file(data_path("scans-in/proj_cone_tetra_raw_json/tetra.stl")));
    QVERIFY(corners.size() > 3);
    const Vec3 place = Vec3{9.428083, 0, 8.888888} - middle_of(corners);  // by the scenario
    for (int v = 0; v < geometry.views(); ++v) {
      const View view = geometry.view(v);
      const Vec3 normal = cross(normalized(view.u_mm), normalized(view.v_mm));
      Box expected, seen;
      for (const Vec3& corner : corners) {
        const Vec3 ray = corner + place - view.source_mm;
        const Vec3 on = view.source_mm +
                        dot(view.detector_mm - view.source_mm, normal) / dot(ray, normal) * ray -
                        view.detector_mm;
        expected.add(74.5 + dot(on, view.u_mm) / (1.3 * 1.3),
                     74.5 + dot(on, view.v_mm) / (1.3 * 1.3));
      }
      for (int row = 0; row < 150; ++row)
        for (int column = 0; column < 150; ++column)
          if (scan.scan.line_integrals[static_cast<std::size_t>((v * 150 + row) * 150 + column)] >
              0.05F)
            seen.add(column, row);
      EXPECT_NEAR(seen.left, expected.left, 2);
      EXPECT_NEAR(seen.right, expected.right, 2);
      EXPECT_NEAR(seen.low, expected.low, 2);
      EXPECT_NEAR(seen.high, expected.high, 2);
    }
  }
};

GANTRY_TEST(TestCtsimuScan)
#include "test_ctsimu_scan.moc"
