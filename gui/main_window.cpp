#include "gui/main_window.hpp"

#include "gui/data/file_actions.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/source_panel.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/matrix/matrix_explorer.hpp"
#include "gui/runs/run_actions.hpp"
#include "gui/runs/run_editor.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/runs/status_line.hpp"
#include "gui/scan/geometry_panel.hpp"
#include "gui/stage/measure_panel.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/view_bar.hpp"
#include "gui/stage/view_keys.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/geometry_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/scrolled_panel.hpp"
#include "gui/worker/room_check.hpp"

#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace gantry {

namespace {

constexpr int layoutVersion = 2;  // of the stored window state
const QString dataSubject = QStringLiteral("data"), dataFailure = QStringLiteral("data failed");

}  // namespace

MainWindow::MainWindow(const Catalog& catalog, const BackendList& backends, const QString& version)
    : catalog_(catalog),
      backends_(backends),
      version_(version),
      controller_(catalog, backends, model_) {
  setObjectName(QStringLiteral("MainWindow"));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  model_.reset(ready_experiment(), {});
  makeCentre();
  makeDocks();
  files_ = new FileActions(catalog_, model_, controller_, this, version_);
  unsaved_ = new UnsavedWork(catalog_, model_, controller_, *files_, this);
  runActions_ = new RunActions(model_, controller_, this);
  status_ = new StatusLine(catalog_, backends_, model_, controller_, statusBar());
  makeToolBar();
  makeMenus();
  makeShortcuts();
  new ViewKeys(this, [this]() -> QWidget* {
    SliceTile* tile = board_->activeTile();
    return tile != nullptr ? &tile->view() : nullptr;
  });
  connectParts();
  connectMessages();
  resize(QSize(1400, 900).boundedTo(screen()->availableSize()));
  applyLayout(0);
  rememberLayout();
  updateTitle();
}

