// The workspace Sweep: a penalty's weight is varied, the best is marked and put into the run.
#include "charts/run_colours.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/stage/sweep/sweep_grid.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestSweepBoard : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  SweepBoard& board() { return window().sweep(); }
  template <class Widget>
  Widget& part(const char* name) {
    return *board().findChild<Widget*>(QLatin1String(name));
  }
  QString text() { return part<QLabel>("sweepState").text(); }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    Experiment noisy = WindowFixture::small();
    noisy.noise.photons_per_ray = 2000;
    noisy.runs[0].solver = "fista";
    noisy.runs[0].prior = "huber";
    noisy.runs[0].iterations = 15;
    w_->model().reset(noisy, {});
    window().runs().selectRun(w_->run(0));
  }
  void cleanup() { w_.reset(); }

  void withoutDataItPreparesThem() {
    window().applyLayout(WindowLayout::sweep);
    part<QSpinBox>("sweepIterations").setValue(1);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
  }

  void theBestIsFoundAndUsed() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    QVERIFY(board().isVisible() && !window().board().isVisible());
    QVERIFY(part<QComboBox>("sweepParam").currentText().contains(QStringLiteral("Weight")));
    QVERIFY(!part<QPushButton>("useBest").isEnabled());
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());

    const auto rmse = [](const SweepPoint& point) { return point.last().metrics.at("rmse"); };
    const auto best = std::ranges::min_element(board().points(), {}, rmse);
    QVERIFY2(text().contains(QStringLiteral("least RMSE")) &&
                 text().contains(QString::number(best->value, 'g', 3)),
             qPrintable(text()));
    const auto views = board().findChildren<SliceView*>();
    QCOMPARE(std::ranges::count_if(views, [](SliceView* view) { return view->isVisible(); }), 9);
    for (std::size_t i = 0; i < 9; ++i)
      QVERIFY(views[static_cast<qsizetype>(i)]->slice().image()->values ==
              board().points()[i].image);

    // The point is marked on the L-curve, too, beside its corner.
    const auto mark = [this](const char* text) {
      const auto& marks = board().findChildren<ChartView*>()[1]->chart().model().series()[0].marks;
      const auto found = std::ranges::find(marks, text, &ChartMark::text);
      return found == marks.end() ? -1 : found->x;
    };
    QCOMPARE(mark("chosen"), l_curve_point(*best, true).first);
    // A colour is a run.
    for (const ChartView* chart : board().findChildren<ChartView*>())
      QVERIFY(chart->chart().model().series()[0].style.colour ==
              runColour(static_cast<std::size_t>(w_->model().run(w_->run(0))->colour)));
    const double corner = mark("corner");
    QVERIFY(corner > 0);
    auto& criterion = part<QComboBox>("sweepCriterion");
    const int usual = criterion.currentIndex();
    criterion.setCurrentIndex(criterion.findText(QStringLiteral("Residual")));
    QVERIFY2(text().contains(QStringLiteral("corner")), qPrintable(text()));
    QCOMPARE(mark("corner, chosen"), corner);
    criterion.setCurrentIndex(usual);

    part<QPushButton>("useBest").click();
    const int id = w_->run(0);
    QCOMPARE(w_->model().run(id)->prior_params.real("weight"), best->value);
    WAIT_FOR(w_->state(id) == RunState::finished);
    QVERIFY(std::abs(w_->metric(id, "rmse") - rmse(*best)) < 1e-6 * rmse(*best));
  }

  /// The run's own value comes to those that were asked for, which is said; a value keeps its
  /// digits. What has no L-curve leaves its room to the other chart.
  void theRunsOwnValueIsSaid() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    const auto charts = board().findChildren<ChartView*>();
    QVERIFY(charts[0]->isVisible() && charts[1]->isVisible());  // of a weight
    window().runs().selectRun(w_->run(1));
    board().chooseParam(QStringLiteral("solver:relaxation"));
    QVERIFY(charts[0]->isVisible() && !charts[1]->isVisible());
    constexpr double own = 1;  // of SIRT, unless another one is set
    QCOMPARE(w_->controller().label(w_->run(1)), std::string("SIRT, λ 1"));
    QCOMPARE(part<QDoubleSpinBox>("sweepTo").text(), QStringLiteral("1.999"));
    part<QDoubleSpinBox>("sweepFrom").setValue(0.95 * own);
    part<QDoubleSpinBox>("sweepTo").setValue(1.999 * own);
    part<QSpinBox>("sweepCount").setValue(3);
    part<QSpinBox>("sweepIterations").setValue(1);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 4 && !board().isBusy());
    WAIT_FOR(text().contains(QStringLiteral("the run's own value is one more")));
    QVERIFY(!charts[1]->isVisible());
    const QString last = board().findChildren<SliceView*>()[3]->toolTip();
    QVERIFY2(last.startsWith(QString::number(1.999 * own) + QLatin1Char('\n')), qPrintable(last));
    part<QSpinBox>("sweepCount").setValue(2);
    part<QDoubleSpinBox>("sweepFrom").setValue(own);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 2 && !board().isBusy());
    WAIT_FOR(!text().contains(QStringLiteral("one more")));
  }

  /// Below small pictures there are no lines of text: the header has the value and the metric, and
  /// the tool tip all of it.
  void smallPicturesHaveOneLine() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    const auto boxes = board().findChildren<QSpinBox*>();
    (*std::ranges::find(boxes, QStringLiteral(" values"), &QSpinBox::suffix))->setValue(25);
    part<QSpinBox>("sweepIterations").setValue(1);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 25 && !board().isBusy());
    QCoreApplication::processEvents();
    int briefs = 0;
    for (const SliceView* view : board().findChildren<SliceView*>()) {
      const SliceLayout& layout = view->slice().layout();
      QVERIFY(!layout.status_in_picture);
      QVERIFY(layout.status_in_header || layout.brief_in_header);
      briefs += layout.brief_in_header ? 1 : 0;
      QVERIFY2(view->toolTip().contains(QStringLiteral("\nRMSE 0.")), qPrintable(view->toolTip()));
    }
    QVERIFY(briefs > 12);
  }

  /// A very long sweep asks: before it starts, where the time of an iteration is known, else when
  /// its first iterations tell it.
  void aVeryLongSweepAsks() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    board().setLongSeconds(0);
    auto& start = part<QPushButton>("startSweep");
    auto& iterations = part<QSpinBox>("sweepIterations");
    iterations.setValue(1'000'000);
    start.click();
    WAIT_FOR(w_->bannerButton(QStringLiteral("Cancel it")) != nullptr);
    QVERIFY(board().isBusy());
    QVERIFY2(w_->bannerText().contains(QStringLiteral(": 9 values with 1000000 iterations each")),
             qPrintable(w_->bannerText()));
    w_->bannerButton(QStringLiteral("Let it go on"))->click();
    QVERIFY(board().isBusy() && w_->bannerTexts().isEmpty());
    start.click();
    QVERIFY(!board().isBusy());

    const int id = w_->run(0);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    start.click();
    WAIT_FOR(w_->bannerButton(QStringLiteral("Start it")) != nullptr);
    QVERIFY(!board().isBusy());
    w_->bannerButton(QStringLiteral("Do not start"))->click();
    QVERIFY(!board().isBusy() && w_->bannerTexts().isEmpty());
    start.click();  // nothing is remembered
    w_->bannerButton(QStringLiteral("Start it"))->click();
    WAIT_FOR(board().isBusy() && text().contains(QStringLiteral(" left")));  // it has told its time
    QVERIFY(w_->bannerTexts().isEmpty());
    start.click();

    board().setLongSeconds(600);
    iterations.setValue(1);
    start.click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    QVERIFY(w_->bannerTexts().isEmpty());
  }

  /// The question is about the settings as they were: what would start with others is asked anew.
  void otherSettingsTakeTheQuestionBack() {
    const int id = w_->run(0);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    window().applyLayout(WindowLayout::sweep);
    board().setLongSeconds(0);
    const auto ask = [&] {
      part<QPushButton>("startSweep").click();
      WAIT_FOR(w_->bannerButton(QStringLiteral("Start it")) != nullptr);
    };
    ask();
    part<QSpinBox>("sweepIterations").stepUp();
    QVERIFY(w_->bannerTexts().isEmpty() && !board().isBusy());
    ask();
    part<QSpinBox>("sweepCount").stepUp();
    QVERIFY(w_->bannerTexts().isEmpty() && !board().isBusy());
    ask();
    window().runs().selectRun(w_->run(1));
    QVERIFY(w_->bannerTexts().isEmpty() && !board().isBusy());
  }

  /// What comes before the first report is set-up, and does not repeat with every iteration.
  void theTimeOfASweepCountsItsSetUpOnce() {
    QVERIFY(!seconds_of_all({0.1, 100}, {0.1, 100}));
    QCOMPARE(*seconds_of_all({0.25, 100}, {0.5, 101}), 103.0);
  }

  /// The residual falls with every value that fits the noise better: no value is marked by it.
  void whatSaysNotWhichIsBestIsSaid() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().runs().selectRun(w_->run(1));
    window().applyLayout(WindowLayout::sweep);
    auto& criterion = part<QComboBox>("sweepCriterion");
    criterion.setCurrentIndex(criterion.findText(QStringLiteral("Residual")));
    part<QSpinBox>("sweepIterations").setValue(1);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    WAIT_FOR(text() == QStringLiteral("9 of 9 computed; the residual does not say which is best: "
                                      "choose a picture"));
    QVERIFY(!part<QPushButton>("useBest").isEnabled());

    // Of two points of an L-curve none is a corner.
    window().runs().selectRun(w_->run(0));
    QVERIFY(part<QComboBox>("sweepParam").currentText().contains(QStringLiteral("Weight")));
    part<QSpinBox>("sweepIterations").setValue(1);
    auto* count = board().findChildren<QSpinBox*>().first();
    for (QSpinBox* box : board().findChildren<QSpinBox*>())
      if (box->accessibleName() == QStringLiteral("Number of values")) count = box;
    count->setValue(2);
    auto& from = part<QDoubleSpinBox>("sweepFrom");
    from.setValue(part<QDoubleSpinBox>("sweepTo").value() / 2);  // the present value is below
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 2 && !board().isBusy());
    WAIT_FOR(text() == QStringLiteral("2 of 2 computed; the L-curve has no corner within this "
                                      "range: choose a picture"));
  }

  /// A value of the scan makes other data, which end the sweep: its run is seen where runs are.
  void aValueOfTheScanLeadsToItsRun() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    board().chooseParam(QStringLiteral("scan:views"));
    part<QSpinBox>("sweepIterations").setValue(2);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    const auto rmse = [](const SweepPoint& point) { return point.last().metrics.at("rmse"); };
    const double best = std::ranges::min_element(board().points(), {}, rmse)->value;
    part<QPushButton>("useBest").click();
    QCOMPARE(window().layout(), WindowLayout::compare);
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    QCOMPARE(w_->controller().data()->geometry->views(), static_cast<int>(best));
  }

  /// The value is there, so nothing is computed again; other data end the sweep.
  void whatIsDoneOrOfOtherDataIsNotUsed() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    part<QPushButton>("useBest").click();
    const int id = w_->run(0);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const int epoch = w_->controller().status(id).epoch;
    part<QPushButton>("useBest").click();
    QCOMPARE(w_->controller().status(id).epoch, epoch);
    QVERIFY2(text().contains(QStringLiteral("has this value already")), qPrintable(text()));
    part<QPushButton>("startSweep").click();  // other data arrive while it computes
    w_->openSmall();
    WAIT_FOR(board().points().empty() && !board().isBusy());
    QVERIFY(!part<QPushButton>("useBest").isEnabled());
  }

  /// A picture is chosen and enlarged by keys; the run takes over what it shows and goes on to its
  /// last iteration; undo, in one step, brings back what the run had.
  void aChosenPictureIsEnlargedAndTakenOver() {
    const int id = w_->run(0);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const double before = w_->metric(id, "rmse");
    window().applyLayout(WindowLayout::sweep);
    part<QSpinBox>("sweepIterations").setValue(5);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    auto& grid = part<SweepGrid>("sweepPictures");
    const auto shown = [&] {
      const auto views = grid.findChildren<SliceView*>();
      return std::ranges::count_if(views, [](SliceView* view) { return view->isVisible(); });
    };
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(grid.chosen(), 2);
    QTest::keyClick(&grid, Qt::Key_Return);
    QVERIFY(grid.isEnlarged());
    QCOMPARE(shown(), 1);
    QTest::keyClick(&grid, Qt::Key_Escape);
    QCOMPARE(shown(), 9);
    auto* third = grid.findChildren<SliceView*>()[2];
    QTest::mouseDClick(third, Qt::LeftButton, {}, third->rect().center());
    QVERIFY(grid.isEnlarged() && third->isVisible());

    const SweepPoint point = board().points()[2];
    part<QPushButton>("useBest").click();
    QCOMPARE(w_->model().run(id)->prior_params.real("weight"), point.value);
    WAIT_FOR(w_->state(id) == RunState::finished && w_->iterations(id) == 15);
    const auto& history = w_->controller().status(id).history;
    for (std::size_t i = 0; i < 5; ++i)
      QCOMPARE(history[i].report.seconds, point.history[i].report.seconds);  // not computed again
    // As if it had been computed in one go.
    ReconstructionJob alone(*w_->model().run(id), w_->controller().data(),
                            w_->model().experiment().metrics, w_->program.catalog,
                            w_->program.backends, nullptr);
    while (!alone.finished()) alone.advance();
    std::vector<float> taken;
    w_->controller().requestVolume(
        id, [&](const std::shared_ptr<const std::vector<float>>& mu, int) { taken = *mu; });
    WAIT_FOR(!taken.empty());
    QVERIFY(taken == alone.solution());
    w_->model().undoStack().undo();
    QCOMPARE(w_->metric(id, "rmse"), before);
    QVERIFY(w_->model().run(id)->prior_params.values().empty() && w_->controller().isCurrent(id));
  }

  /// One click beside the field of a parameter, of the prior or of the scan.
  void aFieldAsksForASweep() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    const auto press = [this](const char* name) {
      auto* button = window().findChild<QToolButton*>(QLatin1String(name));
      QVERIFY2(button != nullptr && !button->accessibleName().isEmpty() &&
                   button->focusPolicy() != Qt::NoFocus,
               name);
      window().applyLayout(WindowLayout::compare);
      button->click();
      QVERIFY(board().isVisible());
    };
    press("sweep_inner");
    QCOMPARE(part<QComboBox>("sweepParam").currentData().toString(),
             QStringLiteral("solver:inner"));
    press("sweep_weight");
    QCOMPARE(part<QComboBox>("sweepParam").currentData().toString(),
             QStringLiteral("prior:weight"));
    board().chooseParam(QStringLiteral("scan:views"));
    part<QDoubleSpinBox>("sweepFrom").setValue(10);
    part<QDoubleSpinBox>("sweepTo").setValue(90);
    part<QSpinBox>("sweepIterations").setValue(2);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    QCOMPARE(board().points().front().data->geometry->views(), 10);
    QCOMPARE(board().points().back().data->geometry->views(), 90);
    part<SweepGrid>("sweepPictures").choose(0);
    part<QPushButton>("useBest").click();  // other data: the run starts with them
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    QCOMPARE(w_->controller().data()->geometry->views(), 10);
  }

  void anImpossibleRangeIsToldAndASweepIsCancelled() {
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::sweep);
    part<QDoubleSpinBox>("sweepFrom").setValue(5);
    part<QDoubleSpinBox>("sweepTo").setValue(1);
    part<QPushButton>("startSweep").click();
    QVERIFY2(text().contains(QStringLiteral("range of the sweep is empty")), qPrintable(text()));
    part<QDoubleSpinBox>("sweepTo").setValue(50);
    part<QSpinBox>("sweepIterations").setValue(100000);
    part<QPushButton>("startSweep").click();
    QCOMPARE(part<QPushButton>("startSweep").text(), QStringLiteral("Cancel"));
    part<QPushButton>("startSweep").click();
    WAIT_FOR(part<QPushButton>("startSweep").text() == QStringLiteral("Start the sweep"));
    QVERIFY(board().points().empty());
  }
};

GANTRY_TEST(TestSweepBoard)
#include "test_sweep_board.moc"
