#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/worker/run_controller.hpp"

#include <QMainWindow>

#include <functional>

class QDockWidget;
class QLabel;
class QMenu;

namespace gantry {

class Banners;
class ConvergencePanel;
class FileActions;
class GeometryPanel;
class GeometryView;
class HistogramPanel;
class LessonStrip;
class MatrixExplorer;
class MeasurePanel;
struct Lesson;
class ProfilePanel;
class RunActions;
class RunsPanel;
class RunEditor;
class SinogramPanel;
class SliceBoard;
class SourcePanel;
class StatusLine;
class Tour;
class UnsavedWork;
class ViewBar;

/// Puts the parts of the window together and connects them; each part does its own work.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(const Catalog& catalog, const BackendList& backends, const QString& version);
  ~MainWindow() override;

  /// The experiment that greets a newcomer, already running.
  void openReadyExperiment();
  void open(const QString& path);

  const Catalog& catalog() const { return catalog_; }
  ExperimentModel& model() { return model_; }
  RunController& controller() { return controller_; }
  ViewState& viewState() { return state_; }
  SliceBoard& board() { return *board_; }
  FileActions& files() { return *files_; }
  RunActions& runActions() { return *runActions_; }
  Banners& banners() { return *banners_; }
  ConvergencePanel& convergence() { return *convergence_; }
  ProfilePanel& profile() { return *profile_; }
  SinogramPanel& sinogram() { return *sinogram_; }
  RunsPanel& runs() { return *runs_; }
  MatrixExplorer& matrix() { return *matrix_; }
  Tour* startTour();
  /// What can be done with one run; the caller shows and deletes it.
  QMenu* runMenu(int id);

  UnsavedWork& unsavedWork() { return *unsaved_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeCentre();
  void makeDocks();
  void makeToolBar();
  void makeMenus();
  void makeFileMenu();
  void makeEditMenu();
  void makeRunMenu();
  void makeViewMenu();
  void makeHelpMenu();
  void exportProfile();
  void makeShortcuts();
  void connectParts();
  void connectMessages();
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* content,
                       Qt::DockWidgetArea area);
  void applyLayout(int layout);
  void openMatrix();
  void addRunActions(QMenu* menu, int id);
  void showMenuOf(int id, const QPoint& global);
  void showNotes();
  void sendRequest();
  void showSomething();
  void startLesson(const Lesson& lesson);
  void saveFigure(const QImage& picture, const QString& caption);
  void copyFigure(const QImage& picture, const QString& caption);
  void updateTitle();
  void rememberLayout();
  void toggleFullScreen();

  const Catalog& catalog_;
  const BackendList& backends_;
  QString version_;
  ExperimentModel model_;
  RunController controller_;
  bool stoodBy_ = false;  // the ready experiment, once
  ViewState state_;
  Banners* banners_;
  LessonStrip* lessonStrip_;
  SliceBoard* board_;
  ViewBar* viewBar_;
  SourcePanel* source_;
  GeometryPanel* geometry_;
  GeometryView* sketch_;
  RunsPanel* runs_;
  RunEditor* editor_;
  ConvergencePanel* convergence_;
  ProfilePanel* profile_;
  HistogramPanel* histogram_;
  SinogramPanel* sinogram_;
  MatrixExplorer* matrix_;
  FileActions* files_;
  RunActions* runActions_;
  StatusLine* status_;
  UnsavedWork* unsaved_;
  QByteArray beforeFullScreen_;  // state of panels; empty: there is nothing to go back to
  bool closing_ = false;         // asked already
  QStringList shownNotes_;
  QDockWidget *experimentDock_, *runsDock_, *convergenceDock_, *profileDock_, *measureDock_,
      *histogramDock_, *notesDock_, *sinogramDock_, *matrixDock_;
};

}  // namespace gantry
