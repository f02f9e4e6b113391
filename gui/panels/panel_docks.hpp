#pragma once

#include "gui/help/tour.hpp"
#include "gui/panels/panel.hpp"

#include <QObject>

#include <functional>
#include <map>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;
class QToolBar;

namespace gantry {

class Rail;

/// The panels of the main window, in their places: the steps in the rail, and every other panel in
/// a dock. Their entries in menus and their stops in the tour are made here as well.
class PanelDocks : public QObject {
  Q_OBJECT
 public:
  /// Makes all panels and puts them into `window`.
  PanelDocks(const PanelContext& context, QMainWindow* window);

  Rail& rail() const { return *rail_; }
  /// Returns the action that opens a panel, or the figure of one that has a figure.
  QAction* openAction(const QString& key) const { return at(key).open; }
  PanelFigure figure(const QString& key) const { return at(key).figure(); }

  /// Shows a panel in front of the others.
  void open(const QString& key);
  /// Returns whether a widget is in a panel behind another tab, or tabs that are not needed. Qt
  /// counts both as visible.
  bool isCovered(const QWidget* part) const;
  /// Shows the panel that a widget is in, or is.
  void bringToFront(QWidget* part);
  /// Puts every panel where its description says, and shows those of this layout.
  void apply(WindowLayout layout);

  /// Lets messages of this height below the stage take their room from the track, as far as it has
  /// some, so that the pictures stay where they are. 0: there are none.
  void makeRoom(int height);

  /// Adds an entry for the rail, and one for each panel in a dock, that opens or closes it.
  void addToggles(QMenu* menu) const;
  /// Adds an entry per panel with a figure; `use` gets the figure when the entry is chosen.
  void addFigures(QMenu* menu, const std::function<void(const PanelFigure&)>& use) const;
  /// Returns the stops of the tour in this place, in the order of the list.
  std::vector<Tour::Stop> tourStops(PanelPlace place) const;

 private:
  struct Entry {
    const PanelSpec* spec;
    QWidget* part;      // the dock; of a step, the step
    QDockWidget* dock;  // of a step, that of the rail
    QAction* open;
    std::function<PanelFigure()> figure;
  };
  void addRail();
  void add(const PanelSpec& spec, const PanelContext& context);
  QDockWidget* makeDock(const PanelSpec& spec, QWidget* panel);
  const Entry& at(const QString& key) const;
  void dockInPlace(const PanelSpec& spec, QDockWidget& dock);
  void arrange();
  void resize();
  QDockWidget* shownTrack() const;
  int tabsAbove(const QDockWidget& track) const;
  void setTrackHeight(int height);
  bool hasCurves() const;
  void showTrackOnceItHasCurves();

  const ExperimentModel& model_;
  const RunController& controller_;
  QMainWindow* window_;
  Rail* rail_;
  QDockWidget* railDock_;
  QToolBar* inspectorBar_;
  std::vector<Entry> entries_;
  WindowLayout layout_ = WindowLayout::start;
  int takenFromTrack_ = 0, roomWanted_ = 0;          ///< pixels, by makeRoom()
  bool isSettling_ = false;                          ///< after the change of the workspace
  bool waitsForCurves_ = false;                      ///< the track, in Space
  std::map<QDockWidget*, WindowLayout> closedWith_;  ///< inspectors, and where they were open
};

}  // namespace gantry
