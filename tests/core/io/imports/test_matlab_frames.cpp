// MAT-files as libmatio writes them, of version 5, packed or not, and of version 7.3, become scans;
// those of the Helsinki Tomography Challenge state their geometry.
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/support/data.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <matio.h>
#include <tuple>

using namespace gantry;
using namespace gantry::test;

namespace {

template <class Number>
constexpr std::pair<matio_classes, matio_types> type_of = {MAT_C_DOUBLE, MAT_T_DOUBLE};
template <>
constexpr std::pair<matio_classes, matio_types> type_of<float> = {MAT_C_SINGLE, MAT_T_SINGLE};
template <>
constexpr std::pair<matio_classes, matio_types> type_of<std::uint16_t> = {MAT_C_UINT16,
                                                                          MAT_T_UINT16};

/// How a file is stored.
struct Storage {
  mat_ft version = MAT_FT_MAT5;
  matio_compression compression = MAT_COMPRESSION_NONE;
};

/// Returns a variable of numbers, the first axis fastest.
template <class Number>
matvar_t* variable(const char* name, std::vector<std::size_t> size, std::vector<Number> numbers) {
  const auto [kind, type] = type_of<Number>;
  return Mat_VarCreate(name, kind, type, static_cast<int>(size.size()), size.data(), numbers.data(),
                       0);
}
matvar_t* number(const char* name, double value) { return variable<double>(name, {1, 1}, {value}); }

/// Returns a structure of variables, which it takes over.
matvar_t* structure(const char* name, const std::vector<matvar_t*>& fields) {
  std::vector<const char*> names;
  for (const matvar_t* field : fields) names.push_back(field->name);
  std::size_t size[2] = {1, 1};
  matvar_t* made =
      Mat_VarCreateStruct(name, 2, size, names.data(), static_cast<unsigned>(names.size()));
  for (std::size_t i = 0; i < fields.size(); ++i)
    Mat_VarSetStructFieldByName(made, names[i], 0, fields[i]);
  return made;
}

/// Writes variables, and ends their life.
void write_mat(const std::string& path, const Storage& storage,
               const std::vector<matvar_t*>& variables) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, storage.version);
  if (file == nullptr) qFatal("cannot write the test file %s", path.c_str());
  for (matvar_t* one : variables) {
    if (Mat_VarWrite(file, one, storage.compression) != 0) qFatal("cannot write a variable");
    Mat_VarFree(one);
  }
  Mat_Close(file);
}

/// What a file of the challenge says of its scan.
struct Challenge {
  std::size_t views = 5, columns = 8;
  double source_to_detector = 553.74, source_to_axis = 410.66, pixel = 0.2;
  double magnification = 553.74 / 410.66;
  std::vector<double> angles = {42, 42.5, 43, 43.5, 44};
  std::vector<float> values;  ///< [view][column]; empty: view + column / 16

  void write(const std::string& path, const Storage& storage, const char* name = "CtDataLimited") {
    if (values.empty())
      for (std::size_t i = 0; i < views * columns; ++i)
        values.push_back(static_cast<float>(i / columns) + static_cast<float>(i % columns) / 16.0F);
    const std::vector<double> stored = [this] {
      std::vector<double> turned;
      for (const float value : first_axis_fastest(values, views, columns, 1))
        turned.push_back(value);
      return turned;
    }();
    std::vector<matvar_t*> fields = {
        number("distanceSourceDetector", source_to_detector),
        number("distanceSourceOrigin", source_to_axis),
        number("geometricMagnification", magnification),
        number("pixelSize", 0.05),
        number("pixelSizePost", pixel),
        number("effectivePixelSizePost", pixel * source_to_axis / source_to_detector),
        number("numDetectorsPost", static_cast<double>(columns))};
    if (!angles.empty()) fields.push_back(variable<double>("angles", {1, angles.size()}, angles));
    matvar_t* parameters = structure("parameters", fields);
    matvar_t* sinogram = variable<double>("sinogram", {views, columns}, stored);
    write_mat(path, storage, {structure(name, {sinogram, parameters})});
  }
};

}  // namespace

