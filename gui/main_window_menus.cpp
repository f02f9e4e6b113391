// The menus, shortcuts, layouts, figures and tour of the main window.
#include "core/base/error.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/source_panel.hpp"
#include "gui/help/about.hpp"
#include "gui/help/tour.hpp"
#include "gui/main_window.hpp"
#include "gui/matrix/matrix_explorer.hpp"
#include "gui/runs/run_actions.hpp"
#include "gui/runs/run_editor.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/runs/status_line.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/view_bar.hpp"
#include "gui/studies/study_window.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/geometry_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/figure.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QShortcut>
#include <QToolBar>

namespace gantry {

namespace {

constexpr double figureScale = 2;

}  // namespace

void MainWindow::makeMenus() {
  makeFileMenu();
  makeEditMenu();
  makeRunMenu();
  makeViewMenu();
  makeHelpMenu();
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->setToolTipsVisible(true);
  files_->fillMenu(file);
  QMenu* figures = file->addMenu(tr("Export figure"));
  figures->addAction(tr("Active view…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, [this] {
    if (SliceTile* tile = board_->activeTile())
      saveFigure(tile->view().grabImage(figureScale), tile->caption());
  });
  figures->addAction(tr("Convergence…"), this, [this] {
    saveFigure(convergence_->chart().grabImage(figureScale), convergence_->caption());
  });
  figures->addAction(tr("Profile…"), this, [this] {
    saveFigure(profile_->chart().grabImage(figureScale), profile_->caption());
  });
  figures->addAction(tr("Sinogram…"), this, [this] {
    saveFigure(sinogram_->view().grabImage(figureScale), sinogram_->caption());
  });
  file->addAction(tr("Export profile…"), this, &MainWindow::exportProfile);
  file->addSeparator();
  file->addAction(tr("Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::exportProfile() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Export profile"), QStringLiteral("profile.csv"),
                                   tr("Comma-separated values (*.csv)"));
  if (path.isEmpty()) return;
  try {
    save_text(profile_->csv(), path, files_->access());
    status_->showMessage(tr("Saved %1").arg(path));
  } catch (const Error& error) {
    banners_->show(tr("Export profile"), Banners::Kind::error, QString::fromUtf8(error.what()));
  }
}

void MainWindow::makeEditMenu() {
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = model_.undoStack().createUndoAction(this);
  undo->setObjectName(QStringLiteral("undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = model_.undoStack().createRedoAction(this);
  redo->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  edit->addAction(undo);
  edit->addAction(redo);
  edit->addSeparator();
  edit->addAction(tr("Copy active view"), QKeySequence::Copy, this, [this] {
    if (SliceTile* tile = board_->activeTile())
      copyFigure(tile->view().grabImage(figureScale), tile->caption());
  });
  edit->addAction(tr("Copy convergence chart"), this, [this] {
    copyFigure(convergence_->chart().grabImage(figureScale), convergence_->caption());
  });
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
  run->addAction(editor_->studiesAction());
  QAction* matrix =
      run->addAction(tr("Matrix of the selected run…"), QKeySequence(Qt::CTRL | Qt::Key_M), this,
                     &MainWindow::openMatrix);
  matrix->setObjectName(QStringLiteral("openMatrix"));
  matrix->setToolTip(
      tr("The system matrix: its pattern, a ray's row, a voxel's column, and what it "
         "would take to store it"));
}

void MainWindow::makeHelpMenu() {
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(tr("Tour"), this, [this] { startTour(); });
  QMenu* list = help->addMenu(tr("Studies"));
  list->setToolTipsVisible(true);
  for (const Study& study : studies())
    list->addAction(QString::fromStdString(study.title), this, [this, &study] {
      const QString name = QStringLiteral("study ") + QString::fromStdString(study.key);
      auto* window = findChild<StudyWindow*>(name);
      if (window == nullptr) {
        window = new StudyWindow(study, {.catalog = &catalog_, .backends = &backends_}, this);
        window->setObjectName(name);
      }
      window->show();
      window->raise();
    });
  help->addAction(tr("About Gantry"), this, [this] { show_about(this, backends_, version_); });
}

void MainWindow::makeViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  QMenu* layouts = view->addMenu(tr("Layout"));
  const QStringList names = {tr("Compare"), tr("Single"), tr("Teaching")};
  for (int i = 0; i < names.size(); ++i)
    layouts->addAction(names[i], this, [this, i] { applyLayout(i); });
  QMenu* docks = view->addMenu(tr("Panels"));
  for (QDockWidget* dock : {experimentDock_, runsDock_, convergenceDock_, profileDock_,
                            measureDock_, histogramDock_, notesDock_, sinogramDock_, matrixDock_})
    docks->addAction(dock->toggleViewAction());
  view->addAction(tr("Lessons"), this,
                  [this] { lessonStrip_->setVisible(!lessonStrip_->isVisible()); });
  view->addSeparator();
  QAction* full = view->addAction(tr("Full screen"), this, &MainWindow::toggleFullScreen);
  full->setObjectName(QStringLiteral("fullScreen"));
  full->setShortcut(QKeySequence(Qt::Key_F11));
  view->addAction(tr("Reset views"), QKeySequence(Qt::Key_R), this,
                  [this] { state_.setCamera(std::nullopt); });
  view->addAction(tr("Automatic window"), QKeySequence(Qt::Key_A), this,
                  [this] { state_.followData(); });
}

void MainWindow::makeShortcuts() {
  const auto key = [this](const QKeySequence& sequence, auto action) {
    connect(new QShortcut(sequence, this), &QShortcut::activated, this, action);
  };
  key(Qt::Key_L, [this] { state_.setProfileMode(!state_.profileMode()); });
  key(Qt::Key_D, [this] {
    if (SliceTile* tile = board_->activeTile()) tile->setDifference(!tile->showsDifference());
  });
  key(Qt::Key_Escape, [this] {
    board_->focusTile(-1);
    state_.setDrawMode(DrawMode::none);
  });
  for (int i = 1; i <= 9; ++i)
    key(QKeySequence(Qt::Key_0 + i), [this, i] {
      const auto tiles = board_->tiles();
      if (i > static_cast<int>(tiles.size())) return;
      const int id = tiles[static_cast<std::size_t>(i - 1)]->id();
      board_->focusTile(board_->focusedTile() == id ? -1 : id);
    });
}

void MainWindow::applyLayout(int layout) {
  enum { compare, single, teaching };
  for (QDockWidget* dock : {experimentDock_, runsDock_, convergenceDock_, profileDock_,
                            measureDock_, histogramDock_, notesDock_, sinogramDock_})
    dock->setFloating(false);
  addDockWidget(Qt::LeftDockWidgetArea, experimentDock_);
  addDockWidget(Qt::LeftDockWidgetArea, runsDock_);
  addDockWidget(Qt::RightDockWidgetArea, convergenceDock_);
  addDockWidget(Qt::RightDockWidgetArea, profileDock_);
  tabifyDockWidget(profileDock_, measureDock_);
  tabifyDockWidget(measureDock_, histogramDock_);
  tabifyDockWidget(histogramDock_, notesDock_);
  addDockWidget(Qt::BottomDockWidgetArea, sinogramDock_);
  splitDockWidget(experimentDock_, runsDock_, Qt::Vertical);
  for (QDockWidget* dock : {experimentDock_, runsDock_, convergenceDock_, profileDock_,
                            measureDock_, histogramDock_, notesDock_})
    dock->setVisible(layout != single);
  sinogramDock_->setVisible(layout == compare);
  profileDock_->raise();
  resizeDocks({experimentDock_, convergenceDock_}, {280, layout == teaching ? 420 : 330},
              Qt::Horizontal);
  resizeDocks({experimentDock_, runsDock_}, {420, 400}, Qt::Vertical);
  resizeDocks({convergenceDock_, profileDock_}, {300, 260}, Qt::Vertical);
  resizeDocks({sinogramDock_}, {190}, Qt::Vertical);
  lessonStrip_->setVisible(layout == teaching || lessonStrip_->isVisible());
  if (layout == single)
    board_->focusTile(board_->activeTile() != nullptr ? board_->activeTile()->id() : -1);
  if (layout != single) board_->focusTile(-1);
}

/// In a window of its own over this one, until the user docks it.
void MainWindow::openMatrix() {
  if (matrixDock_->isFloating() && !matrixDock_->isVisible()) {
    matrixDock_->resize(matrix_->sizeHint().boundedTo(0.9 * screen()->availableSize()));
    matrixDock_->move(geometry().center() - matrixDock_->rect().center());
  }
  matrixDock_->show();
  matrixDock_->raise();
}

QMenu* MainWindow::runMenu(int id) {
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  addRunActions(menu, id);
  return menu;
}

void MainWindow::addRunActions(QMenu* menu, int id) {
  const bool started = controller_.status(id).wasStarted();
  menu->addAction(tr("Duplicate"), this, [this, id] { runs_->selectRun(model_.duplicateRun(id)); });
  QAction* discard =
      menu->addAction(tr("Discard results"), this, [this, id] { controller_.discard(id); });
  discard->setObjectName(QStringLiteral("discardRun"));
  discard->setEnabled(started);
  discard->setToolTip(started ? tr("Takes away what this run has computed; undo brings it back")
                              : tr("The run has not been started"));
  menu->addAction(tr("Remove run"), this, [this, id] { controller_.removeRun(id); });
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
                 this, [this, id] { board_->focusTile(board_->focusedTile() == id ? -1 : id); });
  menu.addSeparator();
  menu.addAction(tr("Copy figure"), this, [this, tile] {
    copyFigure(tile->view().grabImage(figureScale), tile->caption());
  });
  menu.addAction(tr("Export figure…"), this, [this, tile] {
    saveFigure(tile->view().grabImage(figureScale), tile->caption());
  });
  if (id != SliceTile::referenceId) {
    menu.addSeparator();
    addRunActions(&menu, id);
  }
  menu.exec(global);
}

void MainWindow::saveFigure(const QImage& picture, const QString& caption) {
  QString path = QFileDialog::getSaveFileName(
      this, tr("Export figure"), QStringLiteral("figure.png"), tr("PNG picture (*.png)"));
  if (path.isEmpty()) return;
  if (!path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) path += QStringLiteral(".png");
  try {
    save_png(figure_with_caption(picture, caption), path, files_->access());
    status_->showMessage(tr("Saved %1").arg(path));
  } catch (const Error& error) {
    banners_->show(tr("Export figure"), Banners::Kind::error, QString::fromUtf8(error.what()));
  }
}

void MainWindow::copyFigure(const QImage& picture, const QString& caption) {
  QApplication::clipboard()->setImage(figure_with_caption(picture, caption));
  status_->showMessage(tr("Copied, with its caption"));
}

Tour* MainWindow::startTour() {
  applyLayout(0);
  const auto tiles = board_->tiles();
  QWidget* first_tile = tiles.empty() ? static_cast<QWidget*>(board_) : tiles.back();
  auto* tour = new Tour(
      {{experimentDock_, tr("Experiment"),
        tr("Where the data come from: a phantom with exact line integrals, a volume or DICOM "
           "series to simulate from, or a measured scan. Below it geometry, grid and noise. "
           "Every edit can be undone; what opens another experiment asks about unsaved work.")},
       {sketch_, tr("The scan in space"),
        tr("Source, detector, volume and field of view, with every sign as an arrow: the gantry "
           "angle, columns u, rows v. Drag to turn it.")},
       {runsDock_, tr("Runs"),
        tr("Each run is a solver with a projector, a device and parameters. Add or duplicate one, "
           "change a setting, compare. Editing never starts a run by itself.")},
       {findChild<QToolBar*>(QStringLiteral("toolbar")), tr("Control"),
        tr("Run, pause, one iteration, one subset; stop and keep the result; go on. A button that "
           "cannot be used says why.")},
       {board_, tr("The picture"),
        tr("Reference and runs side by side, linked: drag for window and level, wheel for slices, "
           "Shift+drag to move, right drag to zoom. Double click shows one view alone.")},
       {first_tile, tr("Differences"),
        tr("Below each view: the estimate, or its difference to the reference or another run, with "
           "a colour map centred on zero (key D).")},
       {viewBar_, tr("Scale"),
        tr("All linked views share window and level, in 1/mm or HU. Auto fits them to the data.")},
       {convergenceDock_, tr("Convergence"),
        tr("RMSE, SSIM, PSNR, residual and more of all runs, over iterations, projector "
           "applications or seconds.")},
       {profileDock_, tr("Profile"),
        tr("Press L and drag a line on any view: it appears on all, and the chart shows every run "
           "along it. Histogram and notes are beside it.")},
       {measureDock_, tr("Measure"),
        tr("Draw a region and a background for the contrast-to-noise ratio, or take the profile "
           "line across an edge for its width. Neither needs a truth.")},
       {sinogramDock_, tr("Sinogram"),
        tr("The data, what the estimate would have measured, and what is left between them. "
           "Hovering turns the sketch to that view.")}},
      this);
  connect(tour, &Tour::stopShown, this, [this](QWidget* target) {
    if (auto* dock = qobject_cast<QDockWidget*>(target)) dock->raise();
    if (target == sketch_) experimentDock_->raise();
  });
  tour->begin();
  return tour;
}

}  // namespace gantry
