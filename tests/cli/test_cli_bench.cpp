// The data file of bench: what it holds, what a further run changes, and that the page is made from
// it.
#include "tests/cli/command.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

namespace {

const QString products =
    "bench operators --case p3-256 --backend cpu --projector joseph --threads 1 --repeats 2";
const QString iterations =
    "bench solvers --case p3-256 --backend cpu --projector joseph --solver cgls --repeats 1";

QJsonObject figure(const QJsonObject& run, const QString& quantity) {
  for (const QJsonValue& one : run["figures"].toArray())
    if (one["quantity"] == quantity) return one.toObject();
  return {};
}

}  // namespace

class TestCliBench : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  QByteArray text(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QJsonObject json(const QString& name) const {
    return QJsonDocument::fromJson(text(name)).object();
  }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
  }

 private slots:
  void writesFiguresWithTheirSource() {
    EXPECT_DONE(cli(products + " --json a.json"));
    const QJsonObject report = json("a.json");
    const QString commit = report["commit"].toString();
    QVERIFY2(!commit.isEmpty() && report["program"].toString().contains(commit), text("a.json"));
    QCOMPARE(report["runs"].toArray().size(), 1);
    const QJsonObject run = report["runs"][0].toObject();
    QCOMPARE(run["command"].toString(), "gantry-cli " + products);
    QVERIFY(QDateTime::fromString(run["date"].toString(), "yyyy-MM-dd HH:mm").isValid());
    QVERIFY(!run["device"].toString().isEmpty());
    QCOMPARE(run["repeats"].toInt(), 2);
    QCOMPARE(run["figures"].toArray().size(), 2);
    for (const char* product : {"forward", "adjoint"}) {
      QJsonObject found = figure(run, product);
      const double least = found.take("least").toDouble(), most = found.take("most").toDouble(),
                   value = found.take("value").toDouble();
      QVERIFY(0 < least && least <= value && value <= most);
      QCOMPARE(found, (QJsonObject{{"bench", "operators"},
                                   {"case", "p3-256"},
                                   {"of", "joseph"},
                                   {"quantity", product},
                                   {"threads", 1},
                                   {"unit", "ms"}}));
    }
  }

  void addsRunsAndRepeatsThem() {
    EXPECT_DONE(cli(products + " --json b.json"));
    EXPECT_DONE(cli(iterations + " --json b.json"));
    EXPECT_DONE(cli(products + " --json b.json"));
    const QJsonArray runs = json("b.json")["runs"].toArray();
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[0]["command"].toString(), "gantry-cli " + iterations);
    QCOMPARE(runs[1]["command"].toString(), "gantry-cli " + products);
    const QJsonObject solver = runs[0].toObject(), memory = figure(solver, "memory");
    QCOMPARE(figure(solver, "iteration")["unit"].toString(), QString("ms"));
    QCOMPARE(memory["unit"].toString(), QString("MB"));
    QCOMPARE(memory["of"].toString(), QString("cgls"));
    QCOMPARE(memory["projector"].toString(), QString("joseph"));
    // At the least image, direction and data: 4 bytes for each of 2 x 256^2 pixels and 180 x 256
    // rays.
    QVERIFY(memory["value"].toDouble() > 4e-6 * (2 * 256 * 256 + 180 * 256));
    QVERIFY(memory["value"].toDouble() < 100);
  }

  void keepsFilesThatItCannotAddTo_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("why");
    QTest::newRow("another commit")
        << QByteArray(R"({"commit": "0", "program": "", "runs": []})") << "are of commit 0";
    QTest::newRow("no commit") << QByteArray(R"({"runs": []})") << "commit";
    QTest::newRow("no JSON") << QByteArray("median 3 ms") << "JSON";
  }
  void keepsFilesThatItCannotAddTo() {
    QFETCH(QByteArray, content);
    QFETCH(QString, why);
    put("kept.json", content);
    const Answer answer = cli(products + " --json kept.json");
    QVERIFY2(answer.code == 1 || answer.code == 2, answer.text());
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("kept.json") && answer.errors.contains(why), answer.text());
    QVERIFY2(answer.output.isEmpty(), answer.text());
    QCOMPARE(text("kept.json"), content);
  }

  void refusesAFolderThatIsNotThereBeforeItMeasures() {
    const Answer answer = cli(products + " --json nowhere/a.json");
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("nowhere") && answer.output.isEmpty(), answer.text());
  }

  /// The page has the figures, and --check says so when it has not.
  void thePageIsMadeFromTheFile() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    QVERIFY(QDir(folder_.path()).mkpath("data/here"));
    EXPECT_DONE(cli(products + " --json data/here/it.json"));
    const auto render = [&](const QStringList& options) {
      return run_program("python3",
                         QStringList{GANTRY_SOURCE_DIR "/tests/bench/render_results"} + options +
                             QStringList{folder_.path()},
                         folder_.path());
    };
    QCOMPARE(render({"--check"}).code, 1);
    EXPECT_DONE(render({}));
    EXPECT_DONE(render({"--check"}));
    const QByteArray page = text("RESULTS.md");
    QVERIFY2(page.contains("| | p3-256, 1 thread |") && page.contains("| joseph | "), page);
    QVERIFY2(page.contains("](data/here/it.json)"), page);
    put("RESULTS.md", page + "By hand.\n");
    QCOMPARE(render({"--check"}).code, 1);
    // It says where the program was built from more than the commit.
    const QRegularExpression program("\"program\": *\"[^\"]*\"");
    for (const QByteArray commit : {"abc", "abc-dirty"}) {
      put("data/here/it.json", QString(text("data/here/it.json"))
                                .replace(program, "\"program\": \"Gantry (commit " + commit + ")\"")
                                .toUtf8());
      EXPECT_DONE(render({}));
      QCOMPARE(text("RESULTS.md").contains(") with changes"), commit.endsWith("-dirty"));
    }
  }
};

GANTRY_TEST(TestCliBench)
#include "test_cli_bench.moc"
