// Angles in HDF5: their units, values that are no angles, and lists that do not fit the frames.
#include "core/base/error.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_angle_lists.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double radian = 180 / std::numbers::pi;

}  // namespace

class TestHdf5Angles : public QObject, private Hdf5AngleLists {
  Q_OBJECT

  /// Writes nine projections and a flat in one of the conventions, "exchange", "nxtomo" or "plain",
  /// and returns the path of the list of their angles.
  std::string write(const QString& convention, std::vector<double> angles,
                    const std::string& units = {}, int unlit = -1) const {
    const Hdf5Writer file(path("a.h5"));
    std::vector<Frame> frames = projections(9);
    if (unlit >= 0) frames[static_cast<std::size_t>(unlit)] = Frame(6 * 9, 0);
    std::string list = "/entry/theta";
    if (convention == QStringLiteral("exchange")) {
      file.add("/exchange/data", size_of(9), joined_frames(frames));
      file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
      list = "/exchange/theta";
    } else if (convention == QStringLiteral("nxtomo")) {
      frames.push_back(CountedFrames::flat_frame(0));
      file.add("/entry/data", size_of(10), joined_frames(frames));
      file.add("/entry/image_key", {10}, std::vector<std::uint16_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
      angles.push_back(no_number);  // of a flat, which has no angle
      list = "/entry/rotation_angle";
    } else {
      file.add("/entry/data", size_of(9), joined_frames(frames));
      file.add("/entry/flats", size_of(1), CountedFrames::flat_frame(0));
    }
    file.add(list.c_str(), {angles.size()}, angles, units);
    return list;
  }
  static void add_conventions() {
    QTest::addColumn<QString>("convention");
    for (const char* one : {"exchange", "nxtomo", "plain"})
      QTest::newRow(one) << QString::fromLatin1(one);
  }
  static std::string reason_of_unit(const ImportedScan& scan) {
    for (const Assumption& one : scan.assumptions)
      if (one.what == "unit of the angles") return one.value + ": " + one.why;
    return {};
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void knownUnits_data() {
    QTest::addColumn<QString>("units");
    QTest::addColumn<double>("in_degrees");
    const auto add = [](const char* units, double in_degrees) {
      QTest::newRow(units) << QString::fromUtf8(units) << in_degrees;
    };
    add("rad", radian);
    add("Radians", radian);
    add("mrad", radian / 1000);
    add("\u00b5rad", radian / 1e6);
    add("urad", radian / 1e6);
    add("microrad", radian / 1e6);
    add("millirad", radian / 1000);
    add("deg", 1);
    add("Degrees (deg)", 1);
    add(" degree ", 1);
    add("degree_angle", 1);
    add("\u00b0", 1);
    add("arcmin", 1 / 60.0);
    add("arc_minute", 1 / 60.0);
    add("turn", 360);
    add("turns?", 360);
    add("rev", 360);
  }
  void knownUnits() {
    QFETCH(QString, units);
    QFETCH(double, in_degrees);
    write("exchange", nine_to(160 / in_degrees), units.toStdString());
    const ImportedScan scan = imported("a.h5");
    expect_angles(scan, nine_to(160));
    QCOMPARE(reason_of_unit(scan), std::string());
  }

  void unitsOfOtherQuantitiesAreRefused() {
    for (const char* units : {"mm", "steps", "deg/s", "radians per second"}) {
      const std::string list = write("exchange", nine_to(160), units);
      EXPECT_THROWS(InputError, imported("a.h5"),
                    "a.h5:" + list + ": states the unit \"" + units +
                        "\", which is none of angles; name another list (--angles-data), or give "
                        "the angles by --angles or --arc");
    }
    write("exchange", nine_to(160), "rad");
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "/exchange/theta: states radians, but its numbers span 160; correct the unit");
  }

  /// An unknown unit says nothing: the numbers are degrees, or radians where they go over a turn.
  void anUnknownUnitIsNamed() {
    const std::string list = write("plain", nine_to(160), "foo");
    const ImportedScan scan = imported("a.h5");
    expect_angles(scan, nine_to(160));
    QCOMPARE(reason_of_unit(scan),
             "degrees: " + list + " states \"foo\", which is unknown; if these are no degrees, " +
                 "give the angles by --arc or --angles");
    write("plain", nine_to(std::numbers::pi), "foo");
    expect_angles(imported("a.h5"), nine_to(180));
    QVERIFY(reason_of_unit(imported("a.h5")).starts_with("radians: \"foo\" is no unit that is"));
  }

  void radiansWithoutAUnit_data() { add_conventions(); }
  void radiansWithoutAUnit() {
    QFETCH(QString, convention);
    for (const double end : {180, 360}) {
      const std::string list = write(convention, nine_to(end / radian));
      const ImportedScan scan = imported("a.h5");
      expect_angles(scan, nine_to(end));
      QCOMPARE(reason_of_unit(scan),
               std::string("radians: nothing states it, and they span ") +
                   (end == 180 ? "3.14159" : "6.28319") + " in " + path("a.h5") + ":" + list +
                   "; give the angles by --arc or --angles if they are degrees");
    }
  }

  void anglesThatAreNotFiniteAreRefused_data() { add_conventions(); }
  void anglesThatAreNotFiniteAreRefused() {
    QFETCH(QString, convention);
    for (const double value : {no_number, std::numeric_limits<double>::infinity()}) {
      std::vector<double> angles = nine_to(160);
      angles[3] = angles[5] = value;
      const std::string list = write(convention, angles, "deg");
      EXPECT_THROWS(InputError, imported("a.h5"),
                    "a.h5:" + list + ": has no finite angle for 2 projections, first for \"data, ");
      EXPECT_THROWS(InputError, imported("a.h5"), "; repair the list, or give the angles by");
    }
  }

  /// Each convention has its own place for them; others are taken by their names.
  void listsInOtherGroupsAreFound() {
    {
      const Hdf5Writer exchange(path("a.h5"));
      exchange.add("/exchange/data", size_of(9), joined_frames(projections(9)));
      exchange.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
      exchange.add("/process/Theta", {9}, nine_to(160), "deg");
      const Hdf5Writer tomo(path("t.nxs"));
      tomo.add("/entry/data", size_of(9), joined_frames(projections(9)));
      tomo.add("/entry/image_key", {9}, std::vector<std::uint16_t>(9));
      tomo.add("/entry/angles", {9}, nine_to(160), "deg");
    }
    for (const auto& [name, list] :
         {std::pair("a.h5", "/process/Theta"), {"t.nxs", "/entry/angles"}}) {
      expect_angles(imported(name), nine_to(160));
      QVERIFY(is_assumed(imported(name), "angles", list));
    }
  }

  void listsWithAWordOfAnglesAreTaken_data() {
    QTest::addColumn<QString>("list");
    for (const char* one :
         {"rotation", "rot", "phi", "Omega", "srot", "hrsrot", "rotation_angles", "scan_angles",
          "angle_list", "tomo_angle", "ang", "projection_angle_2", "log/s_rot/value"})
      QTest::newRow(one) << QStringLiteral("/scan/") + QLatin1String(one);
  }
  void listsWithAWordOfAnglesAreTaken() {
    QFETCH(QString, list);
    write_plain({{list.toStdString(), nine_to(160)},
                 {"/scan/rot_error", nine_to(1)},
                 {"/scan/rot_limits", {0, 180}}});
    expect_angles(imported("a.h5"), nine_to(160));
    QVERIFY(is_assumed(imported("a.h5"), "angles", list.toStdString()));
  }

  /// Of several lists, or of one whose name says nothing, the user has to tell.
  void listsThatMayBeAnglesAreNamed() {
    const auto expect_named = [&](const std::string& named) {
      EXPECT_THROWS(InputError, imported("a.h5"),
                    "does not state the angles of its projections: " + named + "; give a list");
    };
    write_plain({{"/scan/rot", nine_to(160)}, {"/scan/phi", nine_to(20)}, {"/deg", nine_to(1)}});
    expect_named("/scan/phi (9), /scan/rot (9) may be the angles (--angles-data takes one)");
    write_plain({{"/deg", nine_to(160)}, {"/time", nine_to(8)}, {"/shifts", {0, 1}}});
    expect_named("/deg (9) may be the angles (--angles-data takes it)");
    for (const std::string unit : {"mm", "counts"}) {
      write_plain({{"/scan/rot", nine_to(160)}}, unit);
      expect_named("/scan/rot (9) states the unit \"" + unit + "\", which is none of angles");
    }
  }

  /// What else turns at a beamline has angles, too.
  void listsOfOtherAnglesAreNotTaken_data() {
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("word");
    const auto add = [](const char* list, const char* word) {
      QTest::newRow(list) << QString::fromLatin1(list) << QString::fromLatin1(word);
    };
    add("/mono/theta", "mono");
    add("/scan/mono/bragg_angle", "mono");
    add("/instrument/Monochromator/angle", "monochromator");
    add("/scan/dcm_theta", "dcm");
    add("/bragg/theta/value", "bragg");
    add("/scan/rotation_offset", "offset");
    add("/scan/angle_step", "step");
    add("/scan/rotation_counts", "counts");
    add("/scan/phase_angle", "phase");
    add("/scan/camera_rotation", "camera");
    add("/hexapod/rot_x", "hexapod");
    add("/energy/angle", "energy");
    add("/scan/tilt/angle", "tilt");
  }
  void listsOfOtherAnglesAreNotTaken() {
    QFETCH(QString, list);
    QFETCH(QString, word);
    const std::string path = list.toStdString(),
                      named = path +
                              " (9) holds other angles than those of the object by the "
                              "word \"" +
                              word.toStdString() + "\" in its path (--angles-data takes it)";
    write_plain({{path, nine_to(20)}});
    EXPECT_THROWS(InputError, imported("a.h5"), "angles of its projections: " + named + "; give");
    write_plain({{path, nine_to(20)}, {"/sample/rotation/position", nine_to(160)}});
    const ImportedScan scan = imported("a.h5");
    expect_angles(scan, nine_to(160));
    QVERIFY(is_assumed(scan, "angles", "/sample/rotation/position"));
    QVERIFY(has_part(scan.scan.notes, ("not taken as the angles: " + named).c_str()));
    ImportRequest request;
    request.path = this->path("a.h5");
    request.centre = 4;
    request.data_sets.angles = path;
    expect_angles(import_scan(request), nine_to(20));
  }
  /// A scan may be called so itself, as that of a phantom of phases.
  void groupsOfTheFramesDoNotCount() {
    {
      const Hdf5Writer file(path("a.h5"));
      file.add("/phase_scan/camera/data", size_of(9), joined_frames(projections(9)));
      file.add("/phase_scan/flats", size_of(1), CountedFrames::flat_frame(0));
      file.add("/phase_scan/camera/theta", {9}, nine_to(160));
    }
    expect_angles(imported("a.h5"), nine_to(160));
  }
  /// Such lists are those of motors that stood still, or in another unit.
  void listsOverLessThanADegreeAreNamed() {
    for (const char* list : {"/scan/theta", "/scan/rotation"})
      for (const auto& [end, covers] : {std::pair(0.0, "0"), {0.05, "0.05"}, {0.5, "0.5"}}) {
        if (list == std::string("/scan/theta") && end == 0.5) continue;
        const std::string named =
            std::string(list) + " (9) covers only " + covers + " degrees (--angles-data takes it)";
        write_plain({{list, nine_to(end)}});
        EXPECT_THROWS(InputError, imported("a.h5"), "projections: " + named + "; give a list");
        write_plain({{list, nine_to(end)}, {"/motors/s_rot", nine_to(160)}});
        expect_angles(imported("a.h5"), nine_to(160));
        QVERIFY(has_part(imported("a.h5").scan.notes, named.c_str()));
        write_plain({{list, nine_to(end)}}, "turns");
        if (end > 0) expect_angles(imported("a.h5"), nine_to(360 * end));
      }
  }

  void namesMayStateTheUnit_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("in_degrees");
    const auto add = [](const char* name, double in_degrees) {
      QTest::newRow(name) << QString::fromLatin1(name) << in_degrees;
    };
    add("rotation_mrad", radian / 1000);
    add("rotation_angle_mrad", radian / 1000);
    add("theta_urad", radian / 1e6);
    add("angles_radians", radian);
    add("s_rot_mdeg", 1e-3);
    add("rotation_turns", 360);
    add("theta_rev", 1);  // would be 160 turns
    add("theta_deg", 1);
  }
  void namesMayStateTheUnit() {
    QFETCH(QString, name);
    QFETCH(double, in_degrees);
    write_plain({{"/scan/" + name.toStdString(), nine_to(160 / in_degrees)}});
    expect_angles(imported("a.h5"), nine_to(160));
  }

