// Scans as scripts for other programs: the files that are written, and what is refused.
#include "tests/cli/command.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

namespace {

const QByteArray fan = R"({"beam": "fan", "detector": "SHAPE", "source_to_isocenter_mm": 200,
 "source_to_detector_mm": 300, "detector_columns": 40, "detector_rows": 3, "column_pitch_mm": 3,
 "row_pitch_mm": 3, "central_column": 17.4, "view_angles_deg": {"first": 7, "step": 15,
 "count": 24}})";

const QByteArray cone = R"({"beam": "cone", "detector": "SHAPE", "trajectory": "TRAJECTORY",
 "helical_feed_mm_per_turn": FEED, "source_to_isocenter_mm": 250, "source_to_detector_mm": 400,
 "detector_columns": 36, "detector_rows": 20, "column_pitch_mm": 4, "row_pitch_mm": 6,
 "central_column": 16.7, "central_row": 9.8, "view_angles_deg": {"first": 17, "step": 60,
 "count": 6}})";

// Runs a script, its first argument, with the modules that stand in for the program it is for.
const QString with_stand_ins = QStringLiteral(
    "import runpy, sys\n"
    "sys.dont_write_bytecode = True\n"
    "sys.path.insert(0, '" GANTRY_SOURCE_DIR
    "/tests/bench/exports/stand_ins')\n"
    "sys.argv = sys.argv[1:]\n"
    "runpy.run_path(sys.argv[0], run_name='__main__')\n");

// Holds what a script reads as its data against the line integrals of the scan.
const QString same_data = QStringLiteral(
    "import sys, types, numpy as np\n"
    "sys.modules['itk'] = itk = types.ModuleType('itk')\n"
    "itk.RTK, itk.F, itk.Image = types.ModuleType('RTK'), 0, {(0, 3): None}\n"
    "sys.path.insert(0, 'out')\n"
    "import f_rtk as script\n"
    "scan = np.fromfile('f.f32', '<f4').reshape(24, 3, 40)\n"
    "assert np.array_equal(script.read_projections(), scan)\n"
    "mu = np.arange(43 * 43 * 3, dtype='<f4').reshape(3, 43, 43)\n"
    "for name in ('v.mha', 'v.npy'):\n"
    "    script.write_volume(name, mu, script.GRID)\n"
    "    back, grid = script.read_volume(name)\n"
    "    assert np.array_equal(back, mu) and grid == script.GRID, name\n"
    "assert script.slices_of_rows(script.GRID) == [0, 1, 2]\n"
    "truth, grid = script.read_volume('truth.mha')\n"
    "assert truth.shape == (3, 43, 43) and np.allclose(grid.spacing, script.GRID.spacing)\n");

}  // namespace

class TestCliExport : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  void simulate(const char* shape, const QString& name) const {
    QFile file(folder_.filePath("g.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(fan).replace("SHAPE", shape));
    file.close();
    const Answer answer =
        cli("simulate --phantom orientation --set phantom.size_mm=60 --subrays 1 --geometry g.json "
            "--truth truth.mha --out " +
            name);
    QVERIFY2(answer.code == 0, answer.text().constData());
  }

 private slots:
  void everyProgramGetsItsScript() {
    simulate("flat", "f.scan.json");
    const QString python = python_with(QStringLiteral("numpy"));
    for (const QString key : {"astra", "rtk", "tigre", "leap", "cil"}) {
      const Answer answer = cli("export f.scan.json --to " + key + " --out out");
      EXPECT_DONE(answer);
      const QString script = "out/f_" + key + ".py";
      QVERIFY2(answer.output.startsWith("wrote " + script + ": fan flat, 24 views"),
               answer.text().constData());
      if (python.isEmpty()) continue;
      EXPECT_DONE(run_program(python, {"-m", "py_compile", script}, folder_.path()));
    }
    if (python.isEmpty()) QSKIP("there is no Python with numpy");
    EXPECT_DONE(run_program(python, {"-c", same_data}, folder_.path()));
  }

  void scriptsProjectThePhantom_data() {
    QTest::addColumn<QByteArray>("shape");
    QTest::addColumn<QByteArray>("trajectory");
    QTest::addColumn<QStringList>("programs");
    const QStringList of_flat{"astra", "tigre", "leap", "cil"}, of_arcs{"astra", "leap"};
    QTest::newRow("flat circle") << QByteArray("flat") << QByteArray("circular") << of_flat;
    QTest::newRow("flat helix") << QByteArray("flat") << QByteArray("helical") << of_flat;
    QTest::newRow("arc circle") << QByteArray("arc") << QByteArray("circular") << of_arcs;
    QTest::newRow("arc helix") << QByteArray("arc") << QByteArray("helical") << of_arcs;
  }

  // The stand-ins compute rays as the programs' sources do. Mirrored or shifted by half a voxel,
  // the phantom is off by several percent, and as far where slices are left out.
  void scriptsProjectThePhantom() {
    QFETCH(QByteArray, shape);
    QFETCH(QByteArray, trajectory);
    QFETCH(QStringList, programs);
    const QString python = python_with(QStringLiteral("numpy"));
    if (python.isEmpty()) QSKIP("there is no Python with numpy");
    QFile file(folder_.filePath("c.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(cone)
                   .replace("SHAPE", shape)
                   .replace("TRAJECTORY", trajectory)
                   .replace("FEED", trajectory == "helical" ? "8" : "0"));
    file.close();
    EXPECT_DONE(
        cli("simulate --phantom orientation --set phantom.size_mm=60 --subrays 1 "
            "--geometry c.json --truth voxels.mha --out p.scan.json"));
    const Answer moved =
        cli("simulate --volume voxels.mha --geometry c.json --out c.scan.json --truth centred.mha");
    QVERIFY2(moved.code == 0, moved.text().constData());  // A note tells that it was centred.
    const QString out = QString::fromLatin1(shape + trajectory);
    for (const QString& key : programs) {
      EXPECT_DONE(cli("export c.scan.json --to " + key + " --out " + out));
      const Answer answer = run_program(
          python, {"-c", with_stand_ins, out + "/c_" + key + ".py", "--volume", "centred.mha"},
          folder_.path());
      EXPECT_DONE(answer);
      const QStringList words = answer.output.split(' ');
      QCOMPARE(words.value(0), QString("NRMSE"));
      QVERIFY2(words.value(1).toDouble() < 1, answer.text().constData());
    }
  }

  void whatCannotBeIsRefusedBeforeAnythingIsWritten() {
    simulate("arc", "a.scan.json");
    const Answer arc = cli("export a.scan.json --to tigre --out none");
    QCOMPARE(arc.code, 2);
    QCOMPARE(arc.error_lines().size(), 1);
    QVERIFY2(arc.errors.contains("TIGRE cannot take this scan: it has no arc detectors"),
             arc.text().constData());
    const Answer unknown = cli("export a.scan.json --to matlab --out none");
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.errors.contains("use one of astra, rtk, tigre, leap, cil"),
             unknown.text().constData());
    const Answer onto_itself = cli("export a.scan.json --to rtk --out .");
    QCOMPARE(onto_itself.code, 2);
    QVERIFY2(onto_itself.errors.contains("--out"), onto_itself.text().constData());
    QVERIFY(!QDir(folder_.filePath("none")).exists());
  }
};

GANTRY_TEST(TestCliExport)
#include "test_cli_export.moc"
