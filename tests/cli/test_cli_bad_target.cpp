// Targets that cannot be written: found before the work where possible, nothing half-written left.
#include "tests/cli/bad_input.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <sys/stat.h>
#include <unistd.h>

using namespace gantry::test;

namespace {

const QString reconstruct = "reconstruct s.scan.json --iterations 2 ";
const QString simulate = "simulate --phantom shepp_logan --geometry s.scan.json ";

void make_busy_folder(const Desk& desk) {
  desk.make_folder("d");
  desk.put("d/keep.txt", "somebody's work");
}

const std::vector<BadCase> cases = {
    {"no folder",
     nothing,
     reconstruct + "--out nowhere/a.mha",
     1,
     {"nowhere/a.mha: cannot be created (No such file", "create the folder first"}},
    {"no folder for DICOM",
     nothing,
     reconstruct + "--out nowhere/a",
     1,
     {"nowhere/a: there is no folder to put it in; create "}},
    {"unknown kind",
     nothing,
     reconstruct + "--out a.minc",
     2,
     {"a.minc: the extension .minc is not known; use .mha, .mhd, .raw, .tif"}},
    {"its own input",
     nothing,
     reconstruct + "--out s.scan.json",
     2,
     {"s.scan.json: the extension .json is not known"}},
    {"folder in use",
     make_busy_folder,
     reconstruct + "--out d",
     1,
     {"d: the folder holds more than a series written by Gantry (keep.txt)"}},
    {"file where a folder goes",
     put("d", "somebody's work"),
     reconstruct + "--out d",
     1,
     {"d: is not a folder; choose another name"}},
    {"folder where the data go",
     [](const Desk& d) { d.make_folder("a.raw"); },
     reconstruct + "--out a.mhd",
     1,
     {"a.raw: is not a regular file"}},
    {"folder where the header goes",
     [](const Desk& d) { d.make_folder("a.mhd"); },
     reconstruct + "--out a.raw",
     1,
     {"a.mhd: is not a regular file"}},
    {"a device",
     nothing,
     reconstruct + "--out /dev/full/a.mha",
     1,
     {"/dev/full/a.mha: cannot be created (Not a directory)"}},
    {"log without folder",
     nothing,
     reconstruct + "--out a.mha --log nowhere/a.csv",
     1,
     {"nowhere/a.csv: cannot be created"}},
    {"log is a folder",
     make_busy_folder,
     reconstruct + "--out a.mha --log d",
     1,
     {"d: is not a regular file"}},
    {"convert without folder",
     nothing,
     "convert v.mha nowhere/a.mha",
     1,
     {"nowhere/a.mha: cannot be created"}},
    {"convert to unknown kind",
     nothing,
     "convert v.mha a.png",
     2,
     {"a.png: the extension .png is not known"}},
    {"scan without folder",
     nothing,
     simulate + "--out nowhere/a.scan.json",
     1,
     {"nowhere/a.scan.json: cannot be created"}},
    {"scan of another name",
     nothing,
     simulate + "--out a.mha",
     2,
     {"a.mha: is not a name for a scan; name it NAME.scan.json"}},
    {"truth without folder",
     nothing,
     simulate + "--out a.scan.json --truth nowhere/t.mha",
     1,
     {"nowhere/t.mha: cannot be created"}},
    {"truth of unknown kind",
     nothing,
     simulate + "--out a.scan.json --truth t.png",
     2,
     {"t.png: the extension .png is not known"}},
    {"results in a file",
     put("results", "somebody's work"),
     "run e.json --out results",
     1,
     {"results: is not a folder"}},
    {"results below a file",
     put("results", "somebody's work"),
     "run e.json --out results/today",
     1,
     {"results: is not a folder"}},
};

Answer in_shell(const QString& script, const Desk& desk) {
  return run_program("sh", {"-c", script}, desk.path());
}

}  // namespace

class TestCliBadTarget : public QObject {
  Q_OBJECT

 private slots:
  void badTarget_data() { add_rows(cases); }
  void badTarget() { RUN_BAD_CASE(cases); }

  /// A limit on the size of files stops a write in its middle, as a full disk does.
  void aWriteThatStopsLeavesNothing_data() {
    QTest::addColumn<QString>("arguments");
    QTest::newRow("mha") << reconstruct + "--grid 200,200 --out target.mha";
    QTest::newRow("pair") << reconstruct + "--grid 200,200 --out a.mhd";
    QTest::newRow("DICOM") << reconstruct + "--grid 200,200 --out d";
    QTest::newRow("scan") << "simulate --phantom shepp_logan --out a.scan.json";
  }
  void aWriteThatStopsLeavesNothing() {
    QFETCH(QString, arguments);
    const Desk desk;
    const auto before = desk.contents();
    const Answer answer = in_shell("ulimit -f 64; exec " GANTRY_CLI " " + arguments, desk);
    QVERIFY2(answer.code == 1 && answer.error_lines().size() == 1, answer.text().constData());
    QVERIFY2(answer.errors.contains("cannot be written (File too large); "),
             answer.text().constData());
    QVERIFY2(desk.contents() == before, "files were changed or left behind");
  }

