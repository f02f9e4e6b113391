// Flats and darks of HDF5 that follows no convention, by the names of their data sets.
#include "core/base/error.hpp"
#include "core/io/imports/array_frames.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <cmath>
#include <utility>

using namespace gantry;
using namespace gantry::test;

class TestHdf5Roles : public QObject, private Hdf5Folder {
  Q_OBJECT

  ImportRequest request_of(const char* name) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    return request;
  }
  static Frame darks() {
    return joined_frames(
        {CountedFrames::dark_frame(0), CountedFrames::dark_frame(1), CountedFrames::dark_frame(2)});
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// Data sets are called as files are.
  void flatsAndDarksAreCalledAsFilesAre_data() {
    QTest::addColumn<QString>("flat");
    QTest::addColumn<QString>("dark");
    const auto add = [](const char* flat, const char* dark) {
      QTest::addRow("%s, %s", flat, dark) << QString::fromLatin1(flat) << QString::fromLatin1(dark);
    };
    add("/img_bkg", "/img_dark");
    add("/flood", "/dark_current");
    add("/empty_beam", "/Darks_pre");
    add("/tomo_flat", "/drk");
    add("/ref/data", "/no_beam/data");
  }
  void flatsAndDarksAreCalledAsFilesAre() {
    QFETCH(QString, flat);
    QFETCH(QString, dark);
    for (const bool are_single : {false, true}) {
      {
        const Hdf5Writer file(path("g.h5"));
        const std::size_t count = are_single ? 1 : 3;
        const auto size = are_single ? std::vector<hsize_t>{6, 9} : size_of(count);
        file.add("/data", size_of(7), joined_frames(projections(7)));
        file.add(flat.toUtf8().constData(), size,
                 are_single ? CountedFrames::flat_frame(0) : counted_flats());
        file.add(dark.toUtf8().constData(), size,
                 are_single ? CountedFrames::dark_frame(0) : darks());
        file.add("/theta", {7}, half_turn, "deg");
      }
      const ImportedScan scan = imported("g.h5");
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      QVERIFY(is_assumed(scan, "flats", flat.toStdString()));
      QVERIFY(is_assumed(scan, "darks", dark.toStdString()));
    }
  }

  /// Flats of before and after are one series, and corrected projections are no flats.
  void flatsOfBeforeAndAfterAreJoined() {
    const auto write = [&](const char* projections_path) {
      const Hdf5Writer file(path("g.h5"));
      file.add(projections_path, size_of(7), joined_frames(projections(7)));
      file.add("/flats_pre", size_of(1), CountedFrames::flat_frame(0));
      file.add("/flats_post", size_of(1), CountedFrames::flat_frame(1));
      file.add("/dark", size_of(3), darks());
      file.add("/theta", {7}, half_turn, "deg");
    };
    for (const char* name : {"/data", "/flat_corrected"}) {
      write(name);
      expect_line_integrals(imported("g.h5"), {0, 1, 2, 3, 4, 5, 6});
      const RawScan raw = import_formats().to_read(path("g.h5")).read(request_of("g.h5"));
      QCOMPARE(raw.flats->frames(), 2);
      QCOMPARE(raw.flat_views, (std::vector<double>{6.5, -0.5}));  // in the order of the file
    }
  }

  void flatsOfBeforeAndAfterHaveManyNames_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    const auto add = [](const char* before, const char* after) {
      QTest::newRow(before) << QString::fromLatin1(before) << QString::fromLatin1(after);
    };
    add("/pre_flats", "/post_flats");
    add("/initial_flat", "/final_flat");
    add("/before/flats", "/after/flats");
    add("/flats/before", "/flats/after");
    add("/scan/start/white", "/scan/end/white");
  }
  void flatsOfBeforeAndAfterHaveManyNames() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    {
      const Hdf5Writer file(path("g.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add(before.toUtf8().constData(), size_of(1), CountedFrames::flat_frame(0));
      file.add(after.toUtf8().constData(), size_of(1), CountedFrames::flat_frame(1));
      file.add("/dark", size_of(3), darks());
      file.add("/theta", {7}, half_turn, "deg");
    }
    expect_line_integrals(imported("g.h5"), {0, 1, 2, 3, 4, 5, 6});
    const RawScan raw = import_formats().to_read(path("g.h5")).read(request_of("g.h5"));
    QVERIFY(raw.flats != nullptr);
    QCOMPARE(raw.flats->frames(), 2);
    QCOMPARE(raw.flat_views,
             (before < after ? std::vector<double>{-0.5, 6.5} : std::vector<double>{6.5, -0.5}));
  }

  /// Where no name tells when each series was taken, one flat is made of all.
  void seriesThatDifferAreNoted() {
    for (const auto& [first, second] :
         {std::pair("/flat1", "/flat2"), {"/flat_run1", "/flat_run2"}}) {
      Frame dimmer = counted_flats();
      for (std::uint16_t& value : dimmer) value /= 2;
      {
        const Hdf5Writer file(path("g.h5"));
        file.add("/data", size_of(7), joined_frames(projections(7)));
        file.add(first, size_of(3), counted_flats());
        file.add(second, size_of(3), dimmer);
        file.add("/theta", {7}, half_turn, "deg");
      }
      const std::string note = "the flats g.h5:" + std::string(second) +
                               " are 50 % darker than g.h5:" + first + ", and one flat";
      QVERIFY(has_part(imported("g.h5").scan.notes, note.c_str()));
    }
  }

  /// A background is the beam without the object, or the detector without the beam.
  void darkBackgroundsAreDarks_data() {
    QTest::addColumn<QString>("flat");
    QTest::addColumn<QString>("background");
    for (const auto& [flat, background] : {std::pair("/flat", "/background"),
                                           {"/white", "/bg"},
                                           {"/white", "/bkg"},
                                           {"/brightfield", "/background"},
                                           {"/bright_field", "/background"},
                                           {"/empty", "/background"},
                                           {"/scan/flats/data", "/scan/background/data"}})
      QTest::addRow("%s, %s", flat, background)
          << QString::fromLatin1(flat) << QString::fromLatin1(background);
  }
  void darkBackgroundsAreDarks() {
    QFETCH(QString, flat);
    QFETCH(QString, background);
    const auto write = [&](const Frame& values, const QString& dark) {
      const Hdf5Writer file(path("b.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add(flat.toUtf8().constData(), size_of(3), counted_flats());
      file.add(background.toUtf8().constData(), size_of(3), values);
      file.add("/theta", {7}, half_turn, "deg");
      if (!dark.isEmpty()) file.add(dark.toUtf8().constData(), size_of(3), darks());
    };
    const std::string named = background.toStdString() + " (3 x 6 x 9)";
    write(darks(), {});
    ImportedScan scan = imported("b.h5");
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "flats", flat.toStdString()));
    QVERIFY(is_assumed(scan, "darks", background.toStdString()));
    QVERIFY(has_part(scan.scan.notes, (named + " was taken as darks, since it is far").c_str()));
    // One as bright as a flat is none, and beside other darks one of any brightness is not needed.
    for (const auto& [values, dark] : {std::pair(counted_flats(), QString()),
                                       {counted_flats(), QStringLiteral("/dark")},
                                       {darks(), QStringLiteral("/dark")}}) {
      write(values, dark);
      scan = imported("b.h5");
      QVERIFY(is_assumed(scan, "flats", flat.toStdString()));
      if (!dark.isEmpty()) QVERIFY(is_assumed(scan, "darks", dark.toStdString()));
      if (background.count(QLatin1Char('/')) == 1)
        QVERIFY(has_part(scan.scan.notes, ("named as flats or darks: " + named).c_str()));
    }
  }
  void aBackgroundAloneMayBeTheFlats() {
    for (const bool is_dark : {false, true}) {
      {
        const Hdf5Writer file(path("b.h5"));
        file.add("/data", size_of(7), joined_frames(projections(7)));
        file.add("/background", size_of(3), is_dark ? darks() : counted_flats());
        file.add("/theta", {7}, half_turn, "deg");
      }
      QVERIFY(is_assumed(imported("b.h5"), is_dark ? "darks" : "flats", "/background"));
    }
  }

  /// Frames that are named as flats or darks are taken, or named.
  void othersThatAreNamedSoAreNoted() {
    const auto write = [&](const std::vector<std::pair<const char*, std::vector<hsize_t>>>& more) {
      const Hdf5Writer file(path("o.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add("/flat", {3, 1, 6, 9}, counted_flats());
      file.add("/theta", {7}, half_turn, "deg");
      for (const auto& [name, size] : more) {
        hsize_t count = 1;
        for (const hsize_t one : size) count *= one;
        file.add(name, size, Frame(count, 100));
      }
    };
    const auto note_of = [&] {
      for (const std::string& note : imported("o.h5").scan.notes)
        if (note.starts_with("not used, though named")) return note.substr(0, note.find(';'));
      return std::string();
    };
    const std::string begin = "not used, though named as flats or darks: ";
    write({{"/dark", {3, 1, 6, 9}}});  // with an axis of one element
    expect_line_integrals(imported("o.h5"), {0, 1, 2, 3, 4, 5, 6});
    QCOMPARE(note_of(), std::string());
    write({{"/dark", {54}}, {"/white", {3, 6, 9}}});
    QCOMPARE(note_of(), begin + "/white (3 x 6 x 9), /dark (54)");
    ImportRequest integrals = request_of("o.h5");
    integrals.normalise.are_line_integrals = true;
    QVERIFY(!has_part(import_scan(integrals).scan.notes, "not used, though named"));
    write({{"/dark", {}}, {"/flat_std", {6, 9}}, {"/flat_current", {3}}, {"/b/flat", {3, 6, 9}}});
    QCOMPARE(note_of(), begin + "/dark (a single value)");
    {
      const Hdf5Writer file(path("o.h5"));
      file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
      file.add("/exchange/theta", {7}, half_turn, "deg");
      for (const char* one : {"/exchange/data_white", "/exchange/data_white_post"})
        file.add(one, size_of(3), counted_flats());
    }
    QCOMPARE(note_of(), begin + "/exchange/data_white_post (3 x 6 x 9)");
  }

  /// Of two scans in a file, each has the flats and darks in its own group.
  void ofTwoScansEachHasItsOwn() {
    {
      const Hdf5Writer file(path("t.h5"));
      for (const std::string scan : {"/a", "/b"}) {
        file.add((scan + "/tomo/data").c_str(), size_of(7), joined_frames(projections(7)));
        file.add((scan + "/flat/data").c_str(), size_of(3), counted_flats());
        file.add((scan + "/dark/data").c_str(), size_of(3), darks());
      }
      file.add("/theta", {7}, half_turn, "deg");
    }
    ImportRequest wanted = request_of("t.h5");
    wanted.data_sets.projections = "/b/tomo/data";
    const ImportedScan scan = import_scan(wanted);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "flats", "/b/flat/data"));
    QVERIFY(is_assumed(scan, "darks", "/b/dark/data"));
    QVERIFY(!has_part(scan.scan.notes, "not used, though named"));
  }

  /// Flats and darks at the root were taken for both of two scans, if these have none.
  void ofTwoScansBothHaveThoseAtTheRoot() {
    {
      const Hdf5Writer file(path("t.h5"));
      for (const std::string scan : {"/a", "/b"})
        file.add((scan + "/proj").c_str(), size_of(7), joined_frames(projections(7)));
      file.add("/flat", size_of(3), counted_flats());
      file.add("/dark", size_of(3), darks());
      file.add("/theta", {7}, half_turn, "deg");
    }
    ImportRequest wanted = request_of("t.h5");
    wanted.data_sets.projections = "/a/proj";
    const ImportedScan scan = import_scan(wanted);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "flats", "/flat"));
    QVERIFY(is_assumed(scan, "darks", "/dark"));
    QVERIFY(!has_part(scan.scan.notes, "not used, though named"));
  }

  /// A group may be called by a word of darks that the object has in its name.
  void groupsOfTheObjectMayHaveAWordOfDarks() {
    {
      const Hdf5Writer file(path("c.h5"));
      file.add("/entry/dark_chocolate/images", size_of(7), joined_frames(projections(7)));
      file.add("/entry/dark_chocolate/rotation", {7}, half_turn, "deg");
      file.add("/entry/flats/images", size_of(3), counted_flats());
      file.add("/entry/darks/images", size_of(3), darks());
    }
    const ImportedScan scan = imported("c.h5");
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "flats", "/entry/flats/images"));
    QVERIFY(is_assumed(scan, "darks", "/entry/darks/images"));
  }

  /// The beam may change more from flat to flat than the rows of one differ.
  void flatsOfAChangingBeamAreToldByTheirLikeness() {
    Frame flats;
    for (int i = 0; i < 6; ++i)
      for (int cell = 0; cell < 54; ++cell)
        flats.push_back(static_cast<std::uint16_t>((20 - i) * (1000 + 10 * ((7 * cell) % 11))));
    {
      const Hdf5Writer file(path("r.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add("/flat", {6, 6, 9}, flats);
      file.add("/theta", {7}, half_turn, "deg");
    }
    const ImportedScan scan = imported("r.h5");
    QVERIFY(is_assumed(scan, "flats", "/flat"));
    QVERIFY(!is_assumed(scan, "axes of /flat", "row, view, column"));
  }

  /// As many flats as rows may follow each other along another axis than the projections.
  void flatsAsManyAsRowsAreToldByTheirLikeness() {
    Frame flats, darks;
    for (int i = 0; i < 6; ++i) {
      const Frame flat = CountedFrames::flat_frame(0), dark = CountedFrames::dark_frame(0);
      for (int cell = 0; cell < 54; ++cell)  // each row is twice as bright as that before
        flats.push_back(
            static_cast<std::uint16_t>(100 + ((flat[std::size_t(cell)] - 100) >> (5 - cell / 9))));
      darks.insert(darks.end(), dark.begin(), dark.end());
    }
    for (const bool are_turned : {false, true}) {
      {
        const Hdf5Writer file(path("r.h5"));
        file.add("/data", {6, 7, 9}, sinograms_of(joined_frames(projections(7))));
        file.add("/flat", {6, 6, 9}, are_turned ? sinograms_of(flats) : flats);
        file.add("/dark", {6, 6, 9}, darks);
        file.add("/theta", {7}, half_turn, "deg");
      }
      ImportRequest wanted = request_of("r.h5");
      wanted.axes = *axis_order_in("rows,views,columns");
      const ImportedScan scan = import_scan(wanted);
      QCOMPARE(is_assumed(scan, "axes of /flat", "view, row, column"), !are_turned);
      const std::vector<float>& values = scan.scan.line_integrals;
      for (int row = 0; row < 6; ++row)  // the lowest comes first, in which the flat is that of all
        EXPECT_NEAR(values[std::size_t(9 * row)],
                    CountedFrames::line_integral(0, 5 - row, 0) - row * std::log(2.0), 2e-3);
    }
  }

  /// Flats that do not fit may say that the axes were taken in a wrong order.
  void flatsOfAnotherSizeLeadToTheAxes() {
    {
      const Hdf5Writer file(path("s.h5"));
      file.add("/tomo", {6, 7, 9}, sinograms_of(joined_frames(projections(7))));
      file.add("/flats", {6, 3, 9}, sinograms_of(counted_flats()));
      file.add("/darks", {6, 3, 9}, sinograms_of(darks()));
    }
    ImportRequest wanted = request_of("s.h5");
    wanted.arc_deg = 180;
    EXPECT_THROWS(InputError, import_scan(wanted),
                  "a flat has 9 x 3 cells, the projections have 9 x 7; give frames of one size, or "
                  "the order of the axes (--axes) if it is another");
    wanted.axes = *axis_order_in("rows,views,columns");
    expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
  }

  /// What may be a flat by its size alone is named where the beam is a guess.
  void framesOfTheSameSizeAreNamed() {
    {
      const Hdf5Writer file(path("c.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add("/mask", {6, 9}, CountedFrames::flat_frame(0));
      file.add("/other", {5, 9}, Frame(45, 1));
      file.add("/theta", {7}, half_turn, "deg");
    }
    const char* note = "not used, though as large as the projections: /mask (6 x 9); --flat-data";
    ImportRequest wanted = request_of("c.h5");
    QVERIFY(has_part(import_scan(wanted).scan.notes, note));
    wanted.data_sets.flats = "/mask";
    QVERIFY(!has_part(import_scan(wanted).scan.notes, "not used"));
  }
};

GANTRY_TEST(TestHdf5Roles)
#include "test_hdf5_roles.moc"
