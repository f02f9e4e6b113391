// Menus, shortcuts, layouts, figures and tour of the main window.
#include "core/base/error.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/save_targets.hpp"
#include "gui/help/about.hpp"
#include "gui/help/key_help.hpp"
#include "gui/help/tour.hpp"
#include "gui/main_window.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/run_actions.hpp"
#include "gui/runs/run_editor.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/runs/status_line.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/stage_figure.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/stage/view_bar.hpp"
#include "gui/studies/report_window.hpp"
#include "gui/studies/study_window.hpp"
#include "gui/top_bar.hpp"
#include "gui/track/chart_menu.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/film.hpp"
#include "gui/track/playhead_bar.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/key_list.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/figure.hpp"
#include "gui/widgets/icons.hpp"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QShortcut>
#include <QToolBar>

#include <utility>

namespace gantry {

void MainWindow::makeMenus() {
  makeFileMenu();
  makeEditMenu();
  makeRunMenu();
  makeViewMenu();
  makeLessonsMenu();
  makeHelpMenu();
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->setToolTipsVisible(true);
  files_->fillMenu(file);
  QMenu* figures = file->addMenu(tr("Export figure"));
  figures->addAction(tr("Active view…"), keys_of("file.export_view").value(0), this,
                     [this] { saveFigure(figureOfActiveView()); });
  figures->addAction(tr("All views…"), this, [this] { saveFigure(figureOfAllViews()); });
  panels_->addFigures(figures, [this](const PanelFigure& figure) { saveFigure(figure); });
  file->addAction(tr("Export profile…"), this, &MainWindow::exportProfile);
  film_ = file->addAction(tr("Save film…"), this, &MainWindow::saveFilm);
  connect(&selection_, &Selection::runSelected, this, &MainWindow::showFilm);
  for (const auto changed : {&RunController::iteratesChanged, &RunController::stateChanged})
    connect(&controller_, changed, this, [this](int id) {
      if (id == selection_.run()) showFilm();
    });
  showFilm();
  convergence_->offerFilm(film_);
  file->addSeparator();
  file->addAction(tr("Quit"), keys_of("file.quit").value(0), this, &QWidget::close);
}

/// Opens the menu of a chart; `name` is that of its files.
void MainWindow::openChartMenu(ChartView& chart, const QString& name,
                               const std::function<PanelFigure()>& figure, const QPoint& global) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("chartMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fill_chart_menu(
      *menu, chart,
      {[this, figure] { copyFigure(figure()); }, [this, figure] { saveFigure(figure()); },
       [this, name](const QString& text) {
         saveText(tr("Export values"), name + QStringLiteral(".csv"), text);
       },
       [figure] { return figure().caption; }});
  menu->popup(global);
}

/// Gives every chart its menu.
void MainWindow::connectCharts() {
  // Who draws a line wants to see the values along it, also where the panel is behind another tab.
  connect(&state_, &ViewState::profileChanged, this, [this] {
    if (state_.profile() && state_.profileMode()) panels_->open(QStringLiteral("profile"));
  });
  // Data shows the chart before the drag: in the middle of one the picture would change its place.
  connect(&state_, &ViewState::drawModeChanged, this, [this] {
    if (layout_ == WindowLayout::data && state_.profileMode())
      panels_->open(QStringLiteral("profile"));
  });
  const auto add = [this](ChartView& chart, const QString& key) {
    connect(&chart, &ChartView::menuAsked, this, [this, &chart, key](const QPoint& global) {
      openChartMenu(
          chart, key, [this, key] { return panels_->figure(key); }, global);
    });
  };
  add(convergence_->chart(), QStringLiteral("convergence"));
  add(profile_->chart(), QStringLiteral("profile"));
  add(findChild<HistogramPanel*>()->chart(), QStringLiteral("histogram"));
}

void MainWindow::makeEditMenu() {
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = model_.undoStack().createUndoAction(this);
  undo->setObjectName(QStringLiteral("undo"));
  undo->setShortcuts(keys_of("undo"));
  QAction* redo = model_.undoStack().createRedoAction(this);
  redo->setShortcuts(keys_of("redo"));
  undo->setIcon(lineIcon(QStringLiteral("undo")));
  undo->setIconText(tr("Undo"));
  top_->tools()->addAction(undo);
  edit->addAction(undo);
  edit->addAction(redo);
  edit->addSeparator();
  edit->addAction(tr("Copy active view"), keys_of("file.copy_view").value(0), this, [this] {
    if (SliceTile* tile = board_->activeTile()) copyFigure(figure_of(*tile));
  });
  edit->addAction(tr("Copy convergence chart"), this,
                  [this] { copyFigure(panels_->figure(QStringLiteral("convergence"))); });
}