class TestMatlabFrames : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const {
    return folder_->filePath(QLatin1String(name)).toStdString();
  }
  ImportRequest request(const char* name) const {
    ImportRequest request;
    request.path = path(name);
    return request;
  }
  /// Writes frames (row, column, view) as most programs keep them, flats, a dark and angles.
  void write_frames(const char* name, const Storage& storage, const char* flats = "flats",
                    const char* dark = "dark", const char* list = "angles") const {
    const auto turned = [](const std::vector<std::uint16_t>& frames, std::size_t count) {
      std::vector<std::uint16_t> all;  // each frame the first axis, the row, fastest
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t column = 0; column < 9; ++column)
          for (std::size_t row = 0; row < 6; ++row)
            all.push_back(frames[(i * 6 + row) * 9 + column]);
      return all;
    };
    std::vector<double> angles;
    for (int i = 0; i < 7; ++i) angles.push_back(30 * i);
    write_mat(path(name), storage,
              {variable<std::uint16_t>("proj", {6, 9, 7}, turned(counted_projections(7), 7)),
               variable<std::uint16_t>(flats, {6, 9, 3}, turned(counted_flats(), 3)),
               variable<std::uint16_t>(dark, {6, 9}, turned(CountedFrames::dark_frame(0), 1)),
               variable<double>(list, {1, 7}, angles)});
  }
  static void add_storages() {
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("is_packed");
    QTest::newRow("version 5") << int{MAT_FT_MAT5} << false;
    QTest::newRow("version 5, packed") << int{MAT_FT_MAT5} << true;
    QTest::newRow("version 7.3") << int{MAT_FT_MAT73} << false;
    QTest::newRow("version 7.3, packed") << int{MAT_FT_MAT73} << true;
  }
  static Storage storage(int version, bool is_packed) {
    return {static_cast<mat_ft>(version), is_packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE};
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void frames_data() { add_storages(); }
  void frames() {
    QFETCH(int, version);
    QFETCH(bool, is_packed);
    write_frames("frames.mat", storage(version, is_packed));
    ImportRequest one = request("frames.mat");
    one.centre = 4;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, {0, 30, 60, 90, 120, 150, 180});
    QVERIFY(is_assumed(scan, "axes of the projections", "row, column, view"));
    QVERIFY(is_assumed(scan, "flats", "flats"));
    QVERIFY(is_assumed(scan, "darks", "dark"));
  }

  /// Names say what arrays are as they do in HDF5.
  void namesAreThoseOfHdf5() {
    for (const auto& [flats, dark, angles] :
         {std::tuple("whiteField", "darkField", "rotation_angles"),
          {"bright_field", "background", "s_rot"},
          {"flat_pre", "darks_pre", "rotation"}}) {
      write_frames("named.mat", {}, flats, dark, angles);
      ImportRequest one = request("named.mat");
      one.centre = 4;
      const ImportedScan scan = import_scan(one);
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      expect_angles(scan, {0, 30, 60, 90, 120, 150, 180});
      QVERIFY2(is_assumed(scan, "flats", flats), flats);
      QVERIFY2(is_assumed(scan, "darks", dark), dark);
    }
  }

  /// Their axes are those of NumPy, not those of MATLAB.
  void flatsMayBeArraysOfNumpy() {
    write_frames("frames.mat", {});
    write_file(path("f.npy"), npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats())));
    write_file(path("d.npy"), npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0))));
    ImportRequest one = request("frames.mat");
    one.centre = 4;
    one.flats = {path("f.npy")};
    one.darks = {path("d.npy")};
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(!is_assumed(scan, "flats", "flats"));
  }

  /// Sinograms (view, column) one after the other, the uppermost row first.
  void theRequestSaysThatImagesAreSinograms() {
    const std::vector<std::uint16_t> rows = sinograms_of(counted_projections(7));
    std::vector<std::uint16_t> stored;  // the view fastest
    for (std::size_t row = 0; row < 6; ++row)
      for (std::size_t column = 0; column < 9; ++column)
        for (std::size_t view = 0; view < 7; ++view)
          stored.push_back(rows[(row * 7 + view) * 9 + column]);
    const auto frame = [](const std::vector<std::uint16_t>& values) {
      return first_axis_fastest(values, 6, 9, 1);
    };
    write_mat(path("sinograms.mat"), {},
              {variable<std::uint16_t>("proj", {7, 9, 6}, stored),
               variable<std::uint16_t>("flats", {6, 9}, frame(CountedFrames::flat_frame(1))),
               variable<std::uint16_t>("dark", {6, 9}, frame(CountedFrames::dark_frame(0)))});
    ImportRequest one = request("sinograms.mat");
    one.centre = 4;
    one.arc_deg = 180;
    one.images = ImageContent::sinograms;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "axes of the projections", "view, column, row"));
  }

  void aScanOfTheChallenge_data() { add_storages(); }
  void aScanOfTheChallenge() {
    QFETCH(int, version);
    QFETCH(bool, is_packed);
    Challenge challenge;
    challenge.write(path("htc.mat"), storage(version, is_packed));
    const ImportedScan scan = import_scan(request("htc.mat"));
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.beam == Beam::fan && spec.detector == DetectorShape::flat);
    QCOMPARE(spec.source_to_isocenter_mm, 410.66);
    QCOMPARE(spec.source_to_detector_mm, 553.74);
    QCOMPARE(spec.column_pitch_mm, 0.2);
    QCOMPARE(spec.central_column, 3.5);
    QCOMPARE(spec.detector_columns, 8);
    expect_angles(scan, challenge.angles);
    QVERIFY(scan.scan.line_integrals == challenge.values);
    QVERIFY2(scan.scan.notes.empty(), scan.scan.notes.empty() ? "" : scan.scan.notes[0].c_str());
    QVERIFY(is_assumed(scan, "values", "line integrals"));
  }

  /// The measured arcs, written anew as the challenge's files, are the scans that they were.
  void theMeasuredScans_data() {
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"htc2022_tc_30deg", "htc2022_td_30deg", "htc2022_tb"})
      QTest::newRow(name) << QByteArray(name);
  }
  void theMeasuredScans() {
    QFETCH(QByteArray, name);
    const std::string relative = "scans/" + name.toStdString() + ".scan.json";
    NEED_DATA(relative);
    const LoadedScan measured = read_scan(data_path(relative));
    const ScanSpec& spec = measured.geometry->spec();
    Challenge challenge;
    challenge.views = spec.view_angles_rad.size();
    challenge.columns = static_cast<std::size_t>(spec.detector_columns);
    challenge.source_to_detector = spec.source_to_detector_mm;
    challenge.source_to_axis = spec.source_to_isocenter_mm;
    challenge.pixel = spec.column_pitch_mm;
    challenge.values = measured.line_integrals;
    challenge.angles.clear();
    for (const double angle : spec.view_angles_rad) challenge.angles.push_back(degrees(angle));
    challenge.write(path("htc.mat"), {MAT_FT_MAT5, MAT_COMPRESSION_ZLIB}, "CtDataFull");
    const ImportedScan scan = import_scan(request("htc.mat"));
    QVERIFY(scan.scan.line_integrals == measured.line_integrals);
    const ScanSpec& read = scan.scan.geometry->spec();
    QCOMPARE(read.source_to_isocenter_mm, spec.source_to_isocenter_mm);
    QCOMPARE(read.source_to_detector_mm, spec.source_to_detector_mm);
    QCOMPARE(read.column_pitch_mm, spec.column_pitch_mm);
    QCOMPARE(read.central_column, spec.central_column);
    for (std::size_t i = 0; i < challenge.views; ++i)
      EXPECT_NEAR(read.view_angles_rad[i], spec.view_angles_rad[i], 1e-12);
    QVERIFY(scan.scan.notes.empty());
  }

  void contradictionsAreNamed() {
    Challenge challenge;
    challenge.magnification = 1.5;
    challenge.write(path("htc.mat"), {});
    const ImportedScan scan = import_scan(request("htc.mat"));
    QCOMPARE(scan.scan.notes.size(), std::size_t{1});
    QVERIFY2(scan.scan.notes[0].find("geometricMagnification is 1.5, but the distances give") !=
                 std::string::npos,
             scan.scan.notes[0].c_str());
    challenge.angles.pop_back();
    challenge.write(path("short.mat"), {});
    EXPECT_THROWS(InputError, import_scan(request("short.mat")), "has 4 angles for 5 frames");
    challenge = {};
    challenge.source_to_axis = 600;
    challenge.write(path("inside.mat"), {});
    EXPECT_THROWS(InputError, import_scan(request("inside.mat")),
                  "states no distances of source, axis and detector");
  }

  /// Without angles in the file a scan is refused, unless a whole turn may be taken for granted.
  void anglesMayBeMissing() {
    Challenge challenge;
    challenge.angles.clear();
    challenge.write(path("htc.mat"), {});
    ImportRequest one = request("htc.mat");
    EXPECT_THROWS(InputError, import_scan(one), "does not state the angles of its projections");
    one.assumes_half_turn = true;
    const ImportedScan scan = import_scan(one);
    expect_angles(scan, {0, 72, 144, 216, 288});
    QVERIFY(is_assumed(scan, "angles", "0 to 360 degrees, without the end"));
    QVERIFY(scan.scan.geometry->beam() == Beam::fan);
    QCOMPARE(scan.scan.geometry->spec().source_to_isocenter_mm, 410.66);
    // A list of eight tells that the views are the second axis.
    one = request("htc.mat");
    one.angles = path("list.txt");
    write_file(one.angles, "0\n1\n2\n3\n4\n5\n6\n7\n");
    QCOMPARE(import_scan(one).scan.geometry->views(), 8);
  }

  /// What the request says replaces what the file states.
  void theRequestCountsMore() {
    Challenge().write(path("htc.mat"), {});
    ImportRequest one = request("htc.mat");
    one.centre = 2.5;
    one.pixel_mm = 0.4;
    one.arc_deg = 8;
    const ImportedScan scan = import_scan(one);
    QCOMPARE(scan.scan.geometry->spec().central_column, 2.5);
    QCOMPARE(scan.scan.geometry->spec().column_pitch_mm, 0.4);
    expect_angles(scan, {0, 2, 4, 6, 8});
  }

  void otherFilesAreRefused() {
    write_mat(path("list.mat"), {}, {variable<double>("x", {1, 3}, {1, 2, 3})});
    EXPECT_THROWS(InputError, import_scan(request("list.mat")),
                  "no array of two or three dimensions");
    write_file(path("four.mat"), QByteArray(200, '\0'));
    EXPECT_THROWS(InputError, import_scan(request("four.mat")), "is no MAT-file");
  }

  /// A file that was cut anywhere gives one line, or a scan of the variables before the cut.
  void cutFilesAreRefused_data() { add_storages(); }
  void cutFilesAreRefused() {
    QFETCH(int, version);
    QFETCH(bool, is_packed);
    write_frames("whole.mat", storage(version, is_packed));
    const QByteArray whole = bytes_of_file(path("whole.mat"));
    int read = 0;
    for (int part = 0; part < 50; ++part) {
      write_file(path("cut.mat"), whole.left(whole.size() * part / 50));
      ImportRequest one = request("cut.mat");
      one.arc_deg = 180;
      try {
        QCOMPARE(import_scan(one).scan.geometry->views(), 7);
        ++read;
      } catch (const InputError& error) {
        const QByteArray message = error.what();
        QVERIFY2(message.contains("cut.mat") && !message.contains('\n'), message.constData());
      }
    }
    QVERIFY(read < 5);
  }
};

GANTRY_TEST(TestMatlabFrames)
#include "test_matlab_frames.moc"
