#include "charts/run_colours.hpp"
// The page on which methods race to a level, and the tasks of the workspace Sweep with the number
// of actions that they take.
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/views/chart_view.hpp"
#include "tests/gui/counted_user.hpp"
#include "tests/support/test_program.hpp"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestRaceBoard : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<CountedUser> user_;

  MainWindow& window() { return *w_->window; }
  RaceBoard& board() { return window().race(); }
  void openRace() {
    auto* tabs = board().parentWidget()->parentWidget();
    auto* bar = qobject_cast<QTabWidget*>(tabs)->tabBar();
    user_->click(*bar, bar->tabRect(1).center());
  }
  void prepare() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
  }
  QStringList column(int at) {
    QStringList texts;
    auto& table = w_->part<QTreeWidget>("raceTable");
    for (int i = 0; i < table.topLevelItemCount(); ++i) texts << table.topLevelItem(i)->text(at);
    return texts;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    Experiment noisy = WindowFixture::small();
    noisy.noise.photons_per_ray = 20000;
    w_->model().reset(noisy, {});
    window().runs().selectRun(w_->run(0));
    user_ = std::make_unique<CountedUser>(window());
  }
  void cleanup() { w_.reset(); }

  /// A colour is a run: the chart has those of the cards, and other ones for other methods.
  void coloursAreThoseOfTheRuns() {
    w_->model().edit(QStringLiteral("colours"), [](Experiment& e) {
      e.runs[0].colour = 5;
      e.runs[1].colour = 0;
    });
    prepare();
    window().applyLayout(WindowLayout::sweep);
    openRace();
    w_->part<QPushButton>("startRace").click();
    WAIT_FOR(!board().isBusy() && board().results().size() == 4);
    const auto& series = board().findChild<ChartView*>()->chart().model().series();
    WAIT_FOR(series.size() >= 4);
    std::vector<Rgb> colours;
    for (std::size_t i = 0; i < 4; ++i) colours.push_back(series[i].style.colour);
    QVERIFY(colours == (std::vector<Rgb>{runColour(5), runColour(0), runColour(1), runColour(2)}));
  }

  /// Which method reaches RMSE r first, of four: workspace, page, r, start.
  void fourMethodsRaceInFiveActions() {
    prepare();
    user_->click(QStringLiteral("Sweep"));
    openRace();
    auto& level = w_->part<QDoubleSpinBox>("raceLevel");
    user_->does([&] { level.setValue(0.004); });  // typed
    user_->click(w_->part<QPushButton>("startRace"));
    QVERIFY(user_->actions() <= 5);
    WAIT_FOR(!board().isBusy() && board().results().size() == 4);
    WAIT_FOR(column(0).size() == 4);
    QCOMPARE(w_->part<QTreeWidget>("raceTable").headerItem()->text(6),
             QStringLiteral("Value, 1/mm"));
    // The table against the histories themselves.
    double fastest = 1e9;
    for (const TrialResult& result : board().results()) {
      QVERIFY2(result.problem.empty(), result.problem.c_str());
      const auto at = std::ranges::find_if(result.history, [](const HistoryEntry& entry) {
        return entry.metrics.at("rmse") <= 0.004;
      });
      if (at == result.history.end()) continue;
      QVERIFY(at + 1 == result.history.end());  // it ended there
      fastest = std::min(fastest, at->report.seconds);
    }
    QVERIFY(fastest < 1e9);
    const auto order = board().order();
    QCOMPARE(order.front().entry->report.seconds, fastest);
    QCOMPARE(column(2).front(), QString::number(fastest, 'g', 3));
    QVERIFY(w_->part<QLabel>("raceState")
                .toolTip()
                .contains(QStringLiteral("first “") + column(1).front()));
  }

  /// A run that computes would share the device with the race; it goes on afterwards. Methods with
  /// equally few products are all named.
  void runsThatComputeArePaused() {
    prepare();
    const int id = w_->run(0);
    w_->model().editRun(id, QStringLiteral("long"), [](RunSpec& run) { run.iterations = 100000; });
    w_->model().duplicateRun(id);
    w_->controller().start(id);
    WAIT_FOR(w_->iterations(id) > 1);
    window().applyLayout(WindowLayout::sweep);
    auto& methods = w_->part<QTreeWidget>("raceMethods");
    for (int i = 0; i < methods.topLevelItemCount(); ++i)
      methods.topLevelItem(i)->setCheckState(0, i == 0 || i == 2 ? Qt::Checked : Qt::Unchecked);
    w_->part<QDoubleSpinBox>("raceLevel").setValue(1e6);  // every first iteration is there
    bool computed_beside = false, was_paused = false;
    connect(&w_->controller(), &RunController::iterationDone, this, [&] {
      computed_beside = computed_beside || (board().isBusy() && !board().results().empty());
    });
    connect(&w_->controller(), &RunController::stateChanged, this,
            [&](int run) { was_paused = was_paused || w_->state(run) == RunState::paused; });
    w_->part<QPushButton>("startRace").click();
    WAIT_FOR(!board().isBusy() && column(0).size() == 2);
    QVERIFY(was_paused && !computed_beside);
    WAIT_FOR(w_->state(id) == RunState::running);
    w_->controller().pause(id);
    const QString verdict = w_->part<QLabel>("raceState").toolTip();
    for (const QString& name : column(1))
      QVERIFY2(
          verdict.section(QStringLiteral("fewest"), 1).contains(QStringLiteral("“%1”").arg(name)),
          qPrintable(verdict));
  }

  /// Without a level all compute to the end, and the level is near the best of all.
  void theLevelMayComeFromTheBest() {
    prepare();
    window().applyLayout(WindowLayout::sweep);
    w_->part<QSpinBox>("raceIterations").setValue(12);
    w_->part<QPushButton>("startRace").click();
    WAIT_FOR(!board().isBusy() && column(0).size() == 4);
    double best = 1e9;
    for (const TrialResult& result : board().results()) {
      QCOMPARE(result.history.size(), std::size_t{12});
      for (const HistoryEntry& entry : result.history)
        best = std::min(best, entry.metrics.at("rmse"));
    }
    for (const Arrival& arrival : board().order())
      if (arrival.entry) QVERIFY(arrival.entry->metrics.at("rmse") <= 1.05 * best);
    QVERIFY(column(0).contains(QStringLiteral("1")));

    w_->part<QToolButton>("copyRaceTable").click();
    const QString csv = QApplication::clipboard()->text();
    QCOMPARE(csv.count(QLatin1Char('\n')), 5);
    QVERIFY2(csv.contains(column(1).front()) && csv.contains(QStringLiteral("Products")),
             qPrintable(csv));
    w_->part<QToolButton>("copyRaceLatex").click();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("\\begin{tabular}")));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("race.csv"));
    board().exportTable(path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), csv);
    board().exportTable(folder.filePath(QStringLiteral("no such folder/race.csv")));
    QVERIFY(!w_->part<QLabel>("raceState").text().isEmpty());
  }

  /// While it goes on the table says which method is racing and how far it is.
  void aRaceSaysHowFarItIs() {
    prepare();
    window().applyLayout(WindowLayout::sweep);
    w_->part<QSpinBox>("raceIterations").setValue(100000);
    w_->part<QPushButton>("startRace").click();
    WAIT_FOR(column(0).count(QStringLiteral("racing")) == 1);
    QCOMPARE(column(0).count(QStringLiteral("waiting")), 3);
    QVERIFY2(column(3).front().endsWith(QStringLiteral(" of 100000")), qPrintable(column(3)[0]));
    w_->part<QPushButton>("startRace").click();  // cancels
    WAIT_FOR(column(0).isEmpty() && !board().isBusy());
  }

  void otherDataEndARace() {
    prepare();
    window().applyLayout(WindowLayout::sweep);
    w_->part<QSpinBox>("raceIterations").setValue(100000);
    w_->part<QPushButton>("startRace").click();
    QVERIFY(board().isBusy());
    w_->openSmall();
    WAIT_FOR(board().results().empty() && !board().isBusy());
    for (int i = 0; i < w_->part<QTreeWidget>("raceMethods").topLevelItemCount(); ++i)
      w_->part<QTreeWidget>("raceMethods").topLevelItem(i)->setCheckState(0, Qt::Unchecked);
    w_->part<QPushButton>("startRace").click();
    QVERIFY(w_->part<QLabel>("raceState").text().contains(QStringLiteral("Choose the methods")));
  }

  /// The program starts with two algorithms that work, without an action.
  void theStartShowsTwoAlgorithms() {
    window().openReadyExperiment();
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->iterations(id) >= 1);
    QCOMPARE(w_->model().runIds().size(), std::size_t{2});
  }

  /// The best penalty weight, of a sweep of 9: beside the field, start, take over.
  void theBestWeightInFourActions() {
    w_->model().editRun(w_->run(0), QStringLiteral("penalised"), [](RunSpec& run) {
      run.solver = "fista";
      run.iterations = 15;
    });
    prepare();
    auto& field = w_->part<QToolButton>("sweep_weight");
    WAIT_FOR(field.isVisible());
    user_->click(field);
    user_->click(w_->part<QPushButton>("startSweep"));
    WAIT_FOR(window().sweep().points().size() == 9 && !window().sweep().isBusy());
    user_->click(w_->part<QPushButton>("useBest"));
    QVERIFY(user_->actions() <= 4);
    const int id = w_->run(0);
    WAIT_FOR(w_->state(id) == RunState::finished);
    double least = 1e9, value = 0;
    for (const SweepPoint& point : window().sweep().points())
      if (const double rmse = point.last().metrics.at("rmse"); rmse < least) {
        least = rmse;
        value = point.value;
      }
    QCOMPARE(w_->model().run(id)->prior_params.real("weight"), value);
    QCOMPARE(w_->metric(id, "rmse"), least);
  }
};

GANTRY_TEST(TestRaceBoard)
#include "test_race_board.moc"
