// The help: complete, within a terminal's width, and with examples that hold.
#include "tests/cli/command.hpp"
#include "tests/support/test_program.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

namespace {

/// What each subcommand is documented to take.
const QMap<QString, QString> documented = {
    {"reconstruct",
     "SCAN --correct --solver --prior --prior-sharpness --projector --format --backend --weights "
     "--grid "
     "--voxel --iterations "
     "--set "
     "--reference --uneven "
     "--mask --roi --background --edge --mu-water "
     "--coarse-levels --coarse-iterations --stop-at-update --stop-at-residual --stop-at-objective "
     "--stop-at-noise --noise-norm "
     "--device-memory --log "
     "--edges "
     "--deidentify --out --checkpoint --checkpoint-every --resume"},
    {"simulate",
     "--phantom --volume --series --uneven --slice --hu --mu-water --geometry --preset --subrays "
     "--photons "
     "--electronic --counts --seed --set --out --truth --deidentify"},
    {"rebin", "SCAN --slices --slice-distance --out"},
    {"align", "SCAN --out --method --tilt --strip --range"},
    {"import",
     "PATH --data --flat-data --dark-data --angles-data --leave-out-damaged --sinograms "
     "--projections --flat --dark --flat-frames --dark-frames "
     "--mean --interpolate-flats --air --white-level "
     "--line-integrals --columns --rows --bin --every --pad --pad-with --angles --angle-column "
     "--axes --turn --mirror --reverse "
     "--arc --open --geometry --pixel "
     "--source-axis --source-detector --only-turns --translations --centre --correct --mu-water "
     "--out"},
    {"export", "SCAN --to --out --grid --voxel"},
    {"convert",
     "IN OUT --hu --mu-water --water --air --bits --voxel --deidentify --series --uneven"},
    {"compare", "A B --range --mask --roi --background --edge --hu --mu-water --uneven --json"},
    {"run", "JOB --out --iterations --checkpoint --checkpoint-every --resume --device-memory"},
    {"study", "NAME --out --iterations --scale --part --sizes --seeds --pictures --uneven --from"},
    {"mapping",
     "SCAN --projector --grid --voxel --set --no-metis --stride --at-once --out --check --csv"},
    {"info", "FILE --series --uneven --hu --mu-water --grid --voxel"},
    {"list", "WHAT --all"},
    {"bench",
     "WHAT --case --backend --projector --solver --format --set --threads --repeats "
     "--device-memory --energy --json"},
};

/// The words at the beginning of indented lines: what the help explains.
QStringList explained(const QString& help) {
  QStringList words;
  for (const QString& line : help.section("Example:", 0, 0).split('\n')) {
    static const QRegularExpression entry("^  (?:-h,)?([A-Za-z-]+)");
    const QRegularExpressionMatch match = entry.match(line);
    if (match.hasMatch()) words << match.captured(1);
  }
  words.removeAll("--help");
  return words;
}

/// The example's lines, joined where one goes on indented.
QStringList examples(const QString& help) {
  QString all = help.section("Example:\n", 1);
  return all.replace(QRegularExpression("\n {6}"), " ").split('\n', Qt::SkipEmptyParts);
}

}  // namespace

class TestCliHelp : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }

 private slots:
  void theProgramNamesItsSubcommands() {
    const Answer answer = cli("--help");
    EXPECT_DONE(answer);
    const QStringList subcommands = explained(answer.output.section("Subcommands:", 1));
    QCOMPARE(QSet<QString>(subcommands.begin(), subcommands.end()),
             QSet<QString>(documented.keyBegin(), documented.keyEnd()));
    for (const QString& line : answer.output.split('\n'))
      QVERIFY2(line.size() <= 100, qPrintable(line));
    QVERIFY(answer.output.contains("0 done, 1 failed on the data or the run, 2 wrong usage"));
  }

  void versionIsOneLine() {
    const Answer answer = cli("--version");
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains(QRegularExpression("^[^\n]*\\d+\\.\\d+\\.\\d+[^\n]*\n$")),
             answer.text().constData());
  }

  void eachSubcommandExplainsWhatItTakes_data() {
    QTest::addColumn<QString>("name");
    for (const QString& name : documented.keys()) QTest::newRow(qPrintable(name)) << name;
  }
  void eachSubcommandExplainsWhatItTakes() {
    QFETCH(QString, name);
    const Answer answer = cli(name + " --help");
    EXPECT_DONE(answer);
    const QStringList expected = documented[name].split(' '), words = explained(answer.output);
    QCOMPARE(QSet<QString>(words.begin(), words.end()),
             QSet<QString>(expected.begin(), expected.end()));
    for (const QString& line : answer.output.split('\n'))
      QVERIFY2(line.size() <= 100, qPrintable(line));
    QVERIFY(!examples(answer.output).isEmpty());
  }

  /// Whatever the example needs may be absent here, but it is never wrong usage.
  void examplesAreRightUsage_data() { eachSubcommandExplainsWhatItTakes_data(); }
  void examplesAreRightUsage() {
    QFETCH(QString, name);
    for (QString example : examples(cli(name + " --help").output)) {
      QVERIFY2(example.startsWith("  gantry-cli " + name), qPrintable(example));
      if (example.contains(" NAME")) example.replace(" NAME", "");
      QStringList words = example.simplified().split(' ');
      words.removeFirst();
      const Answer answer = gantry_cli(words, folder_.path());
      QVERIFY2(answer.code == 0 || answer.code == 1, answer.text().constData());
    }
  }
};

GANTRY_TEST(TestCliHelp)
#include "test_cli_help.moc"