void MainWindow::makeRunMenu() {
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  run->setToolTipsVisible(true);
  for (QAction* action :
       {runActions_->run(), runActions_->pause(), runActions_->toggle(),
        runActions_->stepIteration(), runActions_->stepSubset(), runActions_->stopAndKeep(),
        runActions_->extend(), runActions_->discard()})
    run->addAction(action);
  run->addAction(editor_->compareAction());
  run->addSeparator();
  addRounding(run);
  run->addAction(editor_->studiesAction());
  run->addAction(panels_->openAction(QStringLiteral("matrix")));
}

/// Adds the choice of how runs keep their iterates, which is remembered.
void MainWindow::addRounding(QMenu* menu) {
  const QString key = QStringLiteral("roundedIterates");
  QAction* rounds = menu->addAction(tr("Keep twice as many iterates, rounded"));
  rounds->setObjectName(key);
  rounds->setCheckable(true);
  rounds->setToolTip(tr(
      "Iterates that are kept from now on take half the memory or less: their images are rounded "
      "to 3 digits. Going on from one starts the method anew from that image, so that its "
      "numbers "
      "are not exactly those of the first time"));
  connect(rounds, &QAction::toggled, this, [this, key](bool on) {
    QSettings().setValue(key, on);
    controller_.setRoundsIterates(on);
  });
  rounds->setChecked(QSettings().value(key).toBool());
}

void MainWindow::makeLessonsMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Lessons"));
  menu->setObjectName(QStringLiteral("lessons"));
  menu->setToolTipsVisible(true);
  for (const Lesson& lesson : lessons())
    menu->addAction(lesson.title, this, [this, lesson] { startLesson(lesson); })
        ->setToolTip(lesson.text);
}

void MainWindow::makeHelpMenu() {
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(tr("Tour"), this, [this] { startTour(); });
  QAction* keys = help->addAction(tr("Keys"), this, [this] {
    auto* list = findChild<KeyHelp*>();
    if (list == nullptr) list = new KeyHelp(this);
    list->isVisible() ? list->hide() : list->show();
  });
  keys->setObjectName(QStringLiteral("keys"));
  keys->setShortcuts(keys_of("keys"));
  QMenu* list = help->addMenu(tr("Studies"));
  list->setToolTipsVisible(true);
  for (const Study& study : studies())
    list->addAction(QString::fromStdString(study.title), this, [this, &study] {
      const QString name = QStringLiteral("study ") + QString::fromStdString(study.key);
      auto* window = findChild<StudyWindow*>(name);
      if (window == nullptr) {
        window = new StudyWindow(study, {.catalog = &catalog_, .backends = &backends_}, this);
        window->setObjectName(name);
        connect(window, &StudyWindow::chartMenuAsked, this,
                [this](ChartView& chart, const QString& key, const QString& caption,
                       const QPoint& global) {
                  openChartMenu(
                      chart, key,
                      [&chart, caption] {
                        return PanelFigure{chart.grabImage(figureScale), caption,
                                           chart.drawing(figureScale)};
                      },
                      global);
                });
      }
      window->show();
      window->raise();
    });
  list->addSeparator();
  list->addAction(tr("Report of all studies…"), this, [this] {
    auto* window = findChild<ReportWindow*>();
    if (window == nullptr)
      window = new ReportWindow(catalog_, backends_, version_.toStdString(), this);
    window->show();
    window->raise();
  });
  help->addAction(tr("About Gantry"), this, [this] { show_about(this, backends_, version_); });
}

