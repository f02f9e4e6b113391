// HDF5 that follows no convention: data sets by their paths, what is found without, and what is
// refused.
#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_place.hpp"
#include "core/io/imports/import_json.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/data.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <numbers>

using namespace gantry;
using namespace gantry::test;

class TestHdf5DataSets : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const {
    return folder_->filePath(QLatin1String(name)).toStdString();
  }
  ImportRequest request(const char* name) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    return request;
  }
  static std::vector<double> degrees_of(double step) {
    std::vector<double> angles;
    for (int i = 0; i < 7; ++i) angles.push_back(step * i);
    return angles;
  }
  static Frame flats() { return counted_flats(); }
  static Frame darks() {
    return joined_frames(
        {CountedFrames::dark_frame(0), CountedFrames::dark_frame(1), CountedFrames::dark_frame(2)});
  }
  /// Frames, flats, darks and angles of names that say nothing, and more that could be frames.
  void write_plain(const char* name) const {
    const Hdf5Writer file(path(name));
    file.add("/scan/a", size_of(7), joined_frames(projections(7)), {}, false, {1, 6, 9});
    file.add("/scan/b", size_of(3), flats());
    file.add("/scan/c", size_of(3), darks());
    file.add("/scan/d", {7}, degrees_of(30), "degrees");
    file.add("/scan/e", {7}, degrees_of(std::numbers::pi / 12), "radian");
  }
  static DataSetPaths plain_paths() { return {"/scan/a", "/scan/b", "scan/c", "/scan/d"}; }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void dataSetsByPath() {
    write_plain("p.h5");
    ImportRequest wanted = request("p.h5");
    wanted.data_sets = plain_paths();
    const ImportedScan scan = import_scan(wanted);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, degrees_of(30));
    QVERIFY(is_assumed(scan, "axes of the projections", "view, row, column"));
    QVERIFY(!is_assumed(scan, "unit of the angles", "degrees"));
    QVERIFY(notes_beside_flats(scan).empty());
    wanted.data_sets.angles = "/scan/e";
    expect_angles(import_scan(wanted), degrees_of(15));
    wanted.arc_deg = 60;
    expect_angles(import_scan(wanted), degrees_of(10));
  }

  /// Degrees over less than 6.4 would be radians if nothing stated their unit.
  void theNameOfAnglesStatesTheirUnit_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("in_degrees");
    QTest::addRow("degrees") << "/angles_degrees" << 1.0;
    QTest::addRow("deg") << "/theta_deg" << 1.0;
    QTest::addRow("rad") << "/theta_rad" << 180 / std::numbers::pi;
  }
  void theNameOfAnglesStatesTheirUnit() {
    QFETCH(QString, name);
    QFETCH(double, in_degrees);
    {
      const Hdf5Writer file(path("p.h5"));
      file.add("/frames", size_of(7), joined_frames(projections(7)));
      file.add("/flats", size_of(3), flats());
      file.add(name.toUtf8().constData(), {7}, degrees_of(0.5));
    }
    const ImportedScan scan = import_scan(request("p.h5"));
    expect_angles(scan, degrees_of(0.5 * in_degrees));
    QVERIFY(!is_assumed(scan, "unit of the angles", "degrees"));
  }

  /// A list of angles beside the frames that does not fit them is not passed over.
  void anglesOfAnotherNumberAreRefused() {
    {
      const Hdf5Writer file(path("n.h5"));
      file.add("/scan/data", size_of(7), joined_frames(projections(7)));
      file.add("/scan/flats", size_of(3), flats());
      file.add("/scan/theta", {5}, std::vector<double>{0, 30, 70, 90, 120}, "deg");
    }
    EXPECT_THROWS(InputError, import_scan(request("n.h5")),
                  "n.h5:/scan/theta: has 5 angles for 7 frames");
  }

  /// Dimensions of a single element, as of the one channel of a detector, are no dimensions.
  void singleElementsAreLeftOut_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("channel between") << "v1rc"
                                     << "f1rc";
    QTest::newRow("scan first") << "1vrc"
                                << "1frc";
    QTest::newRow("channel last") << "vrc1"
                                  << "frc1";
    QTest::newRow("two of them") << "1v1rc"
                                 << "frc";
  }
  void singleElementsAreLeftOut() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    const auto sizes = [](const QString& axes) {
      std::vector<hsize_t> of;
      for (const QChar axis : axes)
        of.push_back(axis == QLatin1Char('v')   ? 7
                     : axis == QLatin1Char('f') ? 3
                     : axis == QLatin1Char('r') ? 6
                     : axis == QLatin1Char('c') ? 9
                                                : 1);
      return of;
    };
    for (const bool is_packed : {false, true}) {
      const auto chunks = is_packed ? sizes(before) : std::vector<hsize_t>();
      {
        const Hdf5Writer plain(path("p.h5")), nxtomo(path("n.nxs"));
        plain.add("/data", sizes(before), joined_frames(projections(7)), {}, false, chunks);
        plain.add("/flat", sizes(after), flats());
        plain.add("/dark", {6, 9}, CountedFrames::dark_frame(0));
        plain.add("/theta", {7}, degrees_of(30), "deg");
        nxtomo.add("/e/data", sizes(before), joined_frames(projections(7)), {}, false, chunks);
        nxtomo.add("/e/image_key", {7}, std::vector<double>(7));
        nxtomo.add("/e/rotation_angle", {7}, degrees_of(30), "deg");
      }
      const ImportedScan scan = import_scan(request("p.h5"));
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      expect_angles(scan, degrees_of(30));
      ImportRequest marked = request("n.nxs");
      marked.flats = {path("p.h5:/flat")};
      marked.darks = {path("p.h5:/dark")};
      expect_line_integrals(import_scan(marked), {0, 1, 2, 3, 4, 5, 6});
    }
  }

  void sinogramsByPath() {
    {
      const Hdf5Writer file(path("s.h5"));
      file.add("/rows", {6, 7, 9}, sinograms_of(joined_frames(projections(7))));
      file.add("/white", {6, 3, 9}, sinograms_of(flats()));
      file.add("/dark", {6, 9}, CountedFrames::dark_frame(0));
    }
    ImportRequest wanted = request("s.h5");
    wanted.data_sets.projections = "/rows";
    wanted.images = ImageContent::sinograms;
    wanted.arc_deg = 180;
    const ImportedScan scan = import_scan(wanted);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "flats", "/white"));
    QVERIFY(is_assumed(scan, "darks", "/dark"));
  }

  void aSinogramOfOneRow_data() {
    QTest::addColumn<bool>("is_packed");
    QTest::newRow("in one piece") << false;
    QTest::newRow("packed") << true;
  }
  void aSinogramOfOneRow() {
    QFETCH(bool, is_packed);
    constexpr int row = 2;
    const auto row_of = [](const Frame& frame) {
      return Frame(frame.begin() + 9 * row, frame.begin() + 9 * (row + 1));
    };
    {
      const Hdf5Writer file(path("one.h5"));
      std::vector<Frame> rows;
      for (const Frame& frame : projections(7)) rows.push_back(row_of(frame));
      file.add("/sino", {7, 9}, joined_frames(rows), {}, false,
               is_packed ? std::vector<hsize_t>{4, 9} : std::vector<hsize_t>{});
      file.add("/i0", {9}, row_of(CountedFrames::flat_frame(0)));
      file.add("/none", {2, 9},
               joined_frames(
                   {row_of(CountedFrames::dark_frame(0)), row_of(CountedFrames::dark_frame(1))}));
    }
    ImportRequest wanted = request("one.h5");
    wanted.data_sets = {"/sino", "/i0", "/none", {}};
    wanted.arc_deg = 180;
    const ImportedScan scan = import_scan(wanted);
    QCOMPARE(scan.scan.geometry->views(), 7);
    QCOMPARE(scan.scan.geometry->rows(), 1);
    for (int view = 0; view < 7; ++view)
      for (int column = 0; column < 9; ++column)
        EXPECT_NEAR(scan.scan.line_integrals[static_cast<std::size_t>(9 * view + column)],
                    CountedFrames::line_integral(view, row, column), 1e-5);
  }

  /// The only frames are taken, with what is named as flats, darks and angles; and it is said.
  void theOnlyFramesAreTaken() {
    {
      const Hdf5Writer file(path("o.h5"));
      file.add("/alias/unrelated", {3}, std::vector<double>{1, 2, 3});
      file.add("/measurement/frames", size_of(7), joined_frames(projections(7)));
      file.add("/measurement/Flats", size_of(3), flats());
      file.add("/measurement/dark", size_of(3), darks());
      file.add("/motor/theta", {7}, degrees_of(30));
      file.link("/first", "/measurement/frames");  // by which the listing knows them
    }
    const ImportedScan scan = import_scan(request("o.h5"));
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, degrees_of(30));
    QVERIFY(is_assumed(scan, "projections", "/first, 7 x 6 x 9"));
    QVERIFY(is_assumed(scan, "flats", "/measurement/Flats"));
    QVERIFY(is_assumed(scan, "darks", "/measurement/dark"));
    QVERIFY(is_assumed(scan, "angles", "/motor/theta"));
    QVERIFY(is_assumed(scan, "unit of the angles", "degrees"));
  }

  /// Flats and darks in groups of their own, of which the group may have the name.
  void flatsAndDarksInOtherGroups_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("flat");
    QTest::addColumn<QString>("dark");
    QTest::newRow("above") << "/entry/data/data"
                           << "/entry/flat"
                           << "/entry/dark";
    QTest::newRow("groups") << "/proj/data"
                            << "/flat/data"
                            << "/Dark/data";
  }
  void flatsAndDarksInOtherGroups() {
    QFETCH(QString, data);
    QFETCH(QString, flat);
    QFETCH(QString, dark);
    const auto write = [&](const std::vector<const char*>& more) {
      const Hdf5Writer file(path("g.h5"));
      file.add(data.toUtf8().constData(), size_of(7), joined_frames(projections(7)));
      file.add(flat.toUtf8().constData(), size_of(3), flats());
      file.add(dark.toUtf8().constData(), size_of(3), darks());
      file.add("/theta", {7}, degrees_of(30), "deg");
      for (const char* name : more) file.add(name, size_of(3), flats());
    };
    write({});
    ImportRequest wanted = request("g.h5");
    for (const std::string& named : {std::string(), data.toStdString()}) {
      wanted.data_sets.projections = named;
      const ImportedScan scan = import_scan(wanted);
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      QVERIFY(is_assumed(scan, "flats", flat.toStdString()));
      QVERIFY(is_assumed(scan, "darks", dark.toStdString()));
      QVERIFY(notes_beside_flats(scan).empty());
    }
    const auto is_left_out = [&](const QString& flats) {
      const QString note = "not used, though named as flats or darks: " + flats + " (3 x 6 x 9)";
      return has_part(import_scan(wanted).scan.notes, note.toUtf8().constData());
    };
    write({"/more/flats"});  // of which none is taken
    QVERIFY(is_left_out(flat + " (3 x 6 x 9), /more/flats"));
    write({"/entry/other"});  // which may be a scan that they belong to
    QVERIFY(is_left_out(flat + " (3 x 6 x 9), " + dark));
    QVERIFY(has_part(import_scan(wanted).scan.notes, "; --flat-data and --dark-data take those"));
  }

  /// Flats of other cells are no flats of these projections, and are named.
  void flatsOfOtherCellsAreNamed() {
    {
      const Hdf5Writer file(path("c.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add("/flat", {1, 9, 6}, CountedFrames::flat_frame(0));
      file.add("/theta", {7}, degrees_of(30), "deg");
    }
    QVERIFY(has_part(import_scan(request("c.h5")).scan.notes,
                     "not used, though named as flats or darks: /flat (1 x 9 x 6); --flat-data"));
  }

  void ofSeveralNoneIsTaken() {
    write_plain("p.h5");
    EXPECT_THROWS(InputError, import_scan(request("p.h5")),
                  "more than one data set may be the projections: /scan/a (7 x 6 x 9), /scan/b (3 "
                  "x 6 x 9), /scan/c (3 x 6 x 9); name that of the projections (--data), or those "
                  "of flats and darks (--flat-data, --dark-data)");
    std::string list;
    for (const DataSetEntry& one :
         import_formats().to_read(path("p.h5")).data_sets(path("p.h5"), nullptr))
      list += one.path + " " + one.size + (one.is_largest_of_several ? " largest; " : "; ");
    QCOMPARE(list, std::string("/scan/a 7 x 6 x 9 largest; /scan/b 3 x 6 x 9; /scan/c 3 x 6 x 9; "
                               "/scan/d 7; /scan/e 7; "));
    ImportRequest wanted = request("p.h5");
    wanted.data_sets = {{}, "/scan/b", "/scan/c", "/scan/d"};  // which leaves one
    expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
  }

  /// Flats and darks in other HDF5 files, in TIFF, and in place of those of DataExchange.
  void flatsInFilesOfTheirOwn() {
    write_plain("p.h5");
    {
      const Hdf5Writer before(path("flats_before.h5")), after(path("flats_after.h5"));
      before.add("/only", {6, 9}, CountedFrames::flat_frame(0));
      after.add("/x/flats", size_of(1), CountedFrames::flat_frame(1));
      after.add("/x/others", size_of(1), CountedFrames::dark_frame(0));
      const Hdf5Writer marked(path("marked.nxs"));
      marked.add("/entry/data", size_of(3),
                 joined_frames({CountedFrames::projection(0), CountedFrames::flat_frame(0),
                                CountedFrames::dark_frame(0)}));
      marked.add("/entry/image_key", {3}, std::vector<std::uint16_t>{0, 1, 2});
      const Hdf5Writer exchange(path("x.h5"));
      exchange.add("/exchange/data", size_of(7), joined_frames(projections(7)));
      exchange.add("/exchange/data_white", size_of(1), CountedFrames::projection(9));
      exchange.add("/exchange/theta", {7}, degrees_of(30), "deg");
      exchange.add("/better", size_of(3), flats());
    }
    ImportRequest wanted = request("p.h5");
    wanted.data_sets = {"/scan/a", {}, {}, "/scan/d"};
    wanted.flats = {path("flats_before.h5"), path("flats_after.h5") + "::/x/flats"};
    wanted.darks = {path("marked.nxs")};
    expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
    QCOMPARE(import_formats().to_read(wanted.path).read(wanted).flat_views,
             (std::vector<double>{-0.5, 6.5}));
    wanted.flats = {path("flats_after.h5")};
    EXPECT_THROWS(InputError, import_scan(wanted),
                  "does not tell which of its data sets are the flats; name one (--flat-data); it "
                  "holds /x/flats (1 x 6 x 9), /x/others (1 x 6 x 9)");
    write_pages(path("w.tif"), {CountedFrames::flat_frame(0)}, 9);
    wanted.flats = {path("w.tif")};
    expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
    wanted.data_sets.flats = "/x";
    EXPECT_THROWS(InputError, import_scan(wanted), "w.tif: is no HDF5, but the data set /x");
    ImportRequest exchange = request("x.h5");
    exchange.data_sets.flats = "/better";
    exchange.darks = {path("marked.nxs")};
    expect_line_integrals(import_scan(exchange), {0, 1, 2, 3, 4, 5, 6});
  }

  void badPathsAreRefused_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("message");
    QTest::newRow("none") << "/scan/z"
                          << "p.h5: has no data set /scan/z; name a data set of numbers; it holds "
                             "/scan/a (7 x 6 x 9)";
    QTest::newRow("group") << "scan"
                           << "/scan is a group, not a data set";
    QTest::newRow("text") << "/text"
                          << "/text holds no plain numbers";
    QTest::newRow("records") << "/records"
                             << "/records holds no plain numbers";
    QTest::newRow("list") << "/scan/d"
                          << "/scan/d is of size 7 instead of 2 to 3 dimensions";
    QTest::newRow("four") << "/four"
                          << "/four is of size 2 x 2 x 2 x 2 instead of 2 to 3";
    QTest::newRow("link") << "/away"
                          << "a link leads nowhere: /away -> nowhere.h5:/data";
    QTest::newRow("below it") << "/away/x"
                              << "/away/x is missing, since a link leads nowhere";
  }
  void badPathsAreRefused() {
    QFETCH(QString, data);
    QFETCH(QString, message);
    {
      const Hdf5Writer file(path("p.h5"));
      file.add("/scan/a", size_of(7), joined_frames(projections(7)));
      file.add("/scan/d", {7}, degrees_of(30));
      file.add("/four", {2, 2, 2, 2}, std::vector<double>(16, 1));
      file.add_text("/text", "frames", true);
      file.add_records("/records", 7);
      file.link("/away", "nowhere.h5", "/data");
    }
    ImportRequest wanted = request("p.h5");
    wanted.data_sets.projections = data.toStdString();
    EXPECT_THROWS(InputError, import_scan(wanted), message.toUtf8().constData());
    wanted.data_sets = {"/scan/a", {}, {}, "/scan/a"};
    EXPECT_THROWS(InputError, import_scan(wanted), "instead of 1 dimension; name a list");
    wanted.data_sets = {"/scan/a", "/four", {}, {}};
    EXPECT_THROWS(InputError, import_scan(wanted), "/four is of size");
  }

  /// A file whose frames are not marked, because the link to the marks is broken, is no plain one.
  void marksThatAreMissingAreNotPassedOver() {
    {
      const Hdf5Writer file(path("n.nxs"));
      file.add("/entry/data", size_of(7), joined_frames(projections(7)));
      file.link("/entry/image_key", "nowhere.h5", "/key");
    }
    EXPECT_THROWS(InputError, import_scan(request("n.nxs")), "/entry/image_key -> nowhere.h5");
  }

  void otherFormatsHaveNoDataSets() {
    write_pages(path("t.tif"), projections(2), 9);
    ImportRequest wanted = request("t.tif");
    wanted.data_sets.flats = "/x";
    EXPECT_THROWS(UsageError, import_scan(wanted), "leave out the paths of data sets");
  }

  void aFileAndAPathInOneText() {
    write_plain("p.h5");
    write_file(path("q:"), QByteArray("x"));
    const auto parts = [](const std::string& text) {
      const Hdf5Place place = hdf5_place(text);
      return std::vector{place.file, place.data_set};
    };
    const std::string file = path("p.h5");
    QCOMPARE(parts(file + ":/a/b:/c"), (std::vector<std::string>{file, "/a/b:/c"}));
    QCOMPARE(parts(file + "::/a"), (std::vector<std::string>{file, "/a"}));
    for (const std::string& whole : {file, path("none.h5") + ":/a", path("q:"), std::string(":/")})
      QCOMPARE(parts(whole), (std::vector<std::string>{whole, {}}));
  }

  void theExperimentHoldsThePaths() {
    ImportSettings settings;
    settings.data_sets = plain_paths();
    const nlohmann::json json = to_json(settings, path(""));
    QCOMPARE(json.at("data").get<std::string>(), std::string("/scan/a"));
    QVERIFY(import_from_json(JsonFields(json, "e.json"), path("")) == settings);
  }

  /// The I13 frames, marked by NXtomo, equal the same frames in a plain file with separate flats.
  void measuredFramesEqualThoseOfNxtomo() {
    NEED_DATA("scans-in/nxtomo_i13_24737_derived");
    ImportRequest marked;
    marked.path = data_path("scans-in/nxtomo_i13_24737_derived/24737_nxtomo.nxs");
    const RawScan raw = import_formats().to_read(marked.path).read(marked);
    const auto values_of = [](const FrameSource& frames) {
      const auto cells = static_cast<std::size_t>(frames.rows() * frames.columns());
      Frame all;
      std::vector<float> one(cells);
      for (int i = 0; i < frames.frames(); ++i) {
        frames.read(i, one);
        for (const float value : one) all.push_back(static_cast<std::uint16_t>(value));
      }
      return all;
    };
    {
      const Hdf5Writer file(path("i13.h5")), flats(path("flats.h5"));
      file.add("/p", {91, 135, 160}, values_of(*raw.projections), {}, false, {4, 135, 160});
      file.add("/d", {135, 160}, values_of(*raw.darks));
      file.add("/t", {91}, raw.angles_deg, "degree");
      flats.add("/f", {1, 135, 160}, values_of(*raw.flats));
    }
    ImportRequest plain;
    plain.path = path("i13.h5");
    plain.data_sets = {"/p", {}, "/d", "/t"};
    plain.flats = {path("flats.h5")};
    const ImportedScan a = import_scan(marked), b = import_scan(plain);
    QVERIFY(a.scan.line_integrals == b.scan.line_integrals);
    QVERIFY(a.scan.geometry->spec() == b.scan.geometry->spec());
    EXPECT_NEAR(b.scan.geometry->spec().central_column, 85.9, 0.3);
  }

  /// As acquisitions average them.
  void singleFlatsAndDarksOfDataExchangeHaveTwoDimensions() {
    {
      const Hdf5Writer file(path("e.h5"));
      file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
      file.add("/exchange/data_white", {6, 9}, CountedFrames::flat_frame(0));
      file.add("/exchange/data_dark", {6, 9}, CountedFrames::dark_frame(0));
      file.add("/exchange/theta", {7}, degrees_of(30), "degrees");
    }
    expect_line_integrals(import_scan(request("e.h5")), {0, 1, 2, 3, 4, 5, 6});
  }

  void flatsAndDarksMayBeArraysOfNumPy() {
    write_plain("p.h5");
    write_pages(path("t.tif"), projections(7), CountedFrames::columns);
    const auto numbers = [](const auto& frames) {
      return little_endian(std::span<const std::uint16_t>(frames));
    };
    write_file(path("f.npy"), npy("<u2", "(3, 6, 9)", numbers(flats())));
    write_file(path("d.npy"), npy("<u2", "(6, 9)", numbers(CountedFrames::dark_frame(0))));
    for (const char* name : {"p.h5", "t.tif"}) {
      ImportRequest wanted = request(name);
      if (wanted.path.ends_with(".h5")) wanted.data_sets.projections = "/scan/a";
      wanted.arc_deg = 180;
      wanted.flats = {path("f.npy")};
      wanted.darks = {path("d.npy")};
      expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
      write_file(path("l.npy"), npy("<u2", "(54,)", numbers(CountedFrames::dark_frame(0))));
      wanted.darks = {path("l.npy")};
      EXPECT_THROWS(InputError, import_scan(wanted), "is an array of 54 numbers");
    }
  }
};

GANTRY_TEST(TestHdf5DataSets)
#include "test_hdf5_data_sets.moc"
