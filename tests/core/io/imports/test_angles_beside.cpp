// Texts beside images that list the angles, or may list them.
#include "core/base/error.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/imports/frame_angles.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <filesystem>

using namespace gantry;
using namespace gantry::test;

class TestAnglesBeside : public QObject, private FramesFolder {
  Q_OBJECT

  ImportRequest folder_without_arc() const {
    ImportRequest request = half_turn();
    request.arc_deg.reset();
    return request;
  }

 private slots:
  /// The names of the frames state angles too, which count where no text does.
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    for (int i = 0; i < 5; ++i)
      write_frame("p_-1" + std::to_string(9 - i) + ".5.tif", CountedFrames::projection(i));
    write_frame("flat.tif", CountedFrames::flat_frame(0));
  }

  /// Whatever the extension is, or without one.
  void textsNamedAnglesAreRead_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"angles.log", "angles", "angles.asc", "angles.prn", "angles.out",
                             "my_scan.angles", "thetas.lst", "angle.ang", "projectionAngles.data"})
      QTest::addRow("%s", name) << QString(name);
  }
  void textsNamedAnglesAreRead() {
    QFETCH(const QString, name);
    write_file(path(name.toStdString()), "0\n-40\n-80\n-120\n-160\n");
    const ImportedScan scan = import_scan(folder_without_arc());
    expect_angles(scan, {0, -40, -80, -120, -160});
    QVERIFY(is_assumed(scan, "angles", "from " + name.toStdString()));
  }

  /// JSON has its numbers in arrays, on one line or on several.
  void jsonDocumentsAreRead_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("one line") << QByteArray("[0, -40, -80, -120, -160]");
    QTest::newRow("indented") << QByteArray("[\n  0,\n  -40,\n  -80,\n  -120,\n  -160\n]\n");
    QTest::newRow("objects") << QByteArray(
        R"([{"frame": 0, "angle": 0, "time": "10:01, 7 s"}, {"frame": 1, "angle": -40, "time": "b"},
            {"frame": 2, "angle": -80, "time": null}, {"frame": 4, "angle": -160, "time": "d"},
            {"frame": 3, "angle": -120, "time": "d"}])");
    QTest::newRow("lists") << QByteArray(
        R"({"scan": {"exposures": [1, 1, 1, 1, 1, 1], "angle_deg": [0, -40, -80, -120, -160],
            "current": [9, 9, 9, 8, 8]}})");
    QTest::newRow("radians") << QByteArray(
        R"({"angles_rad": [0, -0.6981317007977318, -1.3962634015954636, -2.0943951023931953,
            -2.792526803190927]})");
    QTest::newRow("files") << QByteArray(
        R"({"p_-15.5.tif": -160, "p_-16.5.tif": -120, "p_-19.5.tif": 0, "p_-18.5.tif": -40,
            "p_-17.5.tif": -80})");
    QTest::newRow("pairs") << QByteArray("[[0, 0], [1, -40], [2, -80], [3, -120], [4, -160]]");
  }
  void jsonDocumentsAreRead() {
    QFETCH(const QByteArray, text);
    write_file(path("angles.json"), text);
    expect_angles(import_scan(folder_without_arc()), {0, -40, -80, -120, -160});
    ImportRequest given = folder_without_arc();
    write_file(path("turn.json"), text);
    std::filesystem::remove(path("angles.json"));
    given.angles = path("turn.json");
    expect_angles(import_scan(given), {0, -40, -80, -120, -160});
  }

  /// A name that speaks of angles without lines of numbers, or one of another thing.
  void othersAreNot() {
    write_file(path("angles.log"), "the scan began\nangle 5 was reached\nthe scan ended\n");
    write_file(path("rectangle.txt"), "3\n4\n");
    write_file(path("angles.xml"), "<angles/>\n");
    const ImportedScan scan = import_scan(folder_without_arc());
    QVERIFY(has_part(scan.scan.notes, "angles.xml is called a list of angles, but was not read"));
    QVERIFY(!has_part(scan.scan.notes, "angles.log"));
    QVERIFY(!has_part(scan.scan.notes, "rectangle"));
  }

  void unreadListsAreNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("note");
    const QByteArray numbers = "0\n-40\n-80\n-120\n-160\n",
                     table = "0 0 300.1\n1 -40 300.0\n2 -80 300.2\n3 -120 300.1\n4 -160 300.3\n";
    const auto row = [](const char* name, const QByteArray& text, const char* note) {
      QTest::addRow("%s %s", name, text.left(text.indexOf('\n')).constData())
          << QString(name) << text << QString(note);
    };
    row("scan.log", "angle\n" + numbers,
        "scan.log has 5 lines of numbers and was not read as angles; --angles scan.log takes it");
    row("scan.dat", "theta\n" + numbers,
        "scan.dat has 5 lines of numbers and was not read as angles; --angles scan.dat takes it");
    for (const char* column : {"th", "samrz", "motor_position"})
      row("scan.txt", "n " + QByteArray(column) + " beam\n" + table,
          "scan.txt has 5 lines of numbers and was not read as angles; --angles scan.txt takes it "
          "where --angle-column says which column holds the angles");
    QByteArray two_words, objects;
    for (int i = 0; i < 5; ++i) {
      const QByteArray angle = QByteArray::number(-40 * i);
      two_words += "target angle: " + angle + ".1 angle: " + angle + "\n";
      objects += R"({"index": )" + QByteArray::number(i) + R"(, "angle": )" + angle + "}\n";
    }
    row("scan.txt", two_words,
        "scan.txt has 5 lines of numbers and was not read as angles; --angles scan.txt takes it "
        "where --angle-column says which column holds the angles");
    row("scan.json", objects,
        "scan.json has 5 lines of numbers and was not read as angles; --angles scan.json takes it");
    row("scan.log", numbers + "-200\n",
        "scan.log has 6 lines of numbers and was not read as angles; there are 5 projections");
    row("scan.log", numbers + "-200\n-240\n-280\n", "");
  }
  void unreadListsAreNamed() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, text);
    QFETCH(const QString, note);
    write_file(path(name.toStdString()), text);
    const ImportedScan scan = import_scan(folder_without_arc());
    if (note.isEmpty())
      QVERIFY(!has_part(scan.scan.notes, name.toUtf8().constData()));
    else
      QVERIFY(has_part(scan.scan.notes, note.toUtf8().constData()));
  }

  /// Columns of a monochromator, of energies, of offsets and steps are no angles of the scan.
  void columnsOfOtherThingsAreNoAngles_data() {
    QTest::addColumn<QByteArray>("head");
    for (const char* head :
         {"frame rz theta_mono", "frame sample_position bragg_angle", "frame srot energy_theta",
          "frame rot rotation_offset", "frame hrrz angle_step", "frame pos thmono"})
      QTest::addRow("%s", head) << QByteArray(head);
  }
  void columnsOfOtherThingsAreNoAngles() {
    QFETCH(const QByteArray, head);
    QByteArray both = head + "\n", other = "frame " + head.mid(head.lastIndexOf(' ') + 1) + "\n";
    for (int i = 0; i < 5; ++i) {
      const QByteArray drift = QByteArray::number(12.3 + 1e-4 * i) + "\n";
      both += QByteArray::number(i) + " " + QByteArray::number(-40 * i) + " " + drift;
      other += QByteArray::number(i) + " " + drift;
    }
    write_file(path("scanlog.txt"), both);
    expect_angles(import_scan(folder_without_arc()), {0, -40, -80, -120, -160});
    // Without a column that may be the angles, those of the names are taken, and the text is named.
    write_file(path("scanlog.txt"), other);
    const ImportedScan scan = import_scan(folder_without_arc());
    QVERIFY(is_assumed(scan, "angles", "the numbers in the names of the frames, degrees"));
    QVERIFY(has_part(scan.scan.notes,
                     "scanlog.txt has 5 lines of numbers and was not read as angles; --angles "
                     "scanlog.txt takes it where --angle-column says which column holds"));
  }

  void unitsAreTakenAsStated_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<double>("of_degree");  // how many make a degree
    QTest::addColumn<QString>("unit");
    const auto row = [](const char* head, double of_degree, const char* unit) {
      QTest::addRow("%s", head) << QByteArray(head) << of_degree << QString(unit);
    };
    row("# angle (arcmin)", 60, "arcminutes");
    row("# angle [arcsec]", 3600, "arcseconds");
    row("# angle in urad", 1e6 * pi / 180, "microradians");
    row("# angle [\u00b5rad]", 1e6 * pi / 180, "microradians");
    row("# angle [\u03bcrad]", 1e6 * pi / 180, "microradians");
    row("angle (rev)", 1 / 360.0, "turns");
    row("angle [turn]", 1 / 360.0, "turns");
    row("angle_rev", 1 / 360.0, "turns");
    row("# angle in turns", 1 / 360.0, "turns");
    row("# rev 2, half a turn\n# angle (measured)", 1, "");
  }
  void unitsAreTakenAsStated() {
    QFETCH(const QByteArray, head);
    QFETCH(const double, of_degree);
    QFETCH(const QString, unit);
    QByteArray text = head + "\n";
    for (const int degrees : {0, 36, 72, 108, 144, 180})  // the last one only closes the turn
      text += QByteArray::number(degrees * of_degree, 'g', 12) + "\n";
    write_file(path("angles.txt"), text);
    const ImportedScan scan = import_scan(folder_without_arc());
    expect_angles(scan, {0, 36, 72, 108, 144});
    if (unit.isEmpty())
      QVERIFY(std::ranges::none_of(
          scan.assumptions, [](const Assumption& one) { return one.what == unit_of_angles; }));
    else
      QVERIFY(is_assumed(scan, unit_of_angles, unit.toStdString()));
  }

  void unknownUnitsAreRefused_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<QString>("unit");
    for (const auto& [head, unit] :
         {std::pair("# angle [steps]", "steps"), std::pair("angle (ticks)", "ticks"),
          std::pair("angle in pulses", "pulses"), std::pair("# unit: steps\n# angle", "steps"),
          std::pair("angle [foo]", "foo")})
      QTest::addRow("%s", head) << QByteArray(head) << QString(unit);
  }
  void unknownUnitsAreRefused() {
    QFETCH(const QByteArray, head);
    QFETCH(const QString, unit);
    write_file(path("scan.txt"), head + "\n0\n1\n2\n3\n4\n");
    EXPECT_THROWS(InputError, import_scan(folder_without_arc()),
                  ("states \"" + unit.toStdString() +
                   "\" as the unit of the angles, which is unknown; give them in degrees, and "
                   "write \"deg\" for the unit")
                      .c_str());
  }

  /// Where nothing tells the angles, the headers of other programs are named.
  void unreadHeadersAreNamed() {
    folder_ = std::make_unique<QTemporaryDir>();
    for (int i = 0; i < 5; ++i)
      write_frame("p_" + std::to_string(i) + ".tif", CountedFrames::projection(i));
    write_frame("flat.tif", CountedFrames::flat_frame(0));
    write_file(path("p.pca"), "[Geometry]\nFDD=500\n");
    EXPECT_THROWS(InputError, import_scan(folder_without_arc()),
                  "does not state the angles of its projections: p.pca, beside them, may state the "
                  "angles, but is not read; give a list of angles");
    expect_angles(import_scan(half_turn()), {0, 45, 90, 135, 180});
  }
};

GANTRY_TEST(TestAnglesBeside)
#include "test_angles_beside.moc"
