#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "gui/widgets/figure.hpp"

#include <QFlags>
#include <QKeySequence>
#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace gantry {

class Banners;
class ExperimentModel;
class FileActions;
class Playhead;
class RunController;
class Selection;
class SliceBoard;
class ViewState;

/// What panels show and change. All of it outlives the panels. Panels learn the selected run after
/// all of them have been made.
struct PanelContext {
  const Catalog& catalog;
  const BackendList& backends;
  ExperimentModel& model;
  RunController& controller;
  ViewState& state;
  Selection& selection;
  Playhead& playhead;
  SliceBoard& board;
  Banners& banners;
  FileActions& files;
};

/// What a maker of panels returns.
struct Panel {
  QWidget* widget;
  std::function<PanelFigure()> figure = {};  ///< empty: the panel has no figure to export
  std::function<QString()> summary = {};     ///< of a step: its state, in one line
};

/// The arrangements of the window that its top bar and its View menu offer.
enum class WindowLayout {
  compare = 1,  ///< all tiles, with rail and track
  single = 2,   ///< one tile, with rail and track
  space = 8,    ///< the selected run in three planes and as a volume, with rail and track
  sweep = 16,   ///< the selected run with several values of a parameter, with rail
  data = 32,    ///< what was opened, with rail
  present = 4,  ///< all tiles and the track, without forms, in large type
  start = 64    ///< nothing is open: the start page alone
};
Q_DECLARE_FLAGS(WindowLayouts, WindowLayout)
Q_DECLARE_OPERATORS_FOR_FLAGS(WindowLayouts)

/// Where a panel stands.
enum class PanelPlace {
  step,      ///< a step of the rail at the left
  track,     ///< a tab of the track below the tiles
  inspector  ///< at the right, when it is asked for; its title bar makes it a window
};

/// A panel of the window. Its place, its entries in menus, layouts and the tour follow from this
/// description.
struct PanelSpec {
  QString key = {};  ///< object name of the step or dock, by which stored layouts find it
  QString title = {};
  PanelPlace place = PanelPlace::inspector;
  WindowLayouts layouts = {};  ///< the layouts that show the panel; for a step, the rail
  QString icon = {};           ///< of the inspector's button, and of a step in the folded rail
  QString command = {};        ///< text of the action that opens the panel; empty: its title
  QKeySequence shortcut = {};  ///< of that action
  QString help = {};           ///< tool tip of the entries in menus
  QString tour = {};           ///< what the tour says of the panel; empty: the tour leaves it out
  std::function<Panel(const PanelContext&)> make = {};
};

/// Returns all panels, in the order of the View menu.
const std::vector<PanelSpec>& panel_list();

}  // namespace gantry
