// Which of several lists in HDF5 holds the angles.
#include "core/base/error.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_angle_lists.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <utility>

using namespace gantry;
using namespace gantry::test;

class TestNamedAngles : public QObject, private Hdf5AngleLists {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// One of a plain name may still be that of a short scan.
  void plainListsOverLessThanADegreeAreTaken() {
    for (const std::string unit : {"", "deg"}) {
      write_plain({{"/scan/theta", nine_to(0.5)}}, unit);
      const ImportedScan scan = imported("a.h5");
      expect_angles(scan, nine_to(0.5));
      QVERIFY(has_part(scan.scan.notes, "the 9 views cover only 0.5 degrees: check"));
      QCOMPARE(is_assumed(scan, "unit of the angles", "degrees"), unit.empty());
      write_plain({{"/scan/theta", nine_to(0.5)}, {"/motors/s_rot", nine_to(160)}}, unit);
      expect_angles(imported("a.h5"), nine_to(160));
    }
  }

  /// Where lists differ, the nearest one may be that of another motor.
  void ofListsThatDifferOneIsTold_data() {
    QTest::addColumn<QString>("nearer");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("taken");
    const auto add = [](const char* nearer, const char* other, const char* taken) {
      QTest::addRow("%s, %s", nearer, other)
          << QString::fromLatin1(nearer) << QString::fromLatin1(other)
          << QString::fromLatin1(taken);
    };
    add("/scan/polar_angle", "/sample/rotation", "/sample/rotation");
    add("/scan/rot", "/entry/sample/rot", "/entry/sample/rot");
    add("/scan/angle", "/sample/angle", "/scan/angle");
    add("/scan/theta", "/sample/s_rot/value", "/scan/theta");
    add("/scan/angles", "/sample/omega", "/scan/angles");
    add("/scan/angles", "/scan/theta", "/scan/angles");
    add("/scan/shutter_angle", "/theta", "/theta");
    add("/scan/tilt_angles", "/rotation", "/rotation");
    add("/scan/shutter_angle", "/rotation", "");
    add("/scan/rotation", "/encoder/rotation", "/scan/rotation");
    add("/log/rotation", "/encoder/rotation", "");
    add("/sample/rotation_demand", "/sample/rotation", "");
  }
  void ofListsThatDifferOneIsTold() {
    QFETCH(QString, nearer);
    QFETCH(QString, other);
    QFETCH(QString, taken);
    const std::string list = taken.toStdString(), first = nearer.toStdString(),
                      second = other.toStdString(), left = list == first ? second : first;
    write_plain({{first, nine_to(30)}, {second, nine_to(160)}});
    if (list.empty()) {
      EXPECT_THROWS(InputError, imported("a.h5"), " may be the angles (--angles-data takes one);");
    } else {
      const ImportedScan scan = imported("a.h5");
      expect_angles(scan, nine_to(list == first ? 30 : 160));
      QVERIFY(is_assumed(scan, "angles", list));
      const std::string note = "not taken as the angles: " + left +
                               " (9) holds other values than " + list + " (--angles-data takes it)";
      QVERIFY(has_part(scan.scan.notes, note.c_str()));
    }
    write_plain({{first, nine_to(160)}, {second, nine_to(160)}});
    expect_angles(imported("a.h5"), nine_to(160));
    QVERIFY(!has_part(imported("a.h5").scan.notes, "not taken"));
  }

  /// Parts of the instrument of an NXtomo may turn, too, and nearer to the frames.
  void theSampleOfAnNXtomoTurns() {
    for (const char* part : {"detector", "mono"}) {
      {
        const Hdf5Writer file(path("a.nxs"));
        file.add("/entry/instrument/detector/data", size_of(9), joined_frames(projections(9)));
        file.add("/entry/instrument/detector/image_key", {9}, std::vector<std::uint16_t>(9, 0));
        file.add(("/entry/instrument/" + std::string(part) + "/rotation_angle").c_str(), {9},
                 nine_to(80));
        file.add("/entry/sample/rotation_angle", {9}, nine_to(160), "degrees");
      }
      expect_angles(imported("a.nxs"), nine_to(160));
    }
  }

  /// Electron and limited-angle tomography call the angles those of a tilt.
  void anglesOfATiltAreTaken() {
    for (const char* list : {"/scan/tilt_angles", "/tilt_angle"}) {
      write_plain({{list, nine_to(-160)}});
      expect_angles(imported("a.h5"), nine_to(-160));
      QVERIFY(is_assumed(imported("a.h5"), "angles", list));
      write_plain({{list, nine_to(0)}});
      EXPECT_THROWS(InputError, imported("a.h5"), std::string(list) + " (9) covers only 0 degrees");
    }
    for (const char* list : {"/scan/tilt", "/tilts"}) {
      write_plain({{list, nine_to(160)}});
      EXPECT_THROWS(InputError, imported("a.h5"), std::string(list) + " (9) may be the angles (");
    }
  }
};

GANTRY_TEST(TestNamedAngles)
#include "test_named_angles.moc"
