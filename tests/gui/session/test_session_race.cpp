// Races and sweeps in a session: their results, the voxels that they were measured over, and what
// had not been computed.
#include "core/job/session_file.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/session/session_window.hpp"
#include "tests/support/same_numbers.hpp"
#include "tests/support/test_program.hpp"

#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace gantry;
using namespace gantry::test;

class TestSessionRace : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString path() const { return folder_->filePath(QStringLiteral("s.gantry")); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// The results of a race and of a sweep come back with the voxels that they were measured over,
  /// although the metrics have taken others since.
  void aRaceComesBackWithItsMask() {
    const auto race = [](WindowFixture& w) {
      QStringList texts;
      auto& table = w.part<QTreeWidget>("raceTable");
      for (int i = 0; i < table.topLevelItemCount(); ++i)
        for (int column = 0; column < table.columnCount(); ++column)
          texts << table.topLevelItem(i)->text(column);
      auto& methods = w.part<QTreeWidget>("raceMethods");
      for (int i = 0; i < methods.topLevelItemCount(); ++i)
        if (methods.topLevelItem(i)->checkState(0) == Qt::Checked)
          texts << methods.topLevelItem(i)->text(0);
      return texts << w.part<QLabel>("raceState").toolTip()
                   << w.part<QSpinBox>("raceIterations").text()
                   << w.part<QDoubleSpinBox>("raceLevel").text();
    };
    const auto sweep = [](WindowFixture& w) {
      return w.window->sweep().findChild<QLabel*>(QStringLiteral("sweepState"))->text();
    };
    QStringList raced;
    QString swept;
    std::vector<TrialResult> results;
    {
      WindowFixture w;
      w.model().reset(WindowFixture::small(), {});
      w.controller().prepareData();
      WAIT_FOR(w.isReady());
      w.window->applyLayout(WindowLayout::sweep);
      w.part<QSpinBox>("raceIterations").setValue(5);
      w.part<QDoubleSpinBox>("raceLevel").setValue(0.005);
      w.part<QTreeWidget>("raceMethods").topLevelItem(3)->setCheckState(0, Qt::Unchecked);
      w.part<QPushButton>("startRace").click();
      WAIT_FOR(!w.window->race().isBusy() && w.window->race().results().size() == 3);
      w.part<QPushButton>("startSweep").click();
      WAIT_FOR(!w.window->sweep().isBusy() && !w.window->sweep().points().empty());
      w.model().edit(QStringLiteral("mask"), [](Experiment& e) { e.metrics.mask = MaskKind::all; });
      WAIT_FOR(race(w).join(QString()).contains(QStringLiteral("measured over: circle")));
      raced = race(w);
      swept = sweep(w);
      results = w.window->race().results();
      QVERIFY2(swept.contains(QStringLiteral("measured over: circle")), qPrintable(swept));
      save_session(w, path());
    }
    WindowFixture w;
    open_session(w, path());
    WAIT_FOR(w.window->race().results().size() == 3);
    QTRY_COMPARE(race(w), raced);
    QTRY_COMPARE(sweep(w), swept);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const TrialResult& back = w.window->race().results()[i];
      QVERIFY(back.run == results[i].run && back.needed_bytes == results[i].needed_bytes);
      QCOMPARE(back.history.size(), results[i].history.size());
      for (std::size_t k = 0; k < back.history.size(); ++k)
        QVERIFY(same_numbers(back.history[k], results[i].history[k]));
    }
    // Other data end what is shown, as they do without a session.
    w.openSmall();
    WAIT_FOR(w.window->race().results().empty());
  }

  /// A race that was killed says so: who has raced, and that others have not.
  void anInterruptedRaceIsNoVerdict() {
    {
      WindowFixture w;
      w.model().reset(WindowFixture::small(), {});
      w.controller().prepareData();
      WAIT_FOR(w.isReady());
      w.part<QSpinBox>("raceIterations").setValue(3);
      w.part<QPushButton>("startRace").click();
      WAIT_FOR(!w.window->race().isBusy() && w.window->race().results().size() == 4);
      save_session(w, path());
    }
    // As it is after two of the four.
    Session session = read_session(path().toStdString(), compose().catalog);
    QJsonObject state =
        QJsonDocument::fromJson(QByteArray::fromStdString(session.head.window)).object();
    QJsonObject race = state[QStringLiteral("race")].toObject();
    QJsonArray results = race[QStringLiteral("results")].toArray();
    QCOMPARE(results.size(), 4);
    for (const int at : {2, 3}) {
      QJsonObject one = results[at].toObject();
      QJsonObject checkpoint = one[QStringLiteral("checkpoint")].toObject();
      checkpoint[QStringLiteral("history")] = QJsonArray();
      one[QStringLiteral("checkpoint")] = checkpoint;
      results[at] = one;
    }
    race[QStringLiteral("results")] = results;
    WindowFixture w;
    w.model().reset(WindowFixture::small(), {});
    w.controller().prepareData();
    WAIT_FOR(w.isReady());
    w.window->race().restore(race);
    auto& table = w.part<QTreeWidget>("raceTable");
    QCOMPARE(table.topLevelItemCount(), 4);
    QCOMPARE(table.topLevelItem(3)->text(0), QStringLiteral("not raced"));
    const QString said = w.part<QLabel>("raceState").text();
    QVERIFY2(said.startsWith(QStringLiteral("2 of 4 have raced")) &&
                 said.contains(QStringLiteral("interrupted")),
             qPrintable(said));
  }
};

GANTRY_TEST(TestSessionRace)
#include "test_session_race.moc"
