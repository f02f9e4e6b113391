// The workspace Sweep: a penalty's weight is varied, the best is marked and put into the run.
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/sweep_board.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>

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

  void withoutDataItSaysWhatToDo() {
    window().applyLayout(WindowLayout::sweep);
    part<QPushButton>("startSweep").click();
    QVERIFY2(text().contains(QStringLiteral("start a run first")), qPrintable(text()));
  }

  void theBestIsFoundAndUsed() {
    w_->controller().prepareData();
    WAIT_FOR(w_->controller().data() != nullptr && !w_->controller().isPreparing());
    window().applyLayout(WindowLayout::sweep);
    QVERIFY(board().isVisible() && !window().board().isVisible());
    QVERIFY(part<QComboBox>("sweepParam").currentText().contains(QStringLiteral("Weight")));
    QVERIFY(!part<QPushButton>("useBest").isEnabled());
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());

    const auto rmse = [](const SweepPoint& point) { return point.last.metrics.at("rmse"); };
    const auto best = std::ranges::min_element(board().points(), {}, rmse);
    QVERIFY2(text().contains(QStringLiteral("least RMSE")) &&
                 text().contains(QString::number(best->value, 'g', 3)),
             qPrintable(text()));
    const auto views = board().findChildren<SliceView*>();
    QCOMPARE(std::ranges::count_if(views, [](SliceView* view) { return view->isVisible(); }), 9);
    for (std::size_t i = 0; i < 9; ++i)
      QVERIFY(views[static_cast<qsizetype>(i)]->slice().image()->values ==
              board().points()[i].image);

    part<QPushButton>("useBest").click();
    const int id = w_->run(0);
    QCOMPARE(w_->model().run(id)->prior_params.real("weight"), best->value);
    WAIT_FOR(w_->state(id) == RunState::finished);
    QVERIFY(std::abs(w_->metric(id, "rmse") - rmse(*best)) < 1e-6 * rmse(*best));
  }

  /// The value is there, so nothing is computed again; other data end the sweep.
  void whatIsDoneOrOfOtherDataIsNotUsed() {
    w_->controller().prepareData();
    WAIT_FOR(w_->controller().data() != nullptr && !w_->controller().isPreparing());
    window().applyLayout(WindowLayout::sweep);
    part<QPushButton>("startSweep").click();
    WAIT_FOR(board().points().size() == 9 && !board().isBusy());
    part<QPushButton>("useBest").click();
    const int id = w_->run(0);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const int epoch = w_->controller().status(id).epoch;
    part<QPushButton>("useBest").click();
    QCOMPARE(w_->controller().status(id).epoch, epoch);
    QVERIFY2(text().contains(QStringLiteral("has the best value already")), qPrintable(text()));
    part<QPushButton>("startSweep").click();  // other data arrive while it computes
    w_->openSmall();
    WAIT_FOR(board().points().empty() && !board().isBusy());
    QVERIFY(!part<QPushButton>("useBest").isEnabled());
  }

  void anImpossibleRangeIsToldAndASweepIsCancelled() {
    w_->controller().prepareData();
    WAIT_FOR(w_->controller().data() != nullptr && !w_->controller().isPreparing());
    window().applyLayout(WindowLayout::sweep);
    part<QDoubleSpinBox>("sweepFrom").setValue(5);
    part<QDoubleSpinBox>("sweepTo").setValue(1);
    part<QPushButton>("startSweep").click();
    QVERIFY2(text().contains(QStringLiteral("range of the sweep is empty")), qPrintable(text()));
    part<QDoubleSpinBox>("sweepTo").setValue(50);
    w_->model().editRun(w_->run(0), QStringLiteral("long"),
                        [](RunSpec& run) { run.iterations = 100000; });
    part<QPushButton>("startSweep").click();
    QCOMPARE(part<QPushButton>("startSweep").text(), QStringLiteral("Cancel"));
    part<QPushButton>("startSweep").click();
    WAIT_FOR(part<QPushButton>("startSweep").text() == QStringLiteral("Start the sweep"));
    QVERIFY(board().points().empty());
  }
};

GANTRY_TEST(TestSweepBoard)
#include "test_sweep_board.moc"
