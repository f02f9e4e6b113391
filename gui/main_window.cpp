#include "gui/main_window.hpp"

#include "gui/data/file_actions.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/shown_description.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/help/formula_panel.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/matrix/matrix_explorer.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/pending_bar.hpp"
#include "gui/runs/run_actions.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/runs/run_editor.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/runs/status_line.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/stage/view_bar.hpp"
#include "gui/stage/view_keys.hpp"
#include "gui/start/start_page.hpp"
#include "gui/top_bar.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/field_names.hpp"
#include "gui/worker/memory_check.hpp"
#include "gui/worker/preview.hpp"
#include "gui/worker/volume_look.hpp"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QStyle>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

constexpr int layoutVersion = 3;  // of the stored state of docks and toolbars
const QString dataSubject = QStringLiteral("data"), dataFailure = QStringLiteral("data failed"),
              openingFailure = QStringLiteral("opening failed");

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
  files_ = new FileActions(catalog_, model_, controller_, this, version_);
  makeCentre();
  makePanels();
  unsaved_ = new UnsavedWork(catalog_, model_, controller_, *files_, this);
  runActions_ = new RunActions(model_, controller_, this);
  status_ = new StatusLine(catalog_, backends_, model_, controller_, statusBar());
  makeTopBar();
  makeMenus();
  makeShortcuts();
  new ViewKeys(this, [this]() -> QWidget* {
    SliceTile* tile = board_->activeTile();
    return tile != nullptr ? &tile->view() : nullptr;
  });
  connectParts();
  connectData();
  connectQuestions();
  connectMessages();
  connectFailures();
  connectCharts();
  sendRequest();
  const QSize title_bar(0, style()->pixelMetric(QStyle::PM_TitleBarHeight));
  resize(QSize(1400, 900).boundedTo(screen()->availableSize() - title_bar));
  // Qt leaves the buttons of tool bars to the mouse.
  for (const QToolBar* bar : findChildren<QToolBar*>())
    for (QToolButton* button : bar->findChildren<QToolButton*>())
      button->setFocusPolicy(Qt::TabFocus);
  applyLayout(WindowLayout::compare);
  rememberLayout();
  updateTitle();
}

