#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "gui/help/tour.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/models/playhead.hpp"
#include "gui/models/selection.hpp"
#include "gui/panels/panel.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/worker/run_controller.hpp"

#include <QMainWindow>

#include <functional>
#include <vector>

class QMenu;
class QMenuBar;
class QTabWidget;

namespace gantry {

class Banners;
class ChartView;
class ConvergencePanel;
class DataBoard;
class FileActions;
class FormulaPanel;
class LessonStrip;
class MatrixExplorer;
class NotesPanel;
class PanelDocks;
class PendingBar;
class Preview;
class ProfilePanel;
class RaceBoard;
class RunActions;
class RunsPanel;
class RunEditor;
class SinogramPanel;
class SliceBoard;
class SpaceBoard;
class SweepBoard;
class StartPage;
class StatusLine;
class TopBar;
class UnsavedWork;
class ViewBar;
class VolumeLook;
struct Lesson;

/// Makes the parts of the window and connects them. Its docks are those of panel_list().
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(const Catalog& catalog, const BackendList& backends, const QString& version);
  ~MainWindow() override;

  /// Opens the experiment of a first start and starts its runs.
  void openReadyExperiment();
  void open(const QString& path);
  /// Shows the start page, with nothing open.
  void showStartPage();
  StartPage& startPage() { return *start_; }

  const Catalog& catalog() const { return catalog_; }
  ExperimentModel& model() { return model_; }
  RunController& controller() { return controller_; }
  ViewState& viewState() { return state_; }
  const Selection& selection() const { return selection_; }
  Playhead& playhead() { return playhead_; }
  const Preview& preview() { return *preview_; }
  SliceBoard& board() { return *board_; }
  DataBoard& data() { return *data_; }
  VolumeLook& look() { return *look_; }
  SpaceBoard& space() { return *space_; }
  SweepBoard& sweep() { return *sweep_; }
  RaceBoard& race() { return *race_; }
  QTabWidget& sweepPages() { return *sweeps_; }
  LessonStrip& lesson() { return *lessonStrip_; }
  FileActions& files() { return *files_; }
  RunActions& runActions() { return *runActions_; }
  Banners& banners() { return *banners_; }
  ConvergencePanel& convergence() { return *convergence_; }
  ProfilePanel& profile() { return *profile_; }
  SinogramPanel& sinogram() { return *sinogram_; }
  RunsPanel& runs() { return *runs_; }
  MatrixExplorer& matrix() { return *matrix_; }
  NotesPanel& notes() { return *notes_; }
  PanelDocks& panels() { return *panels_; }
  UnsavedWork& unsavedWork() { return *unsaved_; }
  void applyLayout(WindowLayout layout);
  WindowLayout layout() const { return layout_; }
  /// Returns sizes and places of panels and toolbars, and restores them.
  QByteArray arrangement() const;
  void arrange(const QByteArray& arrangement);
  enum class Kept { all, nothing, cancelled };
  /// Saves what is open and reports the outcome.
  using Keeper = std::function<void(const std::function<void(Kept)>& report)>;
  /// Sets what is called when the window is to close. Without a keeper, and where nothing was kept,
  /// the user is asked about unsaved work.
  void setKeeper(Keeper keeper) { keeper_ = std::move(keeper); }
  /// Returns the menus of the top bar. That of QMainWindow would take the place of the top bar.
  QMenuBar* menuBar() const;
  Tour* startTour();
  /// Returns the figure of the view that is active in this workspace, or of all its views; without
  /// a picture where there is none.
  PanelFigure figureOfActiveView() const;
  PanelFigure figureOfAllViews() const;
  /// Makes a menu of the actions on one run; the caller shows and deletes it.
  QMenu* runMenu(int id);

 signals:
  void layoutChanged();  ///< by applyLayout()