void MainWindow::makeViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  workspaces_ = view->addMenu(tr("Layout"));
  const auto lead = [this](const QString& text, WindowLayout layout) {
    workspaces_->addAction(text, this, [this, layout] { goTo(layout); });
  };
  lead(tr("Data"), WindowLayout::data);
  lead(tr("Compare"), WindowLayout::compare);
  lead(tr("Single"), WindowLayout::single);
  workspaces_->addAction(top_->spaceAction());
  lead(tr("Sweep"), WindowLayout::sweep);
  QAction* present = workspaces_->addAction(tr("Present"), this, &MainWindow::togglePresenting);
  present->setShortcuts(keys_of("present"));
  QMenu* panels = view->addMenu(tr("Panels"));
  panels->setObjectName(QStringLiteral("panels"));
  panels->setToolTipsVisible(true);
  panels_->addToggles(panels);
  QAction* light = view->addAction(tr("Light stage"));
  light->setObjectName(QStringLiteral("lightStage"));
  light->setCheckable(true);
  light->setToolTip(tr("A light ground around the pictures instead of a dark one"));
  connect(light, &QAction::toggled, this, &MainWindow::setLightStage);
  light->setChecked(QSettings().value(QStringLiteral("lightStage"), false).toBool());
  view->addSeparator();
  QAction* full = view->addAction(tr("Full screen"), this, [this] {
    // Presenting goes on without the full screen: the panels do not come back.
    if (isFullScreen() && layout_ == WindowLayout::present) beforeFullScreen_.clear();
    toggleFullScreen();
  });
  full->setObjectName(QStringLiteral("fullScreen"));
  full->setShortcuts(keys_of("full_screen"));
  const auto add = [&](const QString& text, const char* key, auto act) {
    view->addAction(text, this, act)->setShortcuts(keys_of(key));
  };
  add(tr("Earlier iterate"), "iterate.earlier", [this] { stepPlayhead(-1); });
  add(tr("Later iterate"), "iterate.later", [this] { stepPlayhead(1); });
  add(tr("Reset views"), "view.reset", [this] { state_.setCamera(std::nullopt); });
  add(tr("Automatic window"), "view.window", [this] { state_.followData(); });
  const auto together = [this](TileContent::Kind kind) {
    return [this, kind] {
      if (SliceTile* tile = board_->activeTile()) tile->toggle(kind);
    };
  };
  add(tr("Difference"), "view.difference", together(TileContent::Kind::difference));
  add(tr("Blink"), "view.blink", together(TileContent::Kind::blink));
  add(tr("Swipe"), "view.swipe", together(TileContent::Kind::swipe));
}

void MainWindow::stepPlayhead(int iterates) {
  const int id = run_of_playhead(controller_, model_.runIds(), selection_.run());
  playhead_.step(controller_.status(id), iterates);
}

void MainWindow::makeShortcuts() {
  const auto bind = [this](const QKeySequence& sequence, auto action) {
    connect(new QShortcut(sequence, this), &QShortcut::activated, this, action);
  };
  const auto key = [&](const char* id, auto action) {
    for (const QKeySequence& sequence : keys_of(id)) bind(sequence, action);
  };
  key("view.profile", [this] {
    if (!board_->measurements().canDraw())
      return status_->showMessage(
          tr("No line can be drawn here: choose Compare, or Data with its projections"));
    state_.setProfileMode(!state_.profileMode());
  });
  key("view.leave", [this] {
    board_->focusTile(-1);
    space_->enlarge(nullptr);
    state_.setDrawMode(DrawMode::none);
    playhead_.goLive();
    if (layout_ == WindowLayout::present) togglePresenting();
  });
  std::size_t tile = 0;
  for (const QKeySequence& sequence : keys_of("view"))
    bind(sequence, [this, at = tile++] {
      const auto tiles = board_->tiles();
      if (at < tiles.size()) board_->toggleFocus(tiles[at]->id());
    });
  int workspace = 0;
  for (const QKeySequence& sequence : keys_of("workspace"))
    bind(sequence, [this, at = workspace++] { top_->chooseWorkspace(at); });
}

void MainWindow::setLightStage(bool light) {
  StageLook::get().setLight(light);
  QSettings().setValue(QStringLiteral("lightStage"), light);
}

/// Offers the workspace Space for grids of several slices, and leaves it for others.
void MainWindow::offerSpace() {
  const bool has_slices = controller_.data()->grid.nz > 1 || controller_.data()->source_slices > 1;
  top_->offerSpace(has_slices);
  if (!has_slices && layout_ == WindowLayout::space) applyLayout(WindowLayout::compare);
}

/// Goes to a workspace at the user's wish. While nothing is open, all of them would be empty.
void MainWindow::goTo(WindowLayout workspace) {
  if (layout_ == WindowLayout::start) return;
  if (workspace != layout_) banners_->closeNotes();
  applyLayout(workspace);
}

/// Shows views and curves alone on the full screen, or goes back to the layout from before.
void MainWindow::togglePresenting() {
  if (layout_ == WindowLayout::start) return;
  const bool ends = layout_ == WindowLayout::present;
  if (isFullScreen() == ends) toggleFullScreen();
  if (ends) return applyLayout(beforePresenting_);
  beforePresenting_ = layout_;
  applyLayout(WindowLayout::present);
}

QMenu* MainWindow::runMenu(int id) {
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  QAction* alone =
      menu->addAction(tr("Only this view"), this, [this, id] { board_->toggleFocus(id); });
  alone->setCheckable(true);
  alone->setChecked(board_->focusedTile() == id);
  addRunActions(menu, id);
  return menu;
}

