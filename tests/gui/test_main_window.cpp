// The window's manners: linked views, keys, undo, changed runs, lessons, tour, messages, files.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/lessons.hpp"
#include "gui/help/tour.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/start/start_page.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/figure.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QProcess>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestMainWindow : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  MainWindow& window() { return *w_->window; }
  void openSmall() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
  }
  void runAll() {
    window().runActions().run()->trigger();
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
  }
  void key(Qt::Key k, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&window(), k, modifiers);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    window().activateWindow();
    window().setFocus();
  }
  void cleanup() { w_.reset(); }

  void readyExperimentStartsByItself() {
    window().openReadyExperiment();
    WAIT_FOR(w_->model().runIds().size() == 2 && w_->iterations(w_->run(0)) >= 1 &&
             w_->iterations(w_->run(1)) >= 1);
    QCOMPARE(window().board().tiles().size(), std::size_t{3});  // the truth and both runs
    WAIT_FOR(window().board().tiles()[1]->view().slice().image() != nullptr);
    QVERIFY(w_->metric(w_->run(0), "rmse") <
            w_->metric(w_->run(1), "rmse"));  // SART is ahead from the first iteration
    const auto& series = window().convergence().chart().chart().model().series();
    QCOMPARE(series.size(), std::size_t{2});
    QVERIFY(!series.front().xs.empty());
  }

  void runsTakeTurns() {
    openSmall();
    runAll();
    QCOMPARE(w_->iterations(w_->run(0)), 50);
    QCOMPARE(w_->iterations(w_->run(1)), 50);
    for (const int id : w_->model().runIds())
      for (std::size_t i = 0; i < 50; ++i)
        QCOMPARE(w_->controller().status(id).history[i].report.iteration, static_cast<int>(i) + 1);
  }

  void keysControlRuns() {
    openSmall();
    w_->model().edit(QStringLiteral("long"), [](Experiment& e) {
      for (RunSpec& run : e.runs) run.iterations = 100000;
    });
    const int id = w_->run(0);
    key(Qt::Key_Space);
    WAIT_FOR(w_->iterations(id) > 2);
    key(Qt::Key_Space);
    WAIT_FOR(w_->state(id) == RunState::paused && w_->state(w_->run(1)) == RunState::paused);
    const int before = w_->iterations(id);
    key(Qt::Key_S);
    WAIT_FOR(w_->iterations(id) == before + 1);
    WAIT_FOR(w_->state(id) == RunState::paused);
    key(Qt::Key_S, Qt::ShiftModifier);
    WAIT_FOR(w_->controller().status(id).snapshot->part_of_iteration >
             0);  // SART: one view of the next iteration
    QCOMPARE(w_->iterations(id), before + 1);
    window().runActions().stopAndKeep()->trigger();
    WAIT_FOR(w_->state(id) == RunState::stopped);
    window().runActions().discard()->trigger();
    WAIT_FOR(w_->state(id) == RunState::idle);
    QVERIFY(w_->controller().status(id).history.empty());
  }

  void continuingAddsIterations() {
    openSmall();
    w_->model().edit(QStringLiteral("few"), [](Experiment& e) {
      for (RunSpec& run : e.runs) run.iterations = 3;
    });
    runAll();
    window().runActions().extend()->trigger();
    WAIT_FOR(w_->iterations(w_->run(0)) == 3 + extendBy &&
             w_->state(w_->run(0)) == RunState::finished);
  }

  void disabledControlsSayWhy() {
    w_->model().reset(Experiment{}, {});
    for (QAction* action : {window().runActions().run(), window().runActions().pause(),
                            window().runActions().stopAndKeep(), window().runActions().extend()}) {
      QVERIFY(!action->isEnabled());
      QVERIFY2(action->toolTip().contains(QStringLiteral("There is no run: add one")),
               qPrintable(action->toolTip()));
    }
    openSmall();
    QVERIFY(window().runActions().run()->isEnabled());
    QVERIFY(
        window().runActions().pause()->toolTip().contains(QStringLiteral("Nothing is running")));
    runAll();
    QVERIFY(!window().runActions().run()->isEnabled());
    QVERIFY(window().runActions().run()->toolTip().contains(QStringLiteral("Finished")));
  }

  void viewsMoveTogetherUnlessUnlinked() {
    openSmall();
    runAll();
    const auto tiles = window().board().tiles();
    SliceView& first = tiles[1]->view();
    const QPoint centre = first.rect().center();
    QTest::mousePress(&first, Qt::LeftButton, {}, centre);
    QTest::mouseMove(&first, centre + QPoint(60, 0));
    QTest::mouseMove(&first, centre + QPoint(60, -30));
    QTest::mouseRelease(&first, Qt::LeftButton, {}, centre + QPoint(60, -30));
    for (SliceTile* tile : tiles) {
      QCOMPARE(tile->view().slice().window(), first.slice().window());
      QCOMPARE(tile->view().slice().level(), first.slice().level());
    }
    QVERIFY(!window().viewState().windowIsAutomatic());
    tiles[2]->findChild<QToolButton*>(QStringLiteral("tileLink"))->click();
    QVERIFY(!tiles[2]->isLinked());
    const double before = tiles[2]->view().slice().window();
    window().viewState().setWindowLevel(2 * before, 0.02);
    QCOMPARE(tiles[0]->view().slice().window(), 2 * before);
    QCOMPARE(tiles[2]->view().slice().window(), before);
    key(Qt::Key_A);
    QVERIFY(window().viewState().windowIsAutomatic());
  }

  void differencesAreCentredOnZero() {
    openSmall();
    runAll();
    SliceTile* tile = window().board().tiles()[2];
    hover(tile->view(), tile->view().rect().center());
    window().board().focusTile(tile->id());
    key(Qt::Key_D);
    QVERIFY(tile->showsDifference());
    QCOMPARE(tile->view().slice().colourMap(), ColourMap::diverging);
    QCOMPARE(tile->view().slice().level(), 0.0);
    const auto reference = window().board().slice(SliceTile::referenceId, Axis::axial, 0),
               estimate = window().board().slice(tile->id(), Axis::axial, 0);
    const auto shown = tile->view().slice().image();
    for (std::size_t i = 0; i < shown->values.size(); i += 37)
      QCOMPARE(shown->values[i], estimate->values[i] - reference->values[i]);
    key(Qt::Key_D);
    QVERIFY(!tile->showsDifference());
  }

  void numberKeysAndDoubleClickShowOneView() {
    openSmall();
    key(Qt::Key_2);
    const auto tiles = window().board().tiles();
    QCOMPARE(window().board().focusedTile(), tiles[1]->id());
    QVERIFY(tiles[1]->isVisible() && !tiles[0]->isVisible());
    QTest::mouseDClick(&tiles[1]->view(), Qt::LeftButton, {}, tiles[1]->view().rect().center());
    QVERIFY(tiles[0]->isVisible() && tiles[2]->isVisible());
  }

  void readoutGivesPlaceAndValue() {
    openSmall();
    SliceView& view = window().board().tiles()[0]->view();
    auto* readout = window().findChild<QLabel*>(QStringLiteral("statusReadout"));
    int moves = 0;  // the window may still be taking its place: what it does not see is moved again
    const auto read = [&] {
      const PointPx at = view.slice().worldToDisplay(-70, 0);  // brain of the head
      hover(view, QPoint(static_cast<int>(at.x) + moves++ % 2, static_cast<int>(at.y)));
      return readout->text();
    };
    WAIT_FOR(!read().isEmpty());
    QVERIFY2(readout->text().contains(QStringLiteral("1/mm (50 HU)")),
             qPrintable(readout->text()));  // density 1.05
    QVERIFY(readout->text().contains(QStringLiteral("x -")));
  }

  void editsAreUndone() {
    openSmall();
    const Experiment before = w_->model().experiment();
    w_->model().edit(QStringLiteral("photons"),
                     [](Experiment& e) { e.noise.photons_per_ray = 5e4; });
    const int id = w_->model().addRun({});
    QCOMPARE(w_->model().runIds().size(), std::size_t{3});
    QCOMPARE(window().board().tiles().size(), std::size_t{4});
    key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w_->model().run(id) == nullptr);
    key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w_->model().experiment() == before);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w_->model().experiment().noise.photons_per_ray, 5e4);
  }

  void editingARunOffersRestartOrContinue() {
    openSmall();
    w_->model().edit(QStringLiteral("few"), [](Experiment& e) {
      for (RunSpec& run : e.runs) run.iterations = 4;
    });
    runAll();
    const int id = w_->run(1);
    window().runs().selectRun(id);
    w_->model().editRun(id, QStringLiteral("relaxation"), [](RunSpec& run) {
      run.solver_params.set("relaxation", 0.7);
      run.iterations = 9;
    });
    QCOMPARE(w_->iterations(id), 4);  // nothing starts by itself
    QVERIFY(!w_->controller().isCurrent(id));
    w_->controller().continueFromHere(id);
    WAIT_FOR(w_->iterations(id) == 9);
    QCOMPARE(w_->controller().status(id).history.back().report.iteration, 9);
    QVERIFY(w_->controller().isCurrent(id));
    w_->controller().start(id);
    WAIT_FOR(w_->iterations(id) == 9 && w_->state(id) == RunState::finished);
    QCOMPARE(w_->controller().status(id).history.front().report.iteration, 1);
  }

  void theWheelScrollsFormsAndChangesNothing() {
    openSmall();
    const Experiment before = w_->model().experiment();
    int fields = 0;
    for (const char* step : {"data", "scan", "runs"})
      for (QWidget* field :
           window().panels().rail().step(QLatin1String(step))->findChildren<QWidget*>())
        if (qobject_cast<QAbstractSpinBox*>(field) != nullptr ||
            qobject_cast<QComboBox*>(field) != nullptr) {
          field->setFocus();
          QWheelEvent notch(QPointF(5, 5), field->mapToGlobal(QPointF(5, 5)), {}, {0, -120},
                            Qt::NoButton, {}, Qt::NoScrollPhase, false);
          QApplication::sendEvent(field, &notch);
          ++fields;
        }
    QVERIFY(fields > 10);
    QVERIFY(w_->model().experiment() == before);
  }

  void settingsThatCannotWorkLoseNoEstimate() {
    openSmall();
    runAll();
    const int id = w_->run(0);
    const double rmse = w_->metric(id, "rmse");
    w_->model().editRun(id, QStringLiteral("to a device that is not there"),
                        [](RunSpec& run) { run.backend = "cuda"; });
    w_->controller().continueFromHere(id);
    WAIT_FOR(w_->state(id) == RunState::failed);
    w_->model().editRun(id, QStringLiteral("back, and further"), [](RunSpec& run) {
      run.backend = "auto";
      run.iterations += 1;
    });
    QVERIFY(w_->controller().status(id).hasEstimate());
    w_->controller().continueFromHere(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    QCOMPARE(w_->controller().status(id).history.back().report.iteration,
             w_->model().run(id)->iterations);
    QVERIFY(w_->metric(id, "rmse") < 1.2 * rmse);
  }

  void aPinnedRunBecomesTheReference() {
    openSmall();
    runAll();
    w_->controller().pinReference(w_->run(0));
    WAIT_FOR(w_->controller().reference()->label != "truth");
    window().runActions().extend()->trigger();
    WAIT_FOR(w_->iterations(w_->run(1)) == 60);
    w_->controller().pinReference(-1);
    QCOMPARE(w_->controller().reference()->label, std::string("truth"));
  }

  void sinogramShowsWhatTheEstimateWouldMeasure() {
    openSmall();
    runAll();
    window().runs().selectRun(w_->run(0));
    auto* mode = window().sinogram().findChild<QComboBox*>(QStringLiteral("sinogramMode"));
    mode->setCurrentIndex(2);  // residual
    WAIT_FOR(w_->controller().status(w_->run(0)).snapshot->projection != nullptr);
    const auto image = window().sinogram().view().slice().image();
    WAIT_FOR(window().sinogram().view().slice().image() != nullptr);
    const auto& data = *w_->controller().data();
    const auto& projected = *w_->controller().status(w_->run(0)).snapshot->projection;
    double residual = 0, measured = 0;
    for (std::size_t i = 0; i < projected.size(); ++i) {
      residual += std::pow(data.line_integrals[i] - projected[i], 2);
      measured += std::pow(data.line_integrals[i], 2);
    }
    QVERIFY(residual < 1e-3 * measured);
    const SliceImage& shown = *window().sinogram().view().slice().image();
    QCOMPARE(shown.values[100], data.line_integrals[100] - projected[100]);
  }

  void lessonsSetUpAndRun() {
    for (const Lesson& lesson : lessons()) {
      for (QAction* action : window().findChild<QMenu*>(QStringLiteral("lessons"))->actions())
        if (action->text() == lesson.title) action->trigger();
      WAIT_FOR(w_->model().experiment().title == lesson.experiment.title);
      for (const int id : w_->model().runIds()) WAIT_FOR(w_->iterations(id) >= 1);
      QVERIFY2(window().minimumSizeHint().width() <= 1280,
               qPrintable(QString::number(window().minimumSizeHint().width())));
    }
  }

  void theTourVisitsTwelveVisibleParts() {
    openSmall();
    QPointer<Tour> tour = window().startTour();
    QCOMPARE(tour->stopCount(), 12);
    for (int i = 0; i < 12; ++i) {
      QCOMPARE(tour->currentStop(), i);
      QVERIFY(tour->isVisible());
      QVERIFY(window().rect().contains(tour->geometry()));
      tour->next();
    }
    WAIT_FOR(tour.isNull());
  }

  void theCommandLineRunsASavedExperimentUnchanged() {
    openSmall();
    w_->model().edit(QStringLiteral("few"), [](Experiment& e) {
      for (RunSpec& run : e.runs) run.iterations = 3;
    });
    runAll();
    const QString path = folder_.filePath(QStringLiteral("experiment.json"));
    window().files().saveExperiment(path);
    QVERIFY(read_experiment(path.toStdString(), w_->program.catalog) == w_->model().experiment());
    QProcess cli;
    cli.start(QStringLiteral(GANTRY_CLI), {QStringLiteral("run"), path, QStringLiteral("--out"),
                                           folder_.filePath(QStringLiteral("cli"))});
    QVERIFY(cli.waitForFinished(120000));
    QCOMPARE(cli.exitCode(), 0);
    QFile curves(folder_.filePath(QStringLiteral("cli/curves.csv")));
    QVERIFY(curves.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(curves.readAll());
    // The same run gives the same numbers, in the window and without it.
    QVERIFY(text.contains(QString::fromStdString(format_param(w_->metric(w_->run(0), "rmse")))));
  }

  void aWindowWhoseFirstFileIsBadShowsTheStartPage() {
    window().open(QStringLiteral("/nowhere/scan.scan.json"));
    WAIT_FOR(window().startPage().isVisible());
    QVERIFY(w_->bannerText().contains(QStringLiteral("/nowhere/scan.scan.json")));
    QVERIFY(!window().runActions().run()->isEnabled());
  }

  void badFilesAreToldAndNothingIsLost() {
    openSmall();
    runAll();
    const auto data = w_->controller().data();
    QFile text(folder_.filePath(QStringLiteral("notes.dcm")));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("no image");
    text.close();
    QFile broken(folder_.filePath(QStringLiteral("broken.scan.json")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"format\": \"gantry-scan\", ");
    broken.close();
    write_scan(folder_.filePath(QStringLiteral("short.scan.json")).toStdString(), *data->geometry,
               data->line_integrals, "");
    QVERIFY(QFile::resize(folder_.filePath(QStringLiteral("short.f32")), 100));
    for (const char* name : {"notes.dcm", "broken.scan.json", "short.scan.json", "nothing.mha"}) {
      const QString told = QString::fromLatin1(name).replace(QStringLiteral("short.scan.json"),
                                                             QStringLiteral("short.f32"));
      window().open(folder_.filePath(QLatin1String(name)));
      QTRY_VERIFY2_WITH_TIMEOUT(
          w_->bannerText().contains(told),
          qPrintable(told + QStringLiteral(" is not in: ") + w_->bannerText()), 10000);
    }
    QVERIFY(w_->controller().data() == data);
    QCOMPARE(w_->iterations(w_->run(0)), 50);
    window().runActions().extend()->trigger();
    WAIT_FOR(w_->iterations(w_->run(0)) == 60);
  }

  void aRunStopsAtTheNoise() {
    openSmall();  // exact data: there is no noise to stop at
    auto* rule = window().findChild<QDoubleSpinBox*>(QStringLiteral("discrepancy"));
    WAIT_FOR(w_->controller().data() != nullptr && !rule->isEnabled());
    w_->model().edit(QStringLiteral("noise"), [](Experiment& e) { e.noise.photons_per_ray = 1e3; });
    w_->controller().prepareData();
    WAIT_FOR(rule->isEnabled());
    QCOMPARE(rule->text(), QStringLiteral("never"));
    rule->stepUp();
    rule->stepUp();
    const auto ruled = [&](int id) { return w_->model().run(id)->discrepancy == 1.02; };
    QCOMPARE(std::ranges::count_if(w_->model().runIds(), ruled), 1);
    const int id = *std::ranges::find_if(w_->model().runIds(), ruled);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const QString message = w_->controller().status(id).message;
    QVERIFY2(message.startsWith(QStringLiteral("stopped at the noise level")), qPrintable(message));
    const auto* line = window().findChild<QLabel*>(QStringLiteral("statusRuns"));
    WAIT_FOR(line->text().contains(QStringLiteral(", stopped at the noise level")));
  }

  void aFailedRunLeavesTheOthersAlone() {
    openSmall();
    RunSpec impossible;
    impossible.backend = "cuda";
    const int id = w_->model().addRun(impossible);
    for (const int run : w_->model().runIds()) w_->controller().start(run);
    WAIT_FOR(w_->state(id) == RunState::failed);
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    QVERIFY(w_->bannerText().contains(QStringLiteral("not available")));
    w_->model().removeRun(id);
    QVERIFY(w_->state(w_->run(0)) == RunState::finished);
  }

  void unwritableTargetsAreTold() {
    openSmall();
    runAll();
    window().files().saveVolume(w_->run(0), QStringLiteral("/proc/nowhere/volume.mha"));
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("/proc/nowhere")));
    window().files().saveScan(QStringLiteral("/proc/nowhere/x.scan.json"));
    WAIT_FOR(w_->bannerText().count(QStringLiteral("/proc/nowhere")) == 2);
  }

  void aGridThatDoesNotFitIsRefused() {
    openSmall();
    w_->model().edit(QStringLiteral("huge"), [](Experiment& e) {
      e.grid = VolumeGrid::centered(40000, 40000, 2000, {0.001, 0.001, 0.001});
    });
    w_->controller().prepareData();
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("needs")) &&
             w_->bannerText().contains(QStringLiteral("free")));
    QVERIFY(!w_->controller().isPreparing());
  }

  void figuresCarryCaptionAndPixels() {
    openSmall();
    runAll();
    SliceTile* tile = window().board().tiles()[1];
    const QImage picture = tile->view().grabImage(2);
    QCOMPARE(picture.width(), 2 * tile->view().width());
    const QImage figure = figure_with_caption(picture, tile->caption());
    QVERIFY(figure.height() > picture.height());
    QVERIFY2(tile->caption().contains(QStringLiteral("1/mm")), qPrintable(tile->caption()));
    const QString path = folder_.filePath(QStringLiteral("figure.png"));
    save_png(figure, path);
    QCOMPARE(QImage(path).size(), figure.size());
  }
};

GANTRY_TEST(TestMainWindow)
#include "test_main_window.moc"