 protected:
  /// Follows the layout, whenever parts were made, and passes over the panels that stand behind
  /// another tab, which Qt counts as visible.
  bool focusNextPrevChild(bool next) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  /// Keeps the pictures where they are when messages come and go.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeCentre();
  void makePanels();
  void makeTopBar();
  void addRefusal();
  void makeMenus();
  void makeFileMenu();
  void makeEditMenu();
  void makeRunMenu();
  void addRounding(QMenu* menu);
  void makeViewMenu();
  void makeLessonsMenu();
  void makeHelpMenu();
  void exportProfile();
  void saveText(const QString& title, const QString& proposal, const QString& text);
  void connectCharts();
  void openChartMenu(ChartView& chart, const QString& name,
                     const std::function<PanelFigure()>& figure, const QPoint& global);
  void makeShortcuts();
  void stepPlayhead(int iterates);
  std::vector<Tour::Stop> centreStops();
  void connectParts();
  void connectData();
  void offerProjections(const SourceSpec& source);
  void openDropped(const QStringList& paths);
  void leaveWhatCannotBeRead();
  void connectQuestions();
  void watchTrials();
  void connectMessages();
  void connectFailures();
  void addRunActions(QMenu* menu, int id);
  void showMenuOf(int id, const QPoint& global);
  void saveResultOf(int id);
  void showSubtitle();
  void showViewBar();
  void makeRoomForMessages();
  void connectNotes();
  void showNotes();
  void askAboutUnit(const QString& note);
  void askAboutSweep(const QString& question, bool computes);
  void sendRequest();
  void showSomething();
  void leaveStartPage();
  void startLesson(const Lesson& lesson);
  void saveFigure(const PanelFigure& figure);
  const QWidget* pageOfViews() const;
  QString subjectOfViews() const;
  void copyFigure(const PanelFigure& figure);
  void saveFilm();
  void tellSaved(const QString& subject, const QString& path);
  void showFilm();
  void updateTitle();
  void setOpening(const QString& name);
  void rememberLayout();
  void goTo(WindowLayout workspace);
  void toggleFullScreen();
  void togglePresenting();
  void setLightStage(bool light);
  void offerSpace();

  const Catalog& catalog_;
  const BackendList& backends_;
  QString version_;
  ExperimentModel model_;
  RunController controller_;
  ViewState state_;
  Selection selection_;
  Playhead playhead_;
  Preview* preview_;
  PendingBar* pending_;
  Banners* banners_;
  LessonStrip* lessonStrip_;
  StartPage* start_;
  SliceBoard* board_;
  VolumeLook* look_;
  DataBoard* data_;
  SpaceBoard* space_;
  SweepBoard* sweep_;
  RaceBoard* race_;
  QTabWidget* sweeps_;  // both
  ViewBar* viewBar_;
  PanelDocks* panels_;
  TopBar* top_;
  QMenu* workspaces_;
  WindowLayout beforePresenting_ = WindowLayout::compare, layout_ = WindowLayout::compare,
               beforeLooking_ = WindowLayout::compare;
  std::optional<Vec3> pointBeforeLooking_;
  std::optional<WindowLayout> beforeChoosing_;  // while the user chooses a series
  RunsPanel* runs_;
  RunEditor* editor_;
  ConvergencePanel* convergence_;
  ProfilePanel* profile_;
  SinogramPanel* sinogram_;
  MatrixExplorer* matrix_;
  NotesPanel* notes_;
  FormulaPanel* formula_;
  FileActions* files_;
  RunActions* runActions_;
  StatusLine* status_;
  QAction* film_;
  UnsavedWork* unsaved_;
  QByteArray beforeStart_;       // state of the panels while the start page is shown
  QByteArray beforeFullScreen_;  // state of the panels; empty: nothing to restore
  bool isLooking_ = false;       // at a volume whose data are on their way
  bool wereActive_ = false;      // whether runs computed at the latest change of their states
  Keeper keeper_;
  bool hasKept_ = false;  // keeper_ has been called
  bool closing_ = false;  // nothing is lost, or the user has agreed to lose it
  QString opening_;       // name of what is being loaded; empty: nothing
  QStringList shownNotes_;
  QStringList closedNotes_;  // by the user, about the source below
  std::string notedSource_;
  QString askedUnit_;     // the note about the unit that was shown last
  QStringList failures_;  // subjects of banners about files
};

}  // namespace gantry