void MainWindow::addRunActions(QMenu* menu, int id) {
  const bool started = controller_.status(id).wasStarted();
  menu->addAction(tr("Duplicate"), this, [this, id] { runs_->selectRun(model_.duplicateRun(id)); });
  menu->addAction(tr("Sweep a parameter…"), this, [this, id] {
    runs_->selectRun(id);
    applyLayout(WindowLayout::sweep);
  });
  QAction* discard =
      menu->addAction(tr("Discard results"), this, [this, id] { controller_.discard(id); });
  discard->setObjectName(QStringLiteral("discardRun"));
  discard->setEnabled(started);
  discard->setToolTip(started ? tr("Removes the results of this run; undo restores them")
                              : tr("The run has not been started"));
  const bool pinned = controller_.pinnedRun() == id;
  QAction* pin = menu->addAction(tr("Pin as reference"), this, [this, id, pinned] {
    controller_.pinReference(pinned ? -1 : id);
  });
  pin->setCheckable(true);
  pin->setChecked(pinned);
  pin->setEnabled(started || pinned);
  menu->addSeparator();
  if (SliceTile* tile = board_->tile(id)) {
    menu->addAction(tr("Copy figure"), this, [this, tile] { copyFigure(figure_of(*tile)); });
    menu->addAction(tr("Export figure…"), this, [this, tile] { saveFigure(figure_of(*tile)); });
  }
  QAction* save = menu->addAction(tr("Save volume…"), this, [this, id] { saveResultOf(id); });
  save->setEnabled(started);
  if (!started) save->setToolTip(tr("The run has not been started"));
  menu->addSeparator();
  menu->addAction(tr("Remove run"), this, [this, id] { controller_.removeRun(id); });
}

void MainWindow::saveResultOf(int id) {
  runs_->selectRun(id);
  files_->saveVolumeAction()->trigger();
}

void MainWindow::showMenuOf(int id, const QPoint& global) {
  SliceTile* tile = board_->tile(id);
  if (tile == nullptr) return;
  QMenu menu(this);
  menu.addAction(tr("Show everything (R)"), this, [this] { state_.setCamera(std::nullopt); });
  menu.addAction(tr("Automatic window (A)"), this, [this] { state_.followData(); });
  menu.addAction(tile->showsDifference() ? tr("Image (D)") : tr("Difference (D)"), tile,
                 [tile] { tile->setDifference(!tile->showsDifference()); });
  menu.addAction(board_->focusedTile() == id ? tr("All views (double click)")
                                             : tr("Only this view (double click)"),
                 this, [this, id] { board_->toggleFocus(id); });
  QAction* link =
      menu.addAction(tr("Unlink"), tile, [tile] { tile->setLinked(!tile->isLinked()); });
  link->setCheckable(true);
  link->setChecked(!tile->isLinked());
  QMenu* shows = menu.addMenu(tr("Show"));
  shows->addActions(tile->contentMenu()->actions());
  menu.addSeparator();
  if (id != SliceTile::referenceId) {
    addRunActions(&menu, id);
  } else {
    menu.addAction(tr("Copy figure"), this, [this, tile] { copyFigure(figure_of(*tile)); });
    menu.addAction(tr("Export figure…"), this, [this, tile] { saveFigure(figure_of(*tile)); });
  }
  menu.exec(global);
}

std::vector<Tour::Stop> MainWindow::centreStops() {
  const auto tiles = board_->tiles();
  QWidget* first_tile = tiles.empty() ? static_cast<QWidget*>(board_) : tiles.back();
  return {
      {top_->tools(), tr("Control"),
       tr("Run, pause, one iteration, one subset; stop and keep the result; extend. The tool tip "
          "of a disabled button says why.")},
      {board_, tr("The picture"),
       tr("Reference and runs side by side, linked: drag for window and level, wheel for "
          "slices, Shift+drag to move, right drag to zoom. Double click shows one view alone.")},
      {first_tile, tr("Differences"),
       tr("The buttons over a view: the estimate, or its difference to the reference or another "
          "run, with a colour map centred on zero (key D); its link with the other views.")},
      {viewBar_, tr("Scale"),
       tr("All linked views have the same window and level, in 1/mm or HU. Auto fits them to "
          "the data.")}};
}

Tour* MainWindow::startTour() {
  applyLayout(WindowLayout::compare);
  std::vector<Tour::Stop> stops = panels_->tourStops(PanelPlace::step);
  for (const auto& more : {centreStops(), panels_->tourStops(PanelPlace::track),
                           panels_->tourStops(PanelPlace::inspector)})
    stops.insert(stops.end(), more.begin(), more.end());
  auto* tour = new Tour(std::move(stops), this);
  connect(tour, &Tour::stopShown, panels_, &PanelDocks::bringToFront);
  tour->begin();
  return tour;
}

}  // namespace gantry
