// Curves as CSV: exact text, numbers that read back to the last bit, and what other programs make
// of it.
#include "core/job/curves_csv.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <limits>
#include <locale>

using namespace gantry;

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

HistoryEntry entry(int iteration, double residual, double update, double applications,
                   double seconds, std::map<std::string, double> metrics) {
  HistoryEntry e;
  e.report = {iteration, residual, update, applications, seconds};
  e.metrics = std::move(metrics);
  return e;
}

/// Writes numbers as in Germany.
struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

const std::string header =
    "run,iteration,projector_applications,seconds,residual_norm,exact_residual_norm,update_norm";

}  // namespace

class TestCurvesCsv : public QObject {
  Q_OBJECT

 private slots:
  void metricsThatWereLeftOutAreSaid() {
    CurveSet sirt{"SIRT", "on a device", {}};
    sirt.history = {entry(1, 3, 1, 2, 1, {{"rmse", 0.5}}), entry(2, 2, 1, 4, 2, {}),
                    entry(3, 1, 1, 6, 3, {{"rmse", 0.25}})};
    QVERIFY(describe_measured(sirt.history).empty());
    sirt.history[1].is_measured = false;
    QCOMPARE(QString::fromStdString(curves_csv({sirt}, {})),
             QString::fromStdString("# SIRT: on a device\n"
                                    "# SIRT: metrics of 2 of 3 iterations\n" +
                                    header +
                                    ",rmse\n"
                                    "SIRT,1,2,1,3,,1,0.5\n"
                                    "SIRT,2,4,2,2,,1,\n"
                                    "SIRT,3,6,3,1,,1,0.25\n"));
  }

  /// A run that went on with other settings says which of them made an iteration.
  void stagesAreAColumn() {
    CurveSet sart{"SART", "two stages", {}}, sirt{"SIRT", "one", {entry(1, 4, 1, 2, 1, {})}};
    sart.history = {entry(1, 3, 1, 2, 1, {{"rmse", 0.5}}), entry(2, 2, 1, 4, 2, {{"rmse", 0.25}})};
    sart.history[1].stage = 1;
    QCOMPARE(QString::fromStdString(curves_csv({sart, sirt}, {})),
             QString::fromStdString("# SART: two stages\n# SIRT: one\n" + header +
                                    ",stage,rmse\n"
                                    "SART,1,2,1,3,,1,1,0.5\n"
                                    "SART,2,4,2,2,,1,2,0.25\n"
                                    "SIRT,1,2,1,4,,1,1,\n"));
  }

  void textIsAsDescribed() {
    CurveSet sart{"SART", "SART, relaxation 0.5", {}}, sirt{"SIRT", "SIRT, relaxation 1.9", {}};
    sart.history = {entry(1, 2.5, 0.125, 4, 0.5, {{"rmse", 0.25}, {"ssim", 0.5}}),
                    entry(2, 1.5, 0.0625, 7, 0.75, {{"rmse", 0.125}, {"ssim", 0.75}})};
    sart.history[1].exact_residual = 1.25;
    sirt.history = {entry(1234567, 3, 1e-20, 2469136, 1e6, {{"psnr", 20.5}})};
    QCOMPARE(QString::fromStdString(curves_csv({sart, sirt}, {"head, 100 photons", "circle"})),
             QString::fromStdString("# head, 100 photons\n"
                                    "# circle\n"
                                    "# SART: SART, relaxation 0.5\n"
                                    "# SIRT: SIRT, relaxation 1.9\n" +
                                    header +
                                    ",psnr,rmse,ssim\n"
                                    "SART,1,4,0.5,2.5,,0.125,,0.25,0.5\n"
                                    "SART,2,7,0.75,1.5,1.25,0.0625,,0.125,0.75\n"
                                    "SIRT,1234567,2469136,1e+06,3,,1e-20,20.5,,\n"));
  }

  void nothingIsAHeaderAlone() {
    QCOMPARE(curves_csv({}, {}), header + "\n");
    QCOMPARE(curves_csv({{"SIRT", "not begun", {}}}, {}), "# SIRT: not begun\n" + header + "\n");
  }

