// Flats and darks that lie among the frames of the projections' own file or folder.
#include "core/base/error.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_json.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <filesystem>
#include <numbers>

using namespace gantry;
using namespace gantry::test;

class TestMarkedFrames : public QObject, private FramesFolder {
  Q_OBJECT

  /// A dark, two flats, projections 0 to 2, the third flat, projections 3 and 4, two darks.
  static std::vector<Page> all_frames() {
    using F = CountedFrames;
    return {F::dark_frame(0), F::flat_frame(0), F::flat_frame(1), F::projection(0),
            F::projection(1), F::projection(2), F::flat_frame(2), F::projection(3),
            F::projection(4), F::dark_frame(1), F::dark_frame(2)};
  }
  static std::vector<std::uint16_t> all_values() {
    std::vector<std::uint16_t> all;
    for (const Page& frame : all_frames()) all.insert(all.end(), frame.begin(), frame.end());
    return all;
  }
  ImportRequest request(const std::string& name = {}) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    request.flat_frames = ranges_from("1:2,6", "test");
    request.dark_frames = ranges_from("0,9:", "test");
    return request;
  }
  void write_as(const std::string& format) const {
    if (format == "pages.tif") write_pages(path(format), all_frames(), CountedFrames::columns);
    if (format == "a.npy")
      write_file(path(format), npy("<u2", "(11, 6, 9)", bytes_of_numbers(all_values())));
    if (format == "a.h5") Hdf5Writer(path(format)).add("/entry/frames", {11, 6, 9}, all_values());
    if (format == "e.h5") Hdf5Writer(path(format)).add("/exchange/data", {11, 6, 9}, all_values());
    if (format.empty())
      for (std::size_t i = 0; i < 11; ++i)
        write_frame("p_" + std::to_string(10 + i) + ".tif", all_frames()[i]);
  }

  /// Writes the frames and the list of angles of the present row, and asks for their scan.
  ImportRequest request_of_row() {
    QFETCH(QString, format);
    QFETCH(QByteArray, list);
    write_as(format.toStdString());
    ImportRequest one = request(format.toStdString());
    one.angles = path("list.txt");
    write_file(one.angles, list);
    return one;
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theyAreTakenOut_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"pages.tif", "a.npy", "a.h5", "e.h5", ""})
      QTest::addRow("%s", *format == 0 ? "folder" : format) << format;
  }
  void theyAreTakenOut() {
    QFETCH(QString, format);
    const std::string name = format.toStdString();
    write_as(name);
    ImportRequest one = request(name);
    one.arc_deg = 180;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 45, 90, 135, 180});
    if (format.isEmpty())
      QVERIFY(std::ranges::find(scan.scan.notes, "flats (--flat-frames): " + path("p_11.tif") +
                                                     " to " + path("p_12.tif") + ", " +
                                                     path("p_16.tif")) != scan.scan.notes.end());
  }

  /// One for each projection, or for each frame; also by the names of the files.
  void aListOfAnglesMayCountThem_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QByteArray>("list");
    const QByteArray projections = "0\n10\n30\n60\n100\n",
                     frames = "5\n5\n5\n0\n10\n30\n5\n60\n100\n5\n5\n";
    for (const char* format : {"pages.tif", "a.npy", "a.h5", ""}) {
      const char* name = *format == 0 ? "folder" : format;
      QTest::addRow("%s, projections", name) << format << projections;
      QTest::addRow("%s, frames", name) << format << frames;
    }
    QByteArray names = "file,angle\n", numbers = "nr,angle\n";
    const std::vector<std::pair<int, int>> lines = {
        {13, 0}, {14, 10}, {15, 30}, {17, 60}, {18, 100}};
    for (const auto& [number, angle] : lines) {
      names += "p_" + QByteArray::number(number) + ".tif," + QByteArray::number(angle) + '\n';
      numbers += QByteArray::number(number) + ',' + QByteArray::number(angle) + '\n';
    }
    QTest::addRow("names") << QString() << names;
    QTest::addRow("numbers") << QString() << numbers;
  }
  void aListOfAnglesMayCountThem() {
    const ImportRequest one = request_of_row();
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 10, 30, 60, 100});
    write_file(one.angles, "0\n10\n30\n60\n");
    EXPECT_THROWS(InputError, import_scan(one), "has 4 angles for 5 frames");
  }

  /// The line that closes the turn may be there too, whatever the flats and darks have.
  void theListMayCloseTheTurn_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QByteArray>("list");
    const QByteArray projections = "0\n36\n72\n108\n144\n180\n",
                     frames = "0\n0\n0\n0\n36\n72\n72\n108\n144\n180\n180\n180\n";
    for (const char* format : {"pages.tif", "a.npy", "a.h5", ""}) {
      const char* name = *format == 0 ? "folder" : format;
      // The rows of the array are as many as these lines, and would be the views.
      if (format != std::string("a.npy"))
        QTest::addRow("%s, projections", name) << format << projections;
      QTest::addRow("%s, frames", name) << format << frames;
    }
  }
  void theListMayCloseTheTurn() {
    const ImportRequest one = request_of_row();
    const ImportedScan scan = import_scan(one);
    expect_angles(scan, {0, 36, 72, 108, 144});
    QVERIFY(is_assumed(scan, "angles", "those of the first lines, without the last"));
    QFETCH(QByteArray, list);
    write_file(one.angles, list + "180\n");
    EXPECT_THROWS(InputError, import_scan(one), "angles for 5 frames");
  }

  /// Each view gets the beam of its time: flats before the first view and after the third one.
  void theirTimesAreKnown() {
    write_as("pages.tif");
    ImportRequest one = request("pages.tif");
    one.arc_deg = 180;
    one.normalise.average = FrameAverage::interpolated;
    QVERIFY(has_part(import_scan(one).scan.notes, "flats of 2 times were interpolated"));
  }

  /// Others that are given beside them count as well.
  void othersCountToo() {
    write_as("pages.tif");
    write_frame("f.tif", CountedFrames::flat_frame(0));
    ImportRequest one = request("pages.tif");
    one.arc_deg = 180;
    one.flats = {path("f.tif")};
    one.flat_frames = ranges_from("1,2,6", "test");
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
  }

  /// Files of the series that are given as flats or darks count as frames of the folder.
  void filesGivenApartKeepTheNumbers_data() {
    QTest::addColumn<QString>("flats");
    QTest::addColumn<QString>("given");
    QTest::newRow("before") << "2,6"
                            << "p_11.tif";
    QTest::newRow("between") << "1,2"
                             << "p_16.tif";
    QTest::newRow("as marked too") << "1:2,6"
                                   << "p_11.tif";
    QTest::newRow("flat beside the series") << "1:2,6"
                                            << "flat_1.tif";
  }
  void filesGivenApartKeepTheNumbers() {
    QFETCH(QString, flats);
    QFETCH(QString, given);
    write_as("");
    write_frame("flat_1.tif", CountedFrames::flat_frame(0));
    ImportRequest one = request();
    one.flats = {path(given.toStdString())};
    one.flat_frames = ranges_from(flats.toStdString(), "test");
    one.angles = path("list.txt");
    write_file(one.angles, "0\n10\n30\n60\n100\n");
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 10, 30, 60, 100});
    QVERIFY(has_part(scan.scan.notes, "darks (--dark-frames): "));
    QVERIFY(has_part(scan.scan.notes, "p_19.tif to "));
    one.dark_frames = ranges_from("9:11", "test");
    EXPECT_THROWS(UsageError, import_scan(one), "count from 0 to 10");
  }

  /// Nor do they leave a step of the angles open, whether they are marked or given.
  void filesOfTheSeriesThatAreGivenTakeNoStep_data() {
    QTest::addColumn<QString>("list");
    QTest::newRow("arc") << QString();
    QTest::newRow("projections") << "0\n45\n90\n135\n180\n";
    QTest::newRow("frames") << "0\n0\n0\n0\n45\n90\n90\n135\n180\n180\n180\n";
    QTest::newRow("numbers") << "nr,angle\n13,0\n14,45\n15,90\n17,135\n18,180\n";
  }
  void filesOfTheSeriesThatAreGivenTakeNoStep() {
    QFETCH(QString, list);
    write_as("");
    ImportRequest one = half_turn();
    one.flats = {path("p_11.tif"), path("p_12.tif"), path("p_16.tif")};
    one.darks = {path("p_10.tif"), path("p_19.tif"), path("p_20.tif")};
    if (!list.isEmpty()) {
      one.arc_deg.reset();
      one.angles = path("list.txt");
      write_file(one.angles, list.toUtf8());
    }
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 45, 90, 135, 180});
    QVERIFY(!has_part(scan.scan.notes, "missing"));
    if (!list.isEmpty()) return;
    std::filesystem::remove(path("p_14.tif"));
    const ImportedScan gap = import_scan(one);
    expect_angles(gap, {0, 90, 135, 180});
    QVERIFY(has_part(gap.scan.notes, "frame 14 is missing between p_13.tif and p_15.tif"));
  }

  /// Nor do flats and darks that are called so and take numbers between those of the projections.
  void calledFlatsInTheCounterTakeNoStep() {
    write_as("");
    for (const int number : {10, 19, 20})
      std::filesystem::rename(path("p_" + std::to_string(number) + ".tif"),
                              path("p_" + std::to_string(number) + "_dark.tif"));
    for (const int number : {11, 12, 16})
      std::filesystem::rename(path("p_" + std::to_string(number) + ".tif"),
                              path("p_" + std::to_string(number) + "_flat.tif"));
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 45, 90, 135, 180});
    QVERIFY(!has_part(scan.scan.notes, "missing"));
  }

  /// The note says which frames may be flats, in the numbers of the file.
  void framesLikeFlatsAreNumbered() {
    std::vector<Page> frames = {CountedFrames::dark_frame(0)};
    for (int i = 0; i < 4; ++i) {
      Page flat = CountedFrames::flat_frame(0);
      for (std::size_t k = 0; k < flat.size(); ++k)
        flat[k] =
            static_cast<std::uint16_t>(flat[k] + (k * 7 + static_cast<std::size_t>(i) * 5) % 11);
      frames.push_back(flat);
    }
    for (int i = 0; i < 30; ++i) frames.push_back(CountedFrames::projection(i % 5));
    write_pages(path("p.tif"), frames, CountedFrames::columns);
    std::filesystem::create_directory(path("series"));
    ImportRequest one = request("p.tif");
    one.flat_frames.clear();
    one.dark_frames = ranges_from("0", "test");
    one.arc_deg = 180;
    const ImportedScan scan = import_scan(one);
    QVERIFY2(has_part(scan.scan.notes, "(frames 1:4) are alike and brighter"),
             scan.scan.notes.front().c_str());
    QVERIFY(has_part(scan.scan.notes, "--flat-frames or, by their files, --flat names them"));
    // In a folder also counting the files that are given, as marks do.
    for (std::size_t i = 0; i < frames.size(); ++i)
      write_frame("series/p_" + std::to_string(10 + i) + ".tif", frames[i]);
    one = half_turn("series");
    one.darks = {path("series/p_10.tif")};
    const ImportedScan folder = import_scan(one);
    QVERIFY2(has_part(folder.scan.notes, "p_14.tif (frames 1:4) are alike and brighter"),
             folder.scan.notes.front().c_str());
  }

  /// One that is a projection would make all of them wrong.
  void framesUnlikeTheOthersAreNamed_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("flats");
    QTest::addColumn<QString>("darks");
    QTest::addColumn<QString>("note");
    QTest::newRow("a brighter flat") << "pages.tif"
                                     << "1:2,6"
                                     << "0,9:10"
                                     << "of the 3 flats, pages.tif, page 7 (frame 6) is unlike the "
                                        "others, in brightness or picture: check which frames are "
                                        "flats (--flat-frames)";
    QTest::newRow("a projection") << ""
                                  << "1:3"
                                  << "0"
                                  << "p_13.tif (frame 3) is unlike the others";
    QTest::newRow("a flat as dark")
        << "a.npy"
        << "2"
        << "0,1,9:10"
        << "of the 4 darks, a.npy, view 1 (frame 1) is unlike the others";
    QTest::newRow("alike") << "pages.tif"
                           << "1:2"
                           << "0,9:10"
                           << "";
  }
  void framesUnlikeTheOthersAreNamed() {
    QFETCH(QString, format);
    QFETCH(QString, flats);
    QFETCH(QString, darks);
    QFETCH(QString, note);
    write_as(format.toStdString());
    ImportRequest one = request(format.toStdString());
    one.arc_deg = 180;
    one.flat_frames = ranges_from(flats.toStdString(), "test");
    one.dark_frames = ranges_from(darks.toStdString(), "test");
    const std::vector<std::string> notes = import_scan(one).scan.notes;
    QCOMPARE(has_part(notes, " unlike "), !note.isEmpty());
    QVERIFY(note.isEmpty() || has_part(notes, note.toUtf8().constData()));
  }

  void badMarksAreRefused() {
    write_as("pages.tif");
    ImportRequest one = request("pages.tif");
    one.arc_deg = 180;
    const auto mark = [&](const char* flats, const char* darks) {
      one.flat_frames = ranges_from(flats, "test");
      one.dark_frames = ranges_from(darks, "test");
      import_scan(one);
    };
    EXPECT_THROWS(UsageError, mark("9:11", ""), "count from 0 to 10");
    EXPECT_THROWS(UsageError, mark("3:2", ""), "frames 3 to 2");
    EXPECT_THROWS(UsageError, mark("1:3", "3"), "frame 3 is marked as a flat and as a dark");
    EXPECT_THROWS(UsageError, mark("0:9", "10"), "all frames are marked as flats or darks");
    EXPECT_THROWS(UsageError, ranges_from("1,x", "--flat-frames"), "is no range");
    const std::vector<double> keys(11, 0.0);
    {
      const Hdf5Writer writer(path("n.nxs"));
      writer.add("/entry/data/data", {11, 6, 9}, all_values());
      writer.add("/entry/data/image_key", {11}, keys);
    }
    one = request("n.nxs");
    one.arc_deg = 180;
    EXPECT_THROWS(UsageError, import_scan(one), "itself tells which of its frames are projections");
  }

  void experimentsHoldTheMarks() {
    ImportSettings settings;
    settings.flat_frames = ranges_from("0:9,100:", "test");
    settings.dark_frames = ranges_from("12", "test");
    settings.angle_column = "theta";
    settings.padding = {5, PadValues::edge};
    const nlohmann::json json = to_json(settings, "/");
    QVERIFY(import_from_json(JsonFields(json, "test"), "/") == settings);
    QCOMPARE(text_of(settings.flat_frames), std::string("0:9,100:"));
    for (const char* text : {R"({"flat_frames": [1, 2]})", R"({"dark_frames": [[1, 2, 3]]})",
                             R"({"flat_frames": [[-1]]})", R"({"pad": -1})"}) {
      const nlohmann::json bad = nlohmann::json::parse(text);
      EXPECT_THROWS(InputError, import_from_json(JsonFields(bad, "test"), "/"), "test");
    }
  }
};

GANTRY_TEST(TestMarkedFrames)
#include "test_marked_frames.moc"
