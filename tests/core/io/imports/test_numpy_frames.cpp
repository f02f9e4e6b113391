// Arrays of NumPy, written byte by byte as its documentation says and by numpy itself, become
// scans.
#include "core/base/error.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/support/python.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <utility>

using namespace gantry;
using namespace gantry::test;

namespace {

const std::vector<double> half_turn_deg = {0, 30, 60, 90, 120, 150, 180};

}  // namespace

class TestNumpyFrames : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  ImportRequest request(const QString& name) const {
    ImportRequest request;
    request.path = path(name).toStdString();
    request.centre = 4;  // the frames are those of no object, in which an axis could be found
    return request;
  }
  /// An array with the values of 4 x 3 numbers, i + 1 or with a sign, and the scan that is made of
  /// it as line integrals.
  ImportedScan of_sinogram(const QByteArray& file) const {
    write_file(path("sinogram.npy"), file);
    ImportRequest one = request("sinogram.npy");
    one.arc_deg = 180;
    one.centre = 1;
    one.normalise.are_line_integrals = true;
    return import_scan(one);
  }
  /// An archive with projections, flats, one dark and angles.
  static QByteArray archive(bool is_deflated) {
    const auto angles = little_endian(std::span<const double>(half_turn_deg));
    return zip(
        {{"projections.npy", npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7)))},
         {"flats.npy", npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats()))},
         {"dark.npy", npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0)))},
         {"theta.npy", npy("<f8", "(7,)", angles)},
         {"label.npy", npy("<U5", "()", QByteArray(20, 'a'))}},
        is_deflated);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void everyTypeOfNumbers_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("numbers");
    const auto add = [](const char* type, auto zero) {
      std::vector<decltype(zero)> values;
      for (int i = 1; i <= 12; ++i) values.push_back(static_cast<decltype(zero)>(i));
      QByteArray bytes = bytes_of_numbers(values);
      QTest::newRow(qPrintable(QByteArray("<") + type)) << QByteArray("<") + type << bytes;
      for (std::size_t i = 0; i < values.size(); ++i)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i * sizeof zero),
                     bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * sizeof zero));
      QTest::newRow(qPrintable(QByteArray(">") + type)) << QByteArray(">") + type << bytes;
    };
    add("i1", std::int8_t{});
    add("u1", std::uint8_t{});
    add("i2", std::int16_t{});
    add("u2", std::uint16_t{});
    add("i4", std::int32_t{});
    add("u4", std::uint32_t{});
    add("i8", std::int64_t{});
    add("u8", std::uint64_t{});
    add("f4", float{});
    add("f8", double{});
    // 1 to 12 as IEEE 754 binary16: a sign, five bits of the exponent, ten of the fraction.
    const std::vector<std::uint16_t> halves = {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600,
                                               0x4700, 0x4800, 0x4880, 0x4900, 0x4980, 0x4A00};
    QTest::newRow("<f2") << QByteArray("<f2") << bytes_of_numbers(halves);
  }
  void everyTypeOfNumbers() {
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, numbers);
    for (const int version : {1, 2, 3}) {
      const ImportedScan scan = of_sinogram(npy(type, "(4, 3)", numbers, false, version));
      QCOMPARE(scan.scan.geometry->views(), 4);
      QCOMPARE(scan.scan.geometry->rows(), 1);
      QCOMPARE(scan.scan.geometry->columns(), 3);
      for (int i = 0; i < 12; ++i)
        QCOMPARE(scan.scan.line_integrals[static_cast<std::size_t>(i)], static_cast<float>(i + 1));
    }
  }

  void theFirstBytesTellTheFormat() {
    const ImportFormat& format = import_formats().at("numpy_frames");
    const QByteArray array = npy("<f4", "(1,)", QByteArray(4, 0));
    QCOMPARE(format.magic(array.toStdString()), Certainty::certain);
    QCOMPARE(format.magic("nothing"), Certainty::none);
  }

  /// The smallest float16, the largest, and both signs.
  void halvesAtTheirLimits() {
    const std::vector<std::uint16_t> halves = {0x0001, 0x03FF, 0x0400, 0x7BFF, 0x8000, 0xBC00};
    const std::vector<double> expected = {
        std::ldexp(1.0, -24), std::ldexp(1023.0, -24), std::ldexp(1.0, -14), 65504, 0, -1};
    const ImportedScan scan = of_sinogram(npy("<f2", "(2, 3)", bytes_of_numbers(halves)));
    for (std::size_t i = 0; i < expected.size(); ++i)
      QCOMPARE(static_cast<double>(scan.scan.line_integrals[i]), expected[i]);
  }

  void fortranOrder() {
    const auto numbers = first_axis_fastest(counted_projections(7), 7, 6, 9);
    write_file(path("p.npy"), npy("<u2", "(7, 6, 9)", bytes_of_numbers(numbers), true));
    write_file(path("f.npy"),
               npy("<u2", "(3, 6, 9)",
                   bytes_of_numbers(first_axis_fastest(counted_flats(), 3, 6, 9)), true));
    write_file(path("d.npy"), npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0))));
    ImportRequest one = request("p.npy");
    one.flats = {path("f.npy").toStdString()};
    one.darks = {path("d.npy").toStdString()};
    one.arc_deg = 180;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn_deg);
    QVERIFY(is_assumed(scan, "axes of the projections", "view, row, column"));
  }

  void anArchive_data() {
    QTest::addColumn<bool>("is_deflated");
    QTest::newRow("stored") << false;
    QTest::newRow("deflated") << true;
  }
  void anArchive() {
    QFETCH(bool, is_deflated);
    write_file(path("scan.npz"), archive(is_deflated));
    const ImportedScan scan = import_scan(request("scan.npz"));
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn_deg);
    for (const auto& [what, value] :
         std::vector<std::pair<const char*, const char*>>{{"projections", "projections"},
                                                          {"flats", "flats"},
                                                          {"darks", "dark"},
                                                          {"angles", "theta"},
                                                          {"unit of the angles", "degrees"}})
      QVERIFY2(is_assumed(scan, what, value), what);
    QCOMPARE(notes_beside_flats(scan).size(), std::size_t{1});  // on the label
    QVERIFY2(
        scan.scan.notes[0].find("label: holds elements of the type '<U5'") != std::string::npos,
        scan.scan.notes[0].c_str());
  }

  /// The only archive of a folder is its scan.
  void aFolderOfAnArchive() {
    write_file(path("scan.npz"), archive(true));
    const ImportedScan scan = import_scan(request({}));
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn_deg);
  }

  /// A single array without flats: the angles beside it tell that it is a scan, or its name does.
  void aFolderOfAnArrayWithoutFlats_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("has_angles");
    QTest::newRow("angles") << "data.npy" << true;
    QTest::newRow("projections") << "projections.npy" << false;
    QTest::newRow("sinogram") << "sino.npy" << true;
  }
  void aFolderOfAnArrayWithoutFlats() {
    QFETCH(const QString, name);
    QFETCH(const bool, has_angles);
    write_file(path(name), npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7))));
    if (has_angles)
      write_file(path("angles.npy"), npy("<f8", "(7,)", bytes_of_numbers(half_turn_deg)));
    ImportRequest folder = request({});
    folder.normalise.are_line_integrals = true;
    folder.images = ImageContent::projections;
    if (!has_angles) folder.arc_deg = 180;
    const ImportedScan scan = import_scan(folder);
    expect_angles(scan, half_turn_deg);
    QCOMPARE(scan.scan.line_integrals.size(), std::size_t{7 * 6 * 9});
  }

  /// Names say what arrays are as they do in HDF5.
  void namesAreThoseOfHdf5_data() {
    QTest::addColumn<QString>("projections");
    QTest::addColumn<QString>("flats");
    QTest::addColumn<QString>("darks");
    QTest::addColumn<QString>("angles");
    const auto add = [](const char* projections, const char* flats, const char* darks,
                        const char* angles) {
      QTest::newRow(angles) << QString::fromLatin1(projections) << QString::fromLatin1(flats)
                            << QString::fromLatin1(darks) << QString::fromLatin1(angles);
    };
    add("rock", "whiteField", "darkField", "rotation");
    add("proj", "flat_avg", "dark_current", "rotation_angles");
    add("dark_chocolate", "brightfield", "background", "s_rot");
    add("data", "flat", "bg", "tomo_angle");
    add("tomo", "air", "no_beam", "rotation_deg");
  }
  void namesAreThoseOfHdf5() {
    QFETCH(QString, projections);
    QFETCH(QString, flats);
    QFETCH(QString, darks);
    QFETCH(QString, angles);
    std::vector<double> turned;
    for (const double angle : half_turn_deg) turned.push_back(-angle);
    std::vector<std::uint16_t> dark = CountedFrames::dark_frame(0);
    write_file(
        path("n.npz"),
        zip({{projections.toUtf8() + ".npy",
              npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7)))},
             {flats.toUtf8() + ".npy", npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats()))},
             {darks.toUtf8() + ".npy", npy("<u2", "(6, 9)", bytes_of_numbers(dark))},
             {angles.toUtf8() + ".npy", npy("<f8", "(7,)", bytes_of_numbers(turned))},
             {"mono_theta.npy", npy("<f8", "(7,)", bytes_of_numbers(half_turn_deg))},
             {"current.npy", npy("<f8", "(7,)", bytes_of_numbers(half_turn_deg))}},
            false));
    const ImportedScan scan = import_scan(request("n.npz"));
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, turned);
    for (const auto& [what, name] : {std::pair("projections", projections),
                                     {"flats", flats},
                                     {"darks", darks},
                                     {"angles", angles}})
      QVERIFY2(is_assumed(scan, what, name.toStdString()), what);
    QVERIFY(
        has_part(scan.scan.notes, "not taken as the angles: mono_theta (7) holds other angles"));
    QVERIFY(has_part(scan.scan.notes, "current (7) was left out"));
    QVERIFY(!has_part(scan.scan.notes, "mono_theta (7) was left out"));
  }

  void flatsOfBeforeAndAfterAreJoined() {
    const auto frame = [](int index) {
      return npy("<u2", "(1, 6, 9)", bytes_of_numbers(CountedFrames::flat_frame(index)));
    };
    write_file(
        path("b.npz"),
        zip({{"flats_before.npy", frame(0)},
             {"flats_after.npy", frame(1)},
             {"dark.npy", npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0)))},
             {"proj.npy", npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7)))},
             {"my_angles.npy", npy("<f8", "(4,)", QByteArray(32, 0))}},
            false));
    ImportRequest one = request("b.npz");
    EXPECT_THROWS(InputError, import_scan(one),
                  "the angles of its projections: my_angles has 4 values for 7 frames; give");
    one.arc_deg = 180;
    const RawScan raw = import_formats().to_read(one.path).read(one);
    QCOMPARE(raw.flat_views, (std::vector<double>{-0.5, 6.5}));
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4, 5, 6});
  }

  /// The order [row][view][column] of sinograms is known by the number of angles.
  void anglesShowTheAxisOfViews() {
    const std::vector<std::uint16_t> sinograms = sinograms_of(counted_projections(7));
    std::vector<std::uint16_t> flat = CountedFrames::flat_frame(0);
    std::vector<double> radians;
    for (const double angle : half_turn_deg) radians.push_back(angle * std::acos(-1.0) / 180);
    write_file(
        path("s.npz"),
        zip({{"sinograms.npy", npy("<u2", "(6, 7, 9)", bytes_of_numbers(sinograms))},
             {"flat.npy", npy("<u2", "(6, 9)", bytes_of_numbers(flat))},
             {"darks.npy", npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0)))},
             {"angles_rad.npy", npy("<f8", "(7,)", bytes_of_numbers(radians))}},
            true));
    const ImportedScan scan = import_scan(request("s.npz"));
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn_deg);
    QVERIFY(is_assumed(scan, "axes of the projections", "row, view, column"));
  }

  /// Without angles, the request says it; flats and darks may lie either way.
  void theRequestSaysThatImagesAreSinograms() {
    const QByteArray white = bytes_of_numbers(counted_flats());
    for (const bool turned : {false, true}) {
      write_file(
          path("s.npz"),
          zip({{"data.npy",
                npy("<u2", "(6, 7, 9)", bytes_of_numbers(sinograms_of(counted_projections(7))))},
               {"flats.npy",
                turned ? npy("<u2", "(6, 3, 9)", bytes_of_numbers(sinograms_of(counted_flats())))
                       : npy("<u2", "(3, 6, 9)", white)},
               {"dark.npy", npy("<u2", "(6, 9)", bytes_of_numbers(CountedFrames::dark_frame(0)))}},
              true));
      ImportRequest one = request("s.npz");
      one.arc_deg = 180;
      one.images = ImageContent::sinograms;
      const ImportedScan scan = import_scan(one);
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      expect_angles(scan, half_turn_deg);
      QVERIFY(is_assumed(scan, "axes of the projections", "row, view, column"));
    }
    ImportRequest one = request("s.npz");
    one.arc_deg = 180;
    one.images = ImageContent::projections;  // then there are 6 of 7 rows, which the dark has not
    EXPECT_THROWS(InputError, import_scan(one), "s.npz");
  }

  /// So it is by a list that the request names, which counts more than the one in the file.
  void listedAnglesShowTheAxisOfViews() {
    std::vector<float> values;  // [column][view]
    for (int column = 0; column < 5; ++column)
      for (int view = 0; view < 3; ++view) values.push_back(static_cast<float>(10 * view + column));
    write_file(path("s.npz"),
               zip({{"sinogram.npy", npy("<f4", "(5, 3)", bytes_of_numbers(values))},
                    {"theta.npy",
                     npy("<f8", "(5,)", bytes_of_numbers(std::vector<double>{0, 1, 2, 3, 4}))}},
                   false));
    write_file(path("list.txt"), "0\n30\n90\n");
    ImportRequest one = request("s.npz");
    one.angles = path("list.txt").toStdString();
    one.normalise.are_line_integrals = true;
    const ImportedScan scan = import_scan(one);
    expect_angles(scan, {0, 30, 90});
    QVERIFY(is_assumed(scan, "axes of the projections", "column, view"));
    for (std::size_t view = 0; view < 3; ++view)
      for (std::size_t column = 0; column < 5; ++column)
        QCOMPARE(scan.scan.line_integrals[5 * view + column],
                 static_cast<float>(10 * view + column));
  }

  void whatIsNoScanIsRefused() {
    write_file(path("a.npy"), npy("<c8", "(2, 2)", QByteArray(32, '\0')));
    EXPECT_THROWS(InputError, import_scan(request("a.npy")),
                  "a.npy: holds elements of the type '<c8'");
    write_file(path("b.npy"), npy("<f4", "(2,)", QByteArray(8, '\0')));
    EXPECT_THROWS(InputError, import_scan(request("b.npy")), "no array of two or three dimensions");
    write_file(path("c.npy"), npy("<f4", "(5000000000, 5000000000)", QByteArray(8, '\0')));
    EXPECT_THROWS(InputError, import_scan(request("c.npy")), "c.npy: ends after 2 of");
    write_file(path("d.npy"), npy("<f4", "(0, 4)", {}));
    EXPECT_THROWS(InputError, import_scan(request("d.npy")), "d.npy: ");
    write_file(path("e.npy"), npy("|O", "(2, 2)", QByteArray(32, '\0')));
    EXPECT_THROWS(InputError, import_scan(request("e.npy")), "'|O'");
    // 300 MB of zeros that are claimed, in a few bytes
    write_file(path("f.npz"), zip({{"data.npy", npy("<f4", "(1000, 1000, 300)", {})}}, true));
    EXPECT_THROWS(InputError, import_scan(request("f.npz")), "of memory");
  }

  void damagedBytesAreFound() {
    QByteArray bytes = archive(true);
    const QByteArray name = "projections.npy";
    const qsizetype packed =
        deflated(npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7)))).size();
    const qsizetype inside = bytes.indexOf(name) + name.size() + packed - 10;
    bytes[inside] = static_cast<char>(bytes[inside] ^ 0x55);
    write_file(path("damaged.npz"), bytes);
    EXPECT_THROWS(InputError, import_scan(request("damaged.npz")), "damaged.npz: projections: ");
  }

  /// A file that was cut anywhere gives one line, which names it.
  void cutFilesAreRefused() {
    const QByteArray array = npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7)));
    for (const auto& [name, whole] : std::vector<std::pair<QString, QByteArray>>{
             {"cut.npy", array}, {"cut.npz", archive(false)}, {"cut.npz", archive(true)}})
      for (int part = 0; part < 50; ++part) {
        write_file(path(name), whole.left(whole.size() * part / 50));
        ImportRequest one = request(name);
        one.arc_deg = 180;
        EXPECT_THROWS(InputError, import_scan(one), name.toStdString());
      }
  }

  /// What numpy writes itself.
  void arraysOfNumpy() {
    const QString python = python_with("numpy");
    if (python.isEmpty()) QSKIP("no Python with numpy");
    QProcess process;
    process.setWorkingDirectory(folder_->path());
    process.start(python, {"-c", R"(
import numpy as np
v, r, c = np.mgrid[0:7, 0:6, 0:9]
p = (600 + 1000 * v + 100 * r + 10 * c).astype('>i4')
f = (10100.0 + 50 * np.mgrid[0:6, 0:9][1])
a = np.linspace(0, 180, 7)
np.savez('stored.npz', data=np.asfortranarray(p), white=f, black=np.full((6, 9), 100), angles_deg=a)
np.savez_compressed('packed.npz', data=p, white=f, black=np.full((6, 9), 100), angles_deg=a)
)"});
    QVERIFY(process.waitForFinished(60000) && process.exitCode() == 0);
    for (const char* name : {"stored.npz", "packed.npz"}) {
      const ImportedScan scan = import_scan(request(name));
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      expect_angles(scan, half_turn_deg);
      QVERIFY(scan.scan.notes.empty());
      QVERIFY(!is_assumed(scan, "unit of the angles", "degrees"));  // the name states it
    }
  }
};

GANTRY_TEST(TestNumpyFrames)
#include "test_numpy_frames.moc"