MainWindow::~MainWindow() {
  // Parts tell the controller when they are hidden, so they are destroyed before it.
  hide();
  qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void MainWindow::makeCentre() {
  auto* centre = new QWidget(this);
  banners_ = new Banners(centre);
  lessonStrip_ = new LessonStrip(centre);
  preview_ = new Preview(catalog_, backends_, model_, controller_, this);
  board_ = new SliceBoard(catalog_, model_, controller_, state_, playhead_, *preview_, centre);
  look_ = new VolumeLook(this);
  data_ = new DataBoard(model_, controller_, state_, selection_, *preview_, board_->measurements(),
                        *look_, centre);
  data_->hide();
  space_ = new SpaceBoard(catalog_, model_, controller_, state_, playhead_, *board_, *look_,
                          *preview_, centre);
  space_->hide();
  sweeps_ = new QTabWidget(centre);
  sweeps_->setDocumentMode(true);
  sweep_ = new SweepBoard(catalog_, backends_, model_, controller_, state_, sweeps_);
  race_ = new RaceBoard(catalog_, backends_, model_, controller_, sweeps_);
  sweeps_->addTab(sweep_, tr("A parameter"));
  sweeps_->addTab(race_, tr("A race of methods"));
  sweeps_->hide();
  connect(sweeps_, &QTabWidget::currentChanged, this, &MainWindow::showViewBar);
  start_ = new StartPage(catalog_, backends_, *files_, centre);
  start_->hide();
  viewBar_ = new ViewBar(state_, centre);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(lessonStrip_);
  pending_ = new PendingBar(catalog_, model_, controller_, centre);
  layout->addWidget(data_, 1);
  layout->addWidget(start_, 1);
  layout->addWidget(board_, 1);
  layout->addWidget(space_, 1);
  layout->addWidget(sweeps_, 1);
  layout->addWidget(viewBar_);
  layout->addWidget(pending_);
  layout->addWidget(banners_);
  setCentralWidget(centre);
}

void MainWindow::makePanels() {
  panels_ = new PanelDocks({.catalog = catalog_,
                            .backends = backends_,
                            .model = model_,
                            .controller = controller_,
                            .state = state_,
                            .selection = selection_,
                            .playhead = playhead_,
                            .board = *board_,
                            .banners = *banners_,
                            .files = *files_},
                           this);
  runs_ = findChild<RunsPanel*>();
  editor_ = findChild<RunEditor*>();
  convergence_ = findChild<ConvergencePanel*>();
  profile_ = findChild<ProfilePanel*>();
  sinogram_ = findChild<SinogramPanel*>();
  matrix_ = findChild<MatrixExplorer*>();
  notes_ = findChild<NotesPanel*>();
  formula_ = findChild<FormulaPanel*>();
  pending_->installEventFilter(this);
  banners_->installEventFilter(this);
}

void MainWindow::makeTopBar() {
  top_ = new TopBar(this);
  setMenuWidget(top_);
  QToolBar* bar = top_->tools();
  const auto add = [bar](QAction* action, bool withText) {
    bar->addAction(action);
    if (withText) return;
    auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
  };
  add(runActions_->run(), true);
  add(runActions_->pause(), true);
  for (QAction* action : {runActions_->stepIteration(), runActions_->stepSubset(),
                          runActions_->stopAndKeep(), runActions_->extend()})
    add(action, false);
  bar->addAction(editor_->compareAction());
  addRefusal();
  connect(top_, &TopBar::workspaceChosen, this, &MainWindow::goTo);
}

QMenuBar* MainWindow::menuBar() const { return top_->menus(); }

/// Shows in the top bar why runs that would be started anew do not fit into memory.
void MainWindow::addRefusal() {
  auto* memory = new MemoryCheck(catalog_, backends_, model_, controller_, this);
  // Queued, because all parts must have heard of an edit before the question is asked.
  connect(
      runActions_, &RunActions::enabledAnew, memory,
      [this, memory] { memory->ask(runActions_->startsAnew()); }, Qt::QueuedConnection);
  connect(memory, &MemoryCheck::refused, this, [this](const QString& why) {
    top_->setRefusal(why);
    runActions_->setRefusal(why);
  });
}

void MainWindow::connectParts() {
  connect(&selection_, &Selection::runSelected, this, [this](int id) {
    runActions_->setSelectedRun(id);
    status_->setSelectedRun(id);
    files_->setSelectedRun(id);
    board_->setActive(id);
    if (layout_ == WindowLayout::single) board_->focusTile(id);
    space_->setRun(id);
    sweep_->setRun(id);
    showSubtitle();
  });
  connect(&controller_, &RunController::computedChanged, this, &MainWindow::showSubtitle);
  connect(board_, &SliceBoard::runPressed, runs_, &RunsPanel::selectRun);
  connect(board_, &SliceBoard::saveWanted, this, &MainWindow::saveResultOf);
  connect(runs_, &RunsPanel::shownChanged, board_, &SliceBoard::setShown);
  connect(board_, &SliceBoard::shownRunsChanged, this, [this] {
    for (const int id : model_.runIds())
      if (RunCard* card = runs_->card(id)) card->setShown(board_->isShown(id));
  });
  connect(space_, &SpaceBoard::runPressed, runs_, &RunsPanel::selectRun);
  connect(&selection_, &Selection::sweepWanted, this, [this](const QString& parameter) {
    applyLayout(WindowLayout::sweep);
    sweeps_->setCurrentWidget(sweep_);
    sweep_->chooseParam(parameter);
  });
  connect(sweep_, &SweepBoard::longSweepAsked, this, &MainWindow::askAboutSweep);
  connect(sweep_, &SweepBoard::dataTakenOver, this, [this] { applyLayout(WindowLayout::compare); });
  // The list of runs selected a run before anything was connected to it.
  selection_.selectRun(runs_->selectedRun());
  connect(runs_, &RunsPanel::menuRequested, this, [this](int id, const QPoint& global) {
    QMenu* menu = runMenu(id);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(global);
  });
  connect(board_, &SliceBoard::requestChanged, this, &MainWindow::sendRequest);
  connect(space_, &SpaceBoard::requestChanged, this, &MainWindow::sendRequest);
  connect(sinogram_, &SinogramPanel::wantsProjectionChanged, this, &MainWindow::sendRequest);
  connect(board_, &SliceBoard::readoutChanged, status_, &StatusLine::setReadout);
  connect(board_, &SliceBoard::menuRequested, this, &MainWindow::showMenuOf);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, lessonStrip_, &LessonStrip::clearText);
  connect(&controller_, &RunController::dataChanged, this,
          [this] { viewBar_->setGrid(controller_.data()->grid); });
  viewBar_->offerProfile(false);  // until a view is shown in which it can be drawn
  connect(&board_->measurements(), &Measurements::drawableChanged, viewBar_,
          [this] { viewBar_->offerProfile(board_->measurements().canDraw()); });
  connect(&controller_, &RunController::dataChanged, this, &MainWindow::updateTitle);
  connect(&controller_, &RunController::dataChanged, this, &MainWindow::offerSpace);
  connect(&controller_, &RunController::updatesEmitted, this, [this] {
    controller_.setDrawingCost(board_->paintMs() + space_->paintMs() +
                               convergence_->chart().lastPaintMs() +
                               (profile_->isVisible() ? profile_->chart().lastPaintMs() : 0));
  });
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, &MainWindow::leaveStartPage);
  connect(notes_, &NotesPanel::edited, &model_, &ExperimentModel::markUnsaved);
  connect(start_, &StartPage::demoChosen, this, &MainWindow::openReadyExperiment);
  connect(start_, &StartPage::lessonChosen, this, &MainWindow::startLesson);
  connect(&model_, &ExperimentModel::changed, this, &MainWindow::updateTitle);
  connect(&controller_, &RunController::updatesEmitted, this, &MainWindow::updateTitle);
  connect(unsaved_, &UnsavedWork::changed, this, &MainWindow::updateTitle);
}

