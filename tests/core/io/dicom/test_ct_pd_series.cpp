// What the files of a DICOM-CT-PD series state together: mixed, damaged, incomplete and
// contradictory ones.
#include "core/base/error.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/dicom/ct_pd_scanner.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestCtPdSeries : public QObject, CtPdFolder {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void missingAndDoubleProjectionsAreSaid() {
    const Scanner scanner;
    for (const int i : {0, 1, 2, 4, 5})
      save(scanner.file(on_circle(i), i + 1), "p" + std::to_string(i));
    save(scanner.file(on_circle(5), 6), "copy");
    save(TinyDicom(), "slice");
    const ImportedScan found = imported();
    QCOMPARE(found.scan.geometry->views(), 5);
    const auto says = [&](const char* part) {
      return std::ranges::any_of(found.scan.notes, [part](const std::string& note) {
        return note.find(part) != std::string::npos;
      });
    };
    QVERIFY(says("missing by InstanceNumber: 1 projection"));
    QVERIFY(says("1 projection with the InstanceNumber of another one"));
    QVERIFY(says("1 file without projections"));
  }

  /// Who opens one projection means its series, also where its folder holds another one.
  void aFileStandsForItsSeries() {
    const Scanner scanner;
    for (int i = 0; i < 4; ++i) save(scanner.file(on_circle(i), i + 1), "p" + std::to_string(i));
    const ImportedScan whole = imported();
    save(scanner.file(on_circle(9), 1).text(0x0020000E, "UI", "1.2.3.99"), "another");
    EXPECT_THROWS(InputError, imported(), "2 series");
    const ImportedScan found = imported(path("p2"));
    QVERIFY(found.scan.line_integrals == whole.scan.line_integrals);
    QVERIFY(found.scan.geometry->spec() == whole.scan.geometry->spec());
    QVERIFY(std::ranges::find(found.scan.notes, "left out: 1 file outside the series") !=
            found.scan.notes.end());
    QCOMPARE(imported(path("another")).scan.geometry->views(), 1);
  }

  void aFileStandsForItsSpectrum() {
    for (int i = 0; i < 8; ++i)
      save(Scanner().file(on_circle(i), i + 1).number(0x70331063, 1 + i % 2),
           "p" + std::to_string(i));
    const ImportedScan found = imported(path("p3"));
    QCOMPARE(found.scan.geometry->views(), 4);
    EXPECT_NEAR(found.scan.geometry->angle_rad(1) - found.scan.geometry->angle_rad(0),
                4 * M_PI / views, 1e-6);
    QVERIFY(std::ranges::find(found.scan.notes, "left out: 4 files outside the series") !=
            found.scan.notes.end());
  }

  void aLostFlagIsSaid() {
    for (int i = 0; i < 3; ++i)
      save(Scanner().file(on_circle(i), i + 1).remove(0x70391009), "p" + std::to_string(i));
    const Assumption expected = {"values", "line integrals", "LogFlag (7039,1009) is missing"};
    QCOMPARE(*assumed(imported(), "values"), expected);
  }

  /// The stored numbers are then the line integrals, which is said.
  void aScaleThatNoFileStatesIsSaid() {
    for (int i = 0; i < 3; ++i)
      save(Scanner().file(on_circle(i), i + 1).remove(0x00281053), "p" + std::to_string(i));
    const ImportedScan found = imported();
    const Assumption* said = assumed(found, "scale of the values");
    QVERIFY(said != nullptr);
    QCOMPARE(said->value, "that of the stored numbers, times 1");
    QCOMPARE(said->why, "RescaleSlope (0028,1053) is missing in all projections");
    QVERIFY(*std::ranges::max_element(found.scan.line_integrals) > 1000);
  }

  /// One file of many, which refuses the series or is left out with a note; and a single one.
  void cutFiles() {
    save_scan(Scanner(), on_circle);
    read_cut_files(path("p7.dcm"), [&] {
      const ImportedScan scan = imported();
      QCOMPARE(scan.scan.geometry->views(), views - 1);
      QVERIFY(std::ranges::any_of(scan.scan.notes, [](const std::string& note) {
        return note.find("p7.dcm") != std::string::npos ||
               note.find("missing") != std::string::npos;
      }));
    });
    QCOMPARE(imported().scan.geometry->views(), views);
  }

  /// Whether its header is cut or its pixels; the others keep their angles.
  void aDamagedFileIsLeftOut() {
    save_scan(Scanner(), on_circle);
    const ImportedScan sound = imported();
    const QByteArray whole = bytes_of_file(path("p7.dcm"));  // the second view
    ImportRequest without;
    without.path = folder();
    without.leaves_out_damaged = true;
    for (const qsizetype length : {qsizetype{300}, whole.size() - 4}) {
      write_file(path("p7.dcm"), whole.left(length));
      EXPECT_THROWS(InputError, imported(), "p7.dcm: ");
      EXPECT_THROWS(InputError, imported(), "--leave-out-damaged");
      const ImportedScan scan = import_scan(without);
      QCOMPARE(scan.scan.geometry->views(), views - 1);
      EXPECT_NEAR(scan.scan.geometry->angle_rad(0), sound.scan.geometry->angle_rad(0), 1e-9);
      for (int view = 1; view + 1 < views; ++view)
        EXPECT_NEAR(scan.scan.geometry->angle_rad(view), sound.scan.geometry->angle_rad(view + 1),
                    1e-9);
      QVERIFY(std::ranges::any_of(scan.scan.notes, [](const std::string& note) {
        return note.starts_with("a damaged file was left out: ");
      }));
    }
  }

  /// What the positions contradict; nothing is said of what they confirm.
  void contradictionsAreNoted_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("note");
    const std::vector<std::pair<const char*, const char*>> rows = {
        {"nothing", ""},
        {"a table that moves",
         "TypeofProjectionData (7037,1009) is AXIAL, but the table moves by 28.75 mm while it is "
         "measured: its positions were taken"},
        {"a table that stands still",
         "TypeofProjectionData (7037,1009) is HELICAL, but the table does not move: its positions "
         "were taken"},
        {"another number of steps",
         "NumberofSourceAngularSteps (7033,1013) is 1000, but the angles of the projections are 15 "
         "degrees apart, as of 24 in a turn: the angles were taken"},
        {"another pitch",
         "SpiralPitchFactor (0018,9311) is 5, but the table moves by 20 mm in a turn, which is a "
         "pitch of 1.667: its positions were taken"},
        {"a parallel beam",
         "TypeofProjectionGeometry (7037,100a) is PARALLEL, but the files state the distance of a "
         "source: rays that diverge from it were taken"},
        {"a spot that does not fly",
         "FlyingFocalSpotMode (7033,100e) is FFSZ, but the focal spot is at the same place in all "
         "projections: that place was taken"},
        {"a spot that flies",
         "FlyingFocalSpotMode (7033,100e) is FFSNONE, but the focal spot is elsewhere in 12 "
         "projections than in the first one: the stated shifts were taken"},
        {"beyond a turn",
         "DetectorFocalCenterAngularPosition (7031,1001) reaches 45, where the format has radians "
         "of one turn: radians were taken; if these are degrees, export the series with radians"}};
    for (std::size_t i = 0; i < rows.size(); ++i)
      QTest::addRow("%s", rows[i].first) << static_cast<int>(i) << rows[i].second;
  }
  void contradictionsAreNoted() {
    QFETCH(int, what);
    QFETCH(QString, note);
    const bool is_helix = what == 1 || what == 4;
    for (int i = 0; i < views; ++i) {
      const Position p = what == 7 ? flying(i) : is_helix ? on_helix(i) : on_circle(i);
      TinyDicom file = Scanner().file(p, i + 1);
      file.text(0x70371009, "CS", what == 2 || what == 4 || what == 7 ? "HELICAL" : "AXIAL");
      file.text(0x7037100a, "CS", what == 5 ? "PARALLEL" : "FANBEAM");
      file.text(0x7033100e, "CS", what == 6 ? "FFSZ" : "FFSNONE");
      if (what != 8)
        file.number(0x70331013, what == 3 ? 1000 : is_helix || what == 7 ? 16 : views);
      else if (i > 0)
        file.reals(0x70311001, {45.0F * static_cast<float>(i) / (views - 1)});
      if (what == 4) file.text(0x00189311, "DS", "5");
      save(file, "p" + std::to_string(i));
    }
    std::vector<std::string> found = imported().scan.notes;
    std::erase_if(found, [](const std::string& one) { return one.starts_with("the arc was int"); });
    QCOMPARE(found, note.isEmpty() ? std::vector<std::string>()
                                   : std::vector<std::string>{note.toStdString()});
  }

  /// The number of projections in a turn tells them from radians.
  void anglesInDegreesAreTakenAsSuch() {
    for (int i = 0; i < views; ++i)
      save(Scanner()
               .file(on_circle(i), i + 1)
               .reals(0x70311001, {360.0F * static_cast<float>(i) / views})
               .number(0x70331013, views),
           "p" + std::to_string(i));
    const ImportedScan found = imported();
    QVERIFY(assumed(found, "angles") != nullptr);
    QVERIFY(found.scan.notes.empty());
    for (int i = 1; i < views; ++i)
      EXPECT_NEAR(found.scan.geometry->angle_rad(i) - found.scan.geometry->angle_rad(i - 1),
                  2 * M_PI / views, 1e-6);
  }

  void aMissingShiftIsNoted() {
    for (int i = 0; i < 6; ++i) {
      TinyDicom file = Scanner().file(flying(i), i + 1);
      if (i == 3) file.remove(0x7033100c);
      save(file, "p" + std::to_string(i));
    }
    const std::string note =
        "SourceAxialPositionShift (7033,100c) is missing in 1 of 6 "
        "projections, first in " +
        path("p3") + ": a shift of 0 was taken there";
    QCOMPARE(std::ranges::count(imported().scan.notes, note), 1);
  }

  /// Whichever of its files comes first.
  void aFolderOfDamagedFilesIsKnown() {
    save_scan(Scanner(), on_circle);
    for (int i = 0; i < views - 2; ++i) {
      const std::string file = path("p" + std::to_string(i) + ".dcm");
      write_file(file, bytes_of_file(file).left(300));
    }
    QCOMPARE(identify_file(folder()), FileKind::projections);
    ImportRequest without;
    without.path = folder();
    without.leaves_out_damaged = true;
    QCOMPARE(import_scan(without).scan.geometry->views(), 2);
  }

  void badSeriesAreRefused_data() {
    QTest::addColumn<QString>("message");
    QTest::addColumn<int>("what");
    const std::vector<std::pair<const char*, const char*>> rows = {
        {"no distance", "ConstantRadialDistance (7031,1031) is missing"},
        {"another size", "the images are of 40 x 5 values, the detector is of 40 x 6 cells"},
        {"a sphere", "the detector is SPHERICAL"},
        {"another detector", "states another detector than"},
        {"two series", "holds the projections of 2 series"},
        {"not finite", "DetectorFocalCenterRadialDistance (7031,1003)"},
        {"a wild shift", "more than a focal spot is deflected"},
        {"a lost slope", "b: RescaleSlope (0028,1053) is missing in 1 of 2 projections"},
        {"a lost intercept", "b: RescaleIntercept (0028,1052) is missing in 1 of 2 projections"},
        {"another flag", "b: states another LogFlag (7039,1009) than "},
        {"a lost flag", "b: states another LogFlag (7039,1009) than "},
        {"another water", "b: states another attenuation of water than "},
        {"another spectrum", "the projections of 2 spectra (SpectrumIndex (7033,1063)) in one"},
        {"no columns", "NumberofDetectorColumns (7029,1011) is missing"},
        {"no scale", "b: RescaleSlope (0028,1053) is 0"}};
    for (std::size_t i = 0; i < rows.size(); ++i)
      QTest::addRow("%s", rows[i].first) << rows[i].second << static_cast<int>(i);
  }
  void badSeriesAreRefused() {
    QFETCH(QString, message);
    QFETCH(int, what);
    const Scanner scanner;
    TinyDicom bad = scanner.file(on_circle(1), 2);
    switch (what) {
      case 0:
        bad.remove(0x70311031);
        break;
      case 1:
        bad.number(0x00280010, 5);
        break;
      case 2:
        bad.text(0x7029100b, "CS", "SPHERICAL");
        break;
      case 3:
        bad.reals(0x70291002, {7});
        break;
      case 4:
        bad.text(0x0020000e, "UI", "2.25.77");
        break;
      case 5:
        bad.reals(0x70311003, {std::numeric_limits<float>::quiet_NaN()});
        break;
      case 6:
        bad.reals(0x7033100b, {2}).reals(0x7033100c, {3});
        break;
      case 7:
        bad.remove(0x00281053);
        break;
      case 8:
        bad.remove(0x00281052);
        break;
      case 9:
        bad.text(0x70391009, "CS", "NO");
        break;
      case 10:
        bad.remove(0x70391009);
        break;
      case 11:
        bad.text(0x70411001, "DS", "0.021");
        break;
      case 12:
        bad.number(0x70331063, 2);
        break;
      case 13:
        bad.remove(0x70291011);
        break;
      default:
        bad.text(0x00281053, "DS", "0");
        break;
    }
    save(scanner.file(on_circle(0), 1), "a");
    save(bad, "b");
    EXPECT_THROWS(InputError, imported(), message.toStdString());
  }
};

GANTRY_TEST(TestCtPdSeries)
#include "test_ct_pd_series.moc"