  void whatWasNotTakenIsEmpty() {
    const double infinity = std::numeric_limits<double>::infinity();
    const CurveSet curve{"a", "b", {entry(1, infinity, absent, 2, 3, {{"rmse", absent}})}};
    QVERIFY(curves_csv({curve}, {}).ends_with("\na,1,2,3,,,,\n"));
  }

  void numbersKeepEveryBit() {
    for (const double value : {1.0 / 3, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, 123456789.0}) {
      const std::string csv = curves_csv({{"a", "b", {entry(1, value, 0, 0, 0, {})}}}, {});
      const QString row = QString::fromStdString(csv).section('\n', 2, 2);
      QCOMPARE(row.section(',', 4, 4).toDouble(), value);
    }
  }

  void theLocaleChangesNothing() {
    const CurveSet curve{"a", "b", {entry(12345, 0.5, 1234567.5, 2, 3, {{"rmse", 1e-3}})}};
    const std::string plain = curves_csv({curve}, {});
    const std::locale before = std::locale::global(std::locale(std::locale(), new DecimalComma));
    const std::string german = curves_csv({curve}, {});
    std::locale::global(before);
    QCOMPARE(german, plain);
  }

  void awkwardLabelsAreQuoted_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("field");
    QTest::newRow("plain") << "SART λ 0.5"
                           << "SART λ 0.5";
    QTest::newRow("comma") << "SART, λ 0.5"
                           << "\"SART, λ 0.5\"";
    QTest::newRow("quotes") << "the \"best\""
                            << "\"the \"\"best\"\"\"";
    QTest::newRow("like a comment") << "#1"
                                    << "\"#1\"";
    QTest::newRow("two lines") << "a\nb"
                               << "\"a\nb\"";
    QTest::newRow("carriage return") << "a\rb"
                                     << "\"a\rb\"";
  }
  void awkwardLabelsAreQuoted() {
    QFETCH(QString, label);
    QFETCH(QString, field);
    const std::string csv =
        curves_csv({{label.toStdString(), "d", {entry(1, 1, 1, 1, 1, {})}}}, {});
    QVERIFY2(csv.ends_with("\n" + field.toStdString() + ",1,1,1,1,,1\n"), csv.c_str());
  }

  /// A line break in a label or note would turn the rest of a comment into data.
  void commentsStayOnTheirLine() {
    const std::string csv = curves_csv({{"a\nb", "c\r\nd", {}}}, {"one\ntwo"});
    QCOMPARE(csv, "# one two\n# a b: c  d\n" + header + "\n");
  }

  /// As a user would read it.
  void numpyReadsIt() {
    const QString python = test::python_with(QStringLiteral("numpy"));
    if (python.isEmpty()) QSKIP("no Python with numpy");
    QTemporaryDir folder;
    const CurveSet curve{"SIRT",
                         "SIRT, relaxation 1.9",
                         {entry(1, 0.1 + 0.2, 0.5, 4, 0.25, {{"rmse", 1.0 / 3}}),
                          entry(2, 0.2, 0.5, 6, 0.5, {{"rmse", 1e-7}})}};
    QFile file(folder.filePath("curves.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(curves_csv({curve}, {"a scan, 4 views"})));
    file.close();
    QProcess process;
    process.start(python, {"-c",
                           "import numpy, sys\n"
                           "lines = [l for l in open(sys.argv[1]) if not l.startswith('#')]\n"
                           "t = numpy.genfromtxt(lines, delimiter=',', names=True, dtype=None,"
                           " encoding='utf-8')\n"
                           "print(*t.dtype.names)\n"
                           "print(repr(float(t['residual_norm'][0])), repr(float(t['rmse'][0])),"
                           " int(t['iteration'][1]), t['run'][1],"
                           " numpy.isnan(float(t['exact_residual_norm'][0] or 'nan')))",
                           file.fileName()});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
    const QStringList lines = QString::fromUtf8(process.readAllStandardOutput()).split('\n');
    QCOMPARE(lines[0], QString::fromStdString(header + ",rmse").replace(',', ' '));
    QCOMPARE(lines[1], QString("0.30000000000000004 0.3333333333333333 2 SIRT True"));
  }
};

GANTRY_TEST(TestCurvesCsv)
#include "test_curves_csv.moc"