void MainWindow::connectMessages() {
  connect(files_, &FileActions::done, status_, &StatusLine::showMessage);
  connect(files_, &FileActions::remark, this, [this](const QString& message) {
    const QString subject = QStringLiteral("saved");
    if (message.isEmpty()) return banners_->clear(subject);
    banners_->show(subject, Banners::Kind::note, message);
  });
  connect(files_, &FileActions::busy, this,
          [this](const QString& what) { statusBar()->showMessage(what); });
  connect(&controller_, &RunController::dataProgress, this,
          [this](double done, const QString& what) {
            banners_->show(dataSubject, Banners::Kind::progress,
                           done > 0 ? tr("%1: %2 %").arg(what).arg(100 * done, 0, 'f', 0) : what);
          });
  connect(&controller_, &RunController::preparingChanged, this,
          [this] { banners_->clear(controller_.isPreparing() ? dataFailure : dataSubject); });
  connect(banners_, &Banners::cancelled, this, [this](const QString& subject) {
    if (subject == dataSubject) controller_.cancelPreparing();
  });
  connectNotes();
}

void MainWindow::connectFailures() {
  connect(
      files_, &FileActions::failed, this,
      [this](const QString& what, const QString& message, bool isOpening, const QString& details) {
        showSomething();
        // Of several files that could not be opened, the last one matters.
        const QString subject = isOpening ? openingFailure : what;
        if (isOpening && controller_.dataAreCurrent()) banners_->giveWay(dataFailure);
        banners_->show(subject, Banners::Kind::error, options_as_fields(message),
                       details.isEmpty() ? what : what + QLatin1Char('\n') + details);
        failures_ << subject;
      });
  connect(files_, &FileActions::openingCancelled, this, &MainWindow::showSomething);
  files_->setShownIterate([this](int run) { return playhead_.iterateOf(controller_.status(run)); });
  // What could not be opened is of no interest once something else is open.
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, [this] {
    if (controller_.data() == nullptr) return;  // the ready experiment, opened instead
    for (const QString& what : std::exchange(failures_, {})) banners_->clear(what);
  });
  connect(&model_, &ExperimentModel::changed, this, [this] {
    if (controller_.dataAreCurrent()) banners_->clear(dataFailure);  // undo took the cause away
  });
  connect(&controller_, &RunController::maskProblem, this, [this](const QString& message) {
    const QString subject = QStringLiteral("mask");
    if (message.isEmpty()) return banners_->clear(subject);
    banners_->show(subject, Banners::Kind::error, tr("Metrics keep their mask: %1").arg(message));
  });
  connect(&controller_, &RunController::dataFailed, this, [this](const QString& message) {
    showSomething();
    banners_->giveWay(openingFailure);
    banners_->show(dataFailure, Banners::Kind::error, message,
                   tr("While the data were prepared. The present experiment has not changed."));
  });
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    const QString subject = QStringLiteral("run %1").arg(id);
    const RunStatus& status = controller_.status(id);
    const RunSpec* spec = model_.run(id);
    if (status.state != RunState::failed || spec == nullptr) return banners_->clear(subject);
    const QString name = QString::fromStdString(controller_.label(id));
    banners_->show(
        subject, Banners::Kind::error, tr("%1: %2").arg(name, status.message),
        tr("%1 The other runs go on.")
            .arg(QString::fromStdString(run_description(*spec, catalog_, spec->iterations))));
  });
}