  void anglesAsTextsAreNamed() {
    {
      const Hdf5Writer file(path("a.h5"));
      file.add("/scan/data", size_of(9), joined_frames(projections(9)));
      file.add("/scan/flats", size_of(1), CountedFrames::flat_frame(0));
      file.add_records("/scan/theta", 9);
    }
    EXPECT_THROWS(
        InputError, imported("a.h5"),
        "projections: /scan/theta holds no plain numbers, but texts, records or the like");
  }

  /// Frames that a scan was stopped before have neither counts nor an angle.
  void framesThatAreLeftOutNeedNoAngle() {
    std::vector<double> angles = nine_to(160);
    angles[8] = no_number;
    write("exchange", angles, "deg", 8);
    angles.pop_back();
    expect_angles(imported("a.h5"), angles);
  }

  /// A list with a word of angles is judged as one of a plain name.
  void listsWithAWordOfAnglesMayBeOfAnotherLength() {
    std::vector<double> closed = nine_to(160), repeated = nine_to(160);
    closed.push_back(180);
    repeated.insert(repeated.begin(), 2, 0);
    repeated.insert(repeated.end(), 3, 160);
    for (const std::vector<double>& values : {closed, repeated}) {
      write_plain({{"/scan/rotation", values}});
      expect_angles(imported("a.h5"), nine_to(160));
    }
    // Of flats before and after a turn, whatever the steps between them.
    std::vector<double> uneven = {0, -15, -40, -55, -80, -105, -120, -140, -170},
                        with_flats = uneven;
    with_flats.insert(with_flats.begin(), 5, 0);
    with_flats.insert(with_flats.end(), 5, -180);
    write_plain({{"/scan/rotation", with_flats}});
    expect_angles(imported("a.h5"), uneven);
    // Of two frames at each angle, of which two were left out.
    std::vector<double> twice = {0, 0, 20, 20, 40, 40, 60, 60, 70, 80, 80};
    write_plain({{"/scan/rotation", twice}});
    EXPECT_THROWS(InputError, imported("a.h5"), "/scan/rotation has 11 values for 9 frames; give");
    write_plain({{"/scan/rotation", {0, 3, 1, 4}}});
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "angles of its projections: /scan/rotation has 4 values for 9 frames; give");
    {
      const Hdf5Writer file(path("a.h5"));
      file.add("/scan/data", size_of(9), joined_frames(projections(9)));
      file.add("/scan/flats", size_of(1), CountedFrames::flat_frame(0));
      file.add("/scan/rotation", {9, 2}, std::vector<double>(18));
    }
    EXPECT_THROWS(InputError, imported("a.h5"),
                  ": /scan/rotation is of size 9 x 2 instead of a list of 9 numbers; give");
  }

  /// A damaged list that is not needed does not keep a scan from being read.
  void damagedListsAreNamed() {
    const std::vector<double> angles = nine_to(160);
    {
      const Hdf5Writer file(path("a.h5"));
      file.add("/scan/data", size_of(9), joined_frames(projections(9)));
      file.add("/scan/flats", size_of(1), CountedFrames::flat_frame(0));
      file.add("/scan/s_rot", {9}, angles);
      file.add("/scan/rot_read", {9}, angles, {}, false, {9});  // packed
    }
    QFile file(QString::fromStdString(path("a.h5")));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray bytes = file.readAll();
    const qsizetype packed = bytes.lastIndexOf("\x78\x9c");
    QVERIFY(packed > 0 && file.seek(packed + 2));
    file.write(QByteArray(8, '\xff'));
    file.close();
    const ImportedScan scan = imported("a.h5");
    expect_angles(scan, angles);
    QVERIFY(
        has_part(scan.scan.notes, "not taken as the angles: /scan/rot_read (9) cannot be read"));
  }

  /// Of two scans in a file, the list in the group of the frames counts.
  void theListBesideTheFramesIsTaken() {
    {
      const Hdf5Writer file(path("a.h5"));
      for (const std::string scan : {"/a", "/b"}) {
        file.add((scan + "/data").c_str(), size_of(9), joined_frames(projections(9)));
        file.add((scan + "/s_rot/value").c_str(), {9}, nine_to(scan == "/a" ? 160 : 320));
      }
      file.add("/flats", size_of(1), CountedFrames::flat_frame(0));
    }
    ImportRequest request;
    request.path = path("a.h5");
    request.centre = 4;
    for (const auto& [data, end] : {std::pair("/a/data", 160), {"/b/data", 320}}) {
      request.data_sets.projections = data;
      expect_angles(import_scan(request), nine_to(end));
    }
  }

  /// A list in another group that does not fit is named, with both lengths.
  void listsOfAnotherLengthAreNamed() {
    const std::vector<double> five = {0, 1, 2, 3, 4};
    write_plain({{"/motor/Theta", five}});
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "does not state the angles of its projections: /motor/Theta has 5 values for 9 "
                  "frames; give a list of angles (--angles), or the arc");
    ImportRequest request;
    request.path = path("a.h5");
    request.centre = 4;
    request.assumes_half_turn = true;
    QVERIFY(has_part(import_scan(request).scan.notes,
                     "no angles were taken from the file: /motor/Theta has 5 values for 9 frames"));
    request.arc_deg = 180;
    QVERIFY(!has_part(import_scan(request).scan.notes, "no angles were taken"));
    write_plain({{"/motor/theta", five}, {"/other/angles", five}});
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "projections: none of /motor/theta (5), /other/angles (5) has 9 angles; give");
    write_plain({});
    EXPECT_THROWS(InputError, imported("a.h5"), "the angles of its projections; give a list");
  }
};

GANTRY_TEST(TestHdf5Angles)
#include "test_hdf5_angles.moc"