  void aFullDiskLeavesNothing() {
    const Desk desk;
    desk.make_folder("full");
    // a disk of its own, in a name space that ends with the shell and where anybody may be root
    const QString mount =
        "mount -t tmpfs -o size=64k tmpfs full && echo mine > full/target.mha && ";
    QString space;
    for (const char* with : {"-m", "-rm"})
      if (space.isEmpty() &&
          run_program("unshare", {with, "sh", "-c", mount + "true"}, desk.path()).code == 0)
        space = with;
    if (space.isEmpty()) QSKIP("no disk can be made here");
    const QString run = GANTRY_CLI " " + reconstruct + "--grid 200,200 --out full/target.mha";
    const Answer answer = run_program(
        "unshare",
        {space, "sh", "-c", mount + run + "; echo exit $?; ls -A full; cat full/target.mha"},
        desk.path());
    QVERIFY2(answer.errors.startsWith("gantry-cli: full/target.mha: cannot be written (No space "
                                      "left on device); free some space"),
             answer.text().constData());
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.output.endsWith("exit 1\ntarget.mha\nmine\n"), answer.text().constData());
  }

  void aFullDiskForTheOutputIsSaid() {
    const Desk desk;
    const Answer answer = in_shell(GANTRY_CLI " list > /dev/full", desk);
    EXPECT_REFUSED(answer, 1,
                   QStringList("standard output: the output cannot be written; free some space"));
  }

  /// Files and folders that are closed; a superuser may do all, and tries without that right.
  void withoutPermission_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("target")
        << reconstruct + "--out locked/a.mha"
        << "locked/a.mha: cannot be created (Permission denied); choose a folder";
    QTest::newRow("DICOM") << reconstruct + "--out locked/a"
                           << "locked/a: the folder cannot be created (Permission denied)";
    QTest::newRow("results") << "run e.json --out locked/a"
                             << "locked/SIRT-1.mha: cannot be created (Permission denied)";
    QTest::newRow("scan") << "reconstruct hidden.scan.json --out open/a.mha"
                          << "hidden.scan.json: cannot be opened (Permission denied)";
    QTest::newRow("volume") << "convert hidden.mha open/a.mha"
                            << "hidden.mha: cannot be opened (Permission denied)";
    QTest::newRow("DICOM folder") << "convert hidden open/a.mha"
                                  << "hidden: the folder cannot be read (Permission denied)";
  }
  void withoutPermission() {
    QFETCH(QString, arguments);
    QFETCH(QString, message);
    const Desk desk;
    for (const char* folder : {"locked", "hidden", "open"}) desk.make_folder(folder);
    for (const char* name : {"hidden.mha", "hidden.scan.json"}) desk.put(name, "secret");
    const QString before =
        "chmod 555 locked && chmod 0 hidden hidden.mha "
        "hidden.scan.json";
    QCOMPARE(in_shell(before, desk).code, 0);
    const QString bound = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search "
                                           "--inh-caps=-dac_override,-dac_read_search "
                                         : "";
    const Answer answer = in_shell(bound + GANTRY_CLI " " + arguments, desk);
    QCOMPARE(
        in_shell("test -z \"$(ls -A open locked/ hidden/ | grep -v :)\"; chmod 755 locked hidden",
                 desk)
            .code,
        0);
    EXPECT_REFUSED(answer, 1, QStringList(message));
    for (const char* folder : {"locked", "hidden", "open"})
      QVERIFY(QDir(desk.path(folder)).isEmpty());
  }

  /// What a run replaces is replaced whole, and only by a run that succeeds.
  void aSuccessReplacesTheTarget() {
    const Desk desk;
    EXPECT_DONE(gantry_cli(reconstruct + "--out target.mha", desk.path()));
    QCOMPARE(read_plain(desk.path("target.mha")).nx, 24);
    EXPECT_DONE(gantry_cli(reconstruct + "--out series", desk.path()));
    EXPECT_DONE(
        gantry_cli(reconstruct + "--grid 8,8 --out series", desk.path()));  // our own may go
    QCOMPARE(QDir(desk.path("series")).entryList(QDir::Files), QStringList("slice_0001.dcm"));
  }

  /// From DICOM to a scan and a truth, and from these on: whoever may not read the images may not
  /// read what was made of them. What comes from a phantom is there for all.
  void whatIsMadeOfAPatientIsTheOwnersAlone() {
    const Desk desk;
    desk.make_folder("images");
    TinyDicom().save(desk.path("images/a.dcm"));
    desk.put("job.json", R"({"format": "gantry-experiment", "version": 1,
      "source": {"kind": "volume", "path": "images"},
      "runs": [{"solver": "sart", "iterations": 1}]})");
    desk.put("study.json", R"({"format": "gantry-experiment", "version": 1,
      "source": {"kind": "scan", "path": "of_patient.scan.json"},
      "runs": [{"solver": "sart", "iterations": 1}]})");
    const mode_t before = umask(022);
    for (const char* command :
         {"simulate --volume images --out of_patient.scan.json --truth truth.mha",
          "reconstruct of_patient.scan.json --iterations 1 --out of_scan.mha --log of_scan.csv",
          "simulate --volume truth.mha --out of_truth.scan.json", "run job.json --out results",
          "run study.json --out more",
          "simulate --phantom shepp_logan --geometry s.scan.json --out open.scan.json"}) {
      const Answer answer = gantry_cli(QString(command), desk.path());
      QVERIFY2(answer.code == 0, answer.text().constData());
    }
    umask(before);
    constexpr auto others = QFile::ReadGroup | QFile::ReadOther;
    QStringList files = {"of_patient.scan.json", "of_patient.f32",    "truth.mha",
                         "of_scan.mha",          "of_scan.csv",       "of_truth.scan.json",
                         "of_truth.f32",         "results/curves.csv"};
    for (const char* folder : {"results", "more"})
      for (const QString& name : QDir(desk.path(folder)).entryList(QDir::Files))
        files << QString(folder) + "/" + name;
    QVERIFY(files.size() >= 12);
    for (const QString& name : files) {
      QVERIFY2(QFile::exists(desk.path(name)), qPrintable(name));
      QVERIFY2(!(QFile::permissions(desk.path(name)) & others), qPrintable(name));
    }
    for (const char* name : {"open.scan.json", "open.f32"})
      QVERIFY2((QFile::permissions(desk.path(name)) & others) == others, name);
  }

  /// Who may read the input, its header and its data, may read what is made of it, and nobody else.
  void outputsAreNoMoreReadableThanTheirInput_data() {
    QTest::addColumn<int>("mode");
    for (const int mode : {0600, 0640, 0604, 0644})
      QTest::addRow("%o", static_cast<unsigned>(mode)) << mode;
  }
  void outputsAreNoMoreReadableThanTheirInput() {
    QFETCH(int, mode);
    const Desk desk;
    const auto set_mode = [&](const char* name) {
      QCOMPARE(chmod(qPrintable(desk.path(name)), static_cast<mode_t>(mode)), 0);
    };
    for (const char* name : {"v.mha", "v.raw", "s.f32"}) set_mode(name);
    const mode_t before = umask(022);
    for (const char* command :
         {"convert v.mha a.mha --hu", "convert v.mha b.mhd --hu", "convert v.mhd c.mha",
          "convert v.mha series --hu", "convert series d.mha",
          "simulate --volume v.mha --geometry s.scan.json --out t.scan.json --truth truth.mha",
          "reconstruct s.scan.json --iterations 1 --out r.mha --log r.csv",
          "run e.json --out results"}) {
      const Answer answer = gantry_cli(QString(command), desk.path());
      QVERIFY2(answer.code == 0, answer.text().constData());
    }
    umask(before);
    const auto mode_of = [&](const QString& name) {
      struct stat status = {};
      return stat(qPrintable(desk.path(name)), &status) == 0
                 ? static_cast<int>(status.st_mode & 0777)
                 : -1;
    };
    for (const char* name :
         {"a.mha", "b.mhd", "b.raw", "c.mha", "series/slice_0001.dcm", "t.scan.json", "t.f32",
          "truth.mha", "r.mha", "r.csv", "results/curves.csv"})
      QVERIFY2(mode_of(name) == mode, qPrintable(QString::number(mode_of(name), 8) + " " + name));
    QCOMPARE(mode_of("series") & 077, (mode & 077) / 4 * 5);  // those who may read may enter
    QCOMPARE(mode_of("d.mha"), 0600);                         // DICOM is of patients
  }
};

GANTRY_TEST(TestCliBadTarget)
#include "test_cli_bad_target.moc"