void MainWindow::sendRequest() {
  ViewRequest request = board_->request();
  for (const ViewRequest::Slice& slice : space_->slicesWanted())
    if (std::ranges::find(request.slices, slice) == request.slices.end())
      request.slices.push_back(slice);
  request.projection = sinogram_->wantsProjection();
  controller_.setView(request);
}

void MainWindow::openReadyExperiment() {
  model_.reset(ready_experiment(), {});
  runs_->selectRun(model_.runIds().front());
  unsaved_->markRunsAutomatic();
  for (const int id : model_.runIds()) controller_.start(id);
}

/// Shows the start page where there are no data and none are on their way, so that the views are
/// not empty when the first file cannot be opened. An experiment that was edited meanwhile stays.
void MainWindow::showSomething() {
  const bool has_data = controller_.data() != nullptr || controller_.isPreparing();
  if (!has_data && !unsaved_->edits() && layout_ != WindowLayout::start) showStartPage();
}

void MainWindow::showStartPage() {
  Experiment nothing = ready_experiment();
  nothing.title.clear();
  nothing.runs.clear();
  model_.reset(nothing, {});
  if (layout_ != WindowLayout::start) beforeStart_ = arrangement();
  applyLayout(WindowLayout::start);
  updateTitle();
}

/// Brings the panels back when something is opened.
void MainWindow::leaveStartPage() {
  if (layout_ != WindowLayout::start) return;
  applyLayout(WindowLayout::compare);
  arrange(std::exchange(beforeStart_, {}));
}

void MainWindow::open(const QString& path) { files_->open(path); }

void MainWindow::startLesson(const Lesson& lesson) {
  const auto go = [this, lesson] {
    model_.reset(lesson.experiment, {});
    lessonStrip_->showText(lesson.text);
    if (layout_ == WindowLayout::sweep) applyLayout(WindowLayout::compare);  // its pictures
    unsaved_->markStartsAutomatic();
    for (const int id : model_.runIds()) controller_.start(id);
  };
  if (unsaved_->mayLose(tr("Start the lesson %1").arg(lesson.title), go)) go();
}

/// The title names what is being opened, because its pictures may be there before its data.
void MainWindow::setOpening(const QString& name) {
  opening_ = name;
  updateTitle();
}

/// The title carries a star while closing the window would lose something, results of runs
/// included.
void MainWindow::updateTitle() {
  if (layout_ == WindowLayout::start) {
    setWindowTitle(tr("Gantry"));
    return top_->setExperiment({}, {});
  }
  if (!opening_.isEmpty()) {
    const QString opening = tr("Opening %1…").arg(opening_);
    setWindowTitle(tr("%1 — Gantry").arg(opening));
    return top_->setExperiment(opening, {});
  }
  const Experiment& experiment = model_.experiment();
  const QString name = model_.path().isEmpty() ? QString::fromStdString(experiment.title)
                                               : QFileInfo(model_.path()).fileName();
  const QString starred = (name.isEmpty() ? tr("Untitled") : name) +
                          (unsaved_->any() ? QStringLiteral(" *") : QString());
  setWindowTitle(tr("%1 — Gantry").arg(starred));
  const auto prepared = controller_.data();
  top_->setExperiment(starred,
                      prepared != nullptr ? shown_description(*prepared, catalog_) : QString());
}

QByteArray MainWindow::arrangement() const {
  if (layout_ == WindowLayout::start) return beforeStart_;
  return isFullScreen() && !beforeFullScreen_.isEmpty() ? beforeFullScreen_
                                                        : saveState(layoutVersion);
}

/// Brings panels and toolbars back.
void MainWindow::arrange(const QByteArray& arrangement) {
  restoreState(arrangement, layoutVersion);
}

void MainWindow::rememberLayout() {
  const QSettings settings;
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  arrange(settings.value(QStringLiteral("state")).toByteArray());
  // The panels that were shown are those of the workspace in which the window was closed.
  const int closed_in =
      settings.value(QStringLiteral("workspace"), static_cast<int>(layout_)).toInt();
  if (closed_in != static_cast<int>(layout_)) panels_->apply(layout_);
}

/// Switches to full screen, and back to the size, panels and toolbars from before.
void MainWindow::toggleFullScreen() {
  if (!isFullScreen()) {
    beforeFullScreen_ = saveState(layoutVersion);
    return setWindowState(windowState() | Qt::WindowFullScreen);
  }
  setWindowState(windowState() & ~Qt::WindowFullScreen);
}

/// Restores the panels after full screen only now, because the window manager resizes the window
/// some time after setWindowState().
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
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openDropped(paths);
}

}  // namespace gantry