MainWindow::~MainWindow() {
  // Parts that hide on their way out tell the controller; it must still be there.
  hide();
  qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void MainWindow::makeCentre() {
  auto* centre = new QWidget(this);
  banners_ = new Banners(centre);
  lessonStrip_ = new LessonStrip(centre);
  board_ = new SliceBoard(catalog_, model_, controller_, state_, centre);
  viewBar_ = new ViewBar(state_, centre);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(2, 2, 2, 2);
  layout->addWidget(lessonStrip_);
  layout->addWidget(banners_);
  layout->addWidget(board_, 1);
  layout->addWidget(viewBar_);
  setCentralWidget(centre);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content,
                                 Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(content);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::makeDocks() {
  source_ = new SourcePanel(catalog_, model_);
  geometry_ = new GeometryPanel(model_);
  sketch_ = new GeometryView;
  sketch_->setMinimumHeight(150);
  sketch_->setToolTip(
      tr("Drag to turn, Ctrl and the wheel to zoom, double click to see everything.\n"
         "S source, D detector with its columns u and rows v, t the way of the source"));
  auto* experiment = new QWidget;
  auto* column = new QVBoxLayout(experiment);
  column->setContentsMargins(4, 4, 4, 4);
  column->addWidget(source_);
  column->addWidget(sketch_, 1);
  column->addWidget(geometry_);
  experimentDock_ = addDock(QStringLiteral("experiment"), tr("Experiment"),
                            new ScrolledPanel(experiment), Qt::LeftDockWidgetArea);

  runs_ = new RunsPanel(catalog_, model_, controller_);
  editor_ = new RunEditor(catalog_, backends_, model_, controller_);
  auto* runs = new QWidget;
  auto* run_column = new QVBoxLayout(runs);
  run_column->setContentsMargins(4, 4, 4, 4);
  run_column->addWidget(runs_);
  run_column->addWidget(editor_, 1);
  runsDock_ =
      addDock(QStringLiteral("runs"), tr("Runs"), new ScrolledPanel(runs), Qt::LeftDockWidgetArea);

  convergence_ = new ConvergencePanel(catalog_, model_, controller_);
  convergenceDock_ = addDock(QStringLiteral("convergence"), tr("Convergence"), convergence_,
                             Qt::RightDockWidgetArea);
  profile_ = new ProfilePanel(catalog_, model_, *board_, state_);
  profileDock_ =
      addDock(QStringLiteral("profile"), tr("Profile"), profile_, Qt::RightDockWidgetArea);
  measureDock_ =
      addDock(QStringLiteral("measure"), tr("Measure"),
              new MeasurePanel(catalog_, model_, controller_, state_), Qt::RightDockWidgetArea);
  histogram_ = new HistogramPanel(*board_, state_);
  histogramDock_ =
      addDock(QStringLiteral("histogram"), tr("Histogram"), histogram_, Qt::RightDockWidgetArea);
  auto* notes = new NotesPanel(catalog_, model_, controller_);
  connect(banners_, &Banners::movedOut, notes, &NotesPanel::addMessage);
  notesDock_ = addDock(QStringLiteral("notes"), tr("Notes"), notes, Qt::RightDockWidgetArea);
  sinogram_ = new SinogramPanel(catalog_, model_, controller_);
  sinogramDock_ =
      addDock(QStringLiteral("sinogram"), tr("Sinogram"), sinogram_, Qt::BottomDockWidgetArea);
  matrix_ = new MatrixExplorer(catalog_, backends_, model_, controller_);
  matrixDock_ = addDock(QStringLiteral("matrix"), tr("Matrix"), matrix_, Qt::BottomDockWidgetArea);
  matrixDock_->setFloating(true);
  matrixDock_->hide();
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void MainWindow::makeToolBar() {
  auto* bar = addToolBar(tr("Runs"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setIconSize({16, 16});
  bar->addAction(files_->openAction());
  bar->addAction(files_->saveAction());
  bar->addSeparator();
  auto* whom = new QComboBox(bar);
  whom->setObjectName(QStringLiteral("targetRuns"));
  whom->addItems({tr("All runs"), tr("Selected run")});
  whom->setToolTip(tr("Whom the buttons to the right mean"));
  connect(whom, &QComboBox::currentIndexChanged, this,
          [this](int index) { runActions_->setAllRuns(index == 0); });
  bar->addWidget(whom);
  for (QAction* action :
       {runActions_->run(), runActions_->pause(), runActions_->stepIteration(),
        runActions_->stepSubset(), runActions_->stopAndKeep(), runActions_->extend()})
    bar->addAction(action);
  bar->addAction(editor_->compareAction());
  auto* refusal = new ElidingLabel(bar);
  refusal->setObjectName(QStringLiteral("runRefusal"));
  QAction* shown = bar->addWidget(refusal);
  shown->setVisible(false);
  auto* room = new RoomCheck(catalog_, backends_, model_, controller_, this);
  // At the next turn of the event loop: until then all parts know of an edit.
  connect(
      runActions_, &RunActions::enabledAnew, room,
      [this, room] { room->ask(runActions_->startsAnew()); }, Qt::QueuedConnection);
  connect(room, &RoomCheck::refused, this, [this, refusal, shown](const QString& why) {
    refusal->setText(why);
    refusal->setToolTip(why);
    shown->setVisible(!why.isEmpty());
    runActions_->setRefusal(why);
  });
}

void MainWindow::connectParts() {
  const auto show_selected = [this](int id) {
    editor_->setRun(id);
    runActions_->setSelectedRun(id);
    status_->setSelectedRun(id);
    files_->setSelectedRun(id);
    sinogram_->setRun(id);
    matrix_->setRun(id);
  };
  connect(runs_, &RunsPanel::selectionChanged, this, show_selected);
  show_selected(runs_->selectedRun());  // selected before anybody listened
  connect(runs_, &RunsPanel::menuRequested, this, [this](int id, const QPoint& global) {
    QMenu* menu = runMenu(id);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(global);
  });
  connect(editor_, &RunEditor::added, runs_, &RunsPanel::selectRun);
  connect(source_, &SourcePanel::openScanRequested, files_, &FileActions::chooseScan);
  connect(source_, &SourcePanel::openVolumeRequested, files_, &FileActions::chooseVolume);
  connect(geometry_, &GeometryPanel::shown, sketch_, &GeometryView::setGeometry);
  connect(sinogram_, &SinogramPanel::viewHovered, this,
          [this](int view) { sketch_->setView(std::max(0, view)); });
  connect(matrix_, &MatrixExplorer::viewChosen, sketch_, &GeometryView::setView);
  connect(board_, &SliceBoard::requestChanged, this, &MainWindow::sendRequest);
  connect(sinogram_, &SinogramPanel::wantsProjectionChanged, this, &MainWindow::sendRequest);
  connect(board_, &SliceBoard::readoutChanged, status_, &StatusLine::setReadout);
  connect(board_, &SliceBoard::menuRequested, this, &MainWindow::showMenuOf);
  connect(lessonStrip_, &LessonStrip::lessonChosen, this, &MainWindow::startLesson);
  connect(lessonStrip_, &LessonStrip::dismissed, lessonStrip_, &QWidget::hide);
  connect(&controller_, &RunController::dataChanged, this, [this] {
    const auto now = controller_.data();
    geometry_->setPrepared(now->rebinned_from ? now->rebinned_from : now->geometry, now->grid);
    source_->setSliceCount(now->source_slices);
    viewBar_->setGrid(now->grid);
  });
  connect(&controller_, &RunController::newsPassedOn, this, [this] {
    controller_.setDrawingCost(board_->paintMs() + convergence_->chart().lastPaintMs() +
                               (profile_->isVisible() ? profile_->chart().lastPaintMs() : 0));
  });
  connect(&model_, &ExperimentModel::changed, this, &MainWindow::updateTitle);
  connect(&controller_, &RunController::newsPassedOn, this, &MainWindow::updateTitle);
  connect(unsaved_, &UnsavedWork::changed, this, &MainWindow::updateTitle);
  files_->setGuard([this](const QString& act, std::function<void()> later) {
    return unsaved_->mayLose(act, std::move(later));
  });
  controller_.setReplacementQuestion(
      [this](const std::function<void()>& later) { return unsaved_->mayStillLose(later); });
  controller_.setLossQuestion([this](int id, const QString& act, const std::function<void()>& go) {
    if (unsaved_->mayLoseRun(id, act, go)) go();
  });
  connect(&model_, &ExperimentModel::aboutToBeReplaced, lessonStrip_, &LessonStrip::clearText);
  runs_->selectRun(model_.runIds().empty() ? -1 : model_.runIds().front());
  sendRequest();
}

void MainWindow::connectMessages() {
  connect(files_, &FileActions::failed, this, [this](const QString& what, const QString& message) {
    showSomething();
    banners_->show(what, Banners::Kind::error, message, what);
  });
  connect(files_, &FileActions::done, status_, &StatusLine::showMessage);
  connect(files_, &FileActions::remark, this, [this](const QString& message) {
    const QString subject = QStringLiteral("saved");
    if (message.isEmpty()) return banners_->clear(subject);
    banners_->show(subject, Banners::Kind::note, message);
  });
  connect(files_, &FileActions::busy, this,
          [this](const QString& what) { statusBar()->showMessage(what); });
  connect(geometry_, &GeometryPanel::problem, this, [this](const QString& message) {
    if (message.isEmpty()) return banners_->clear(tr("Geometry"));
    banners_->show(tr("Geometry"), Banners::Kind::error, message);
  });
  connect(&controller_, &RunController::dataProgress, this,
          [this](double done, const QString& what) {
            banners_->show(dataSubject, Banners::Kind::progress,
                           tr("%1: %2 %").arg(what).arg(100 * done, 0, 'f', 0));
          });
  connect(&controller_, &RunController::preparingChanged, this,
          [this] { banners_->clear(controller_.isPreparing() ? dataFailure : dataSubject); });
  connect(&controller_, &RunController::dataFailed, this, [this](const QString& message) {
    showSomething();
    banners_->show(dataFailure, Banners::Kind::error, message,
                   tr("While preparing the data. What was there before is unchanged."));
  });
  connect(&controller_, &RunController::dataChanged, this, [this] {
    banners_->clear(QStringLiteral("notes"));
    shownNotes_.clear();
    showNotes();
  });
  connect(&model_, &ExperimentModel::changed, this, &MainWindow::showNotes);
  connect(banners_, &Banners::cancelled, &controller_, &RunController::cancelPreparing);
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    const QString subject = QStringLiteral("run %1").arg(id);
    const RunStatus& status = controller_.status(id);
    const RunSpec* spec = model_.run(id);
    if (status.state != RunState::failed || spec == nullptr) return banners_->clear(subject);
    const QString name = QString::fromStdString(run_label(*spec, catalog_));
    banners_->show(
        subject, Banners::Kind::error, tr("%1: %2").arg(name, status.message),
        tr("%1 The other runs go on.")
            .arg(QString::fromStdString(run_description(*spec, catalog_, spec->iterations))));
  });
}

/// What is new about the data and the runs on them; what was closed stays closed.
void MainWindow::showNotes() {
  const auto prepared = controller_.data();
  if (prepared == nullptr) return;
  QStringList notes;
  for (const std::string& note : notes_for(*prepared, model_.experiment().runs, catalog_))
    notes << QString::fromStdString(note);
  if (notes == shownNotes_) return;
  shownNotes_ = notes;
  if (notes.isEmpty()) return banners_->clear(QStringLiteral("notes"));
  banners_->show(QStringLiteral("notes"), Banners::Kind::note, notes.join(QLatin1Char('\n')));
}

void MainWindow::sendRequest() {
  ViewRequest request = board_->request();
  request.projection = sinogram_->wantsProjection();
  controller_.setView(request);
}

void MainWindow::openReadyExperiment() {
  model_.reset(ready_experiment(), {});
  runs_->selectRun(model_.runIds().front());
  unsaved_->excuseRuns();
  for (const int id : model_.runIds()) controller_.start(id);
}

/// Where the first file cannot be opened, the ready experiment is there instead of empty views.
void MainWindow::showSomething() {
  if (controller_.data() != nullptr || std::exchange(stoodBy_, true)) return;
  model_.reset(ready_experiment(), {});
  controller_.prepareData();
}

void MainWindow::open(const QString& path) { files_->open(path); }

void MainWindow::startLesson(const Lesson& lesson) {
  const auto go = [this, lesson] {
    model_.reset(lesson.experiment, {});
    lessonStrip_->showText(lesson.text);
    unsaved_->excuseRuns();
    for (const int id : model_.runIds()) controller_.start(id);
  };
  if (unsaved_->mayLose(tr("Start the lesson %1").arg(lesson.title), go)) go();
}

/// The star stands for whatever would be asked about on closing: results of runs as well.
void MainWindow::updateTitle() {
  const Experiment& experiment = model_.experiment();
  const QString name = model_.path().isEmpty() ? QString::fromStdString(experiment.title)
                                               : QFileInfo(model_.path()).fileName();
  setWindowTitle(QStringLiteral("%1%2 — Gantry")
                     .arg(name.isEmpty() ? tr("Untitled") : name,
                          unsaved_->any() ? QStringLiteral(" *") : QString()));
}

void MainWindow::rememberLayout() {
  const QSettings settings;
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  restoreState(settings.value(QStringLiteral("state")).toByteArray(), layoutVersion);
  lessonStrip_->setVisible(settings.value(QStringLiteral("lessons"), true).toBool());
}

/// Saving results takes its time: the window closes when they are in their files.
void MainWindow::closeEvent(QCloseEvent* event) {
  const auto close_then = [this] {
    closing_ = true;
    close();
  };
  // Where saving took no time it has answered meanwhile.
  if (!closing_ && !unsaved_->mayLose(tr("Close Gantry"), close_then) && !closing_)
    return event->ignore();
  QSettings settings;
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("state"), isFullScreen() && !beforeFullScreen_.isEmpty()
                                                 ? beforeFullScreen_
                                                 : saveState(layoutVersion));
  settings.setValue(QStringLiteral("lessons"), lessonStrip_->isVisibleTo(this));
  QMainWindow::closeEvent(event);
}

/// Full screen and back to what was: maximised or not, and panels and toolbars as they were.
void MainWindow::toggleFullScreen() {
  if (!isFullScreen()) {
    beforeFullScreen_ = saveState(layoutVersion);
    return setWindowState(windowState() | Qt::WindowFullScreen);
  }
  setWindowState(windowState() & ~Qt::WindowFullScreen);
}

/// Panels take their sizes back when the window has its own: the window manager gives it in its
/// time.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (isFullScreen() || beforeFullScreen_.isEmpty()) return;
  const QByteArray state = std::exchange(beforeFullScreen_, {});
  QMetaObject::invokeMethod(
      this, [this, state] { restoreState(state, layoutVersion); }, Qt::QueuedConnection);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  open(event->mimeData()->urls().front().toLocalFile());
}

}  // namespace gantry
