// Common tasks take few actions: clicks, keys, drags and choices of a file, made as a user makes
// them, and counted.
#include "core/io/volumes/volume_file.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/region_table.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/counted_user.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QDockWidget>
#include <QFileDialog>
#include <QTimer>
#include <QToolBar>

#include <algorithm>
#include <filesystem>

using namespace gantry;
using namespace gantry::test;

class TestTasks : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<CountedUser> user_;

  MainWindow& window() { return *w_->window; }
  SliceView& view() { return window().board().tiles().back()->view(); }

  void dragOver(SliceView& view, double from_u, double from_v, double to_u, double to_v) {
    const auto at = [&](double u, double v) {
      const PointPx p = view.slice().worldToDisplay(u, v);
      return QPoint(static_cast<int>(p.x), static_cast<int>(p.y));
    };
    user_->does([&] { drag(view, Qt::LeftButton, at(from_u, from_v), at(to_u, to_v)); });
  }
  /// The next dialog for a file gets this name and, of the kinds of file, the one with this word.
  void chooseFile(const QString& path, const QString& kind) {
    auto* answers = new QTimer(this);
    connect(answers, &QTimer::timeout, this, [path, kind, answers] {
      auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (files == nullptr) return;
      answers->deleteLater();
      files->selectNameFilter(files->nameFilters().filter(kind).value(0));
      files->selectFile(path);
      QMetaObject::invokeMethod(files, "accept");
    });
    user_->does([answers] { answers->start(5); });
  }
  /// The card of the run with the least error.
  RunCard* best() {
    const int id = std::ranges::min(w_->model().runIds(), {},
                                    [this](int run) { return w_->metric(run, "rmse"); });
    for (RunCard* card : window().findChildren<RunCard*>())
      if (card->id() == id) return card;
    return nullptr;
  }

 private slots:
  void init() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    WAIT_FOR(view().slice().image() != nullptr && w_->isDrawn(view()));
    user_ = std::make_unique<CountedUser>(window());
  }
  void cleanup() { w_.reset(); }

  void profileOfAllRuns() {
    user_->press(Qt::Key_L);
    dragOver(view(), -80, 0, 80, 10);
    const ChartView& chart = window().profile().chart();
    // A panel behind another tab counts as visible for Qt, which moves it out of the window.
    WAIT_FOR(window().rect().contains(chart.mapTo(&window(), chart.rect().center())));
    WAIT_FOR(chart.chart().model().series().size() == 3);
    for (const ChartSeries& curve : chart.chart().model().series()) QVERIFY(curve.xs.size() > 20);
    QVERIFY(user_->actions() <= 2);
  }

  void meanAndDeviationOfARegionInAllRuns() {
    auto& bar = w_->part<QToolBar>("inspectorBar");
    user_->click(*bar.widgetForAction(w_->part<QDockWidget>("measure").toggleViewAction()));
    auto* table = window().findChild<RegionTable*>();
    WAIT_FOR(table->isVisible());
    user_->click(QStringLiteral("Draw"));
    dragOver(view(), -30, 0, 10, 0);  // Wide enough to hold several materials of the phantom.
    WAIT_FOR(table->topLevelItemCount() == 3);  // the truth and two runs
    for (int i = 0; i < 3; ++i)
      for (const int column : {2, 3}) QVERIFY(table->topLevelItem(i)->text(column).toDouble() > 0);
    QVERIFY(user_->actions() <= 3);
  }

  void saveTheBestResult_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("TIFF") << QStringLiteral("best.tif");
    QTest::newRow("DICOM") << QStringLiteral("best");
  }
  void saveTheBestResult() {
    QFETCH(QString, name);
    window().files().setAsksUser(true);
    RunCard* card = best();
    QVERIFY(card != nullptr);
    user_->click(*card);
    chooseFile(folder_.filePath(name), QString::fromUtf8(QTest::currentDataTag()));
    user_->press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    const std::string path = folder_.filePath(name).toStdString();
    WAIT_FOR(std::filesystem::exists(path));
    window().files().setAsksUser(false);
    const LoadedVolume saved = load_volume(path);
    const auto slice = window().board().slice(card->id(), Axis::axial, 0);
    QCOMPARE(saved.mu.size(), slice->values.size());
    for (std::size_t i = 0; i < saved.mu.size(); ++i)
      QVERIFY(std::abs(saved.mu[i] - slice->values[i]) < 2e-5);
    QVERIFY(user_->actions() <= 3);
  }
};

GANTRY_TEST(TestTasks)
#include "test_tasks.moc"
