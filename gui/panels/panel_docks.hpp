#pragma once

#include "gui/help/tour.hpp"
#include "gui/panels/panel.hpp"

#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;

namespace gantry {

/// The docks of the main window: one for every panel of panel_list(), with its entries in menus and
/// its stops in the tour.
class PanelDocks : public QObject {
  Q_OBJECT
 public:
  /// Makes all panels and puts them into docks of `window`.
  PanelDocks(const PanelContext& context, QMainWindow* window);

  /// Returns the dock of a panel, the action that opens the panel, or its figure. `key` is that of
  /// a panel; for figure(), of one that has a figure.
  QDockWidget* dock(const QString& key) const { return at(key).dock; }
  QAction* openAction(const QString& key) const { return at(key).open; }
  PanelFigure figure(const QString& key) const { return at(key).figure(); }

  /// Shows a panel in front of the others. A panel that is closed in a window of its own opens over
  /// the middle of the main window.
  void open(const QString& key);
  /// Docks every panel where its description says, and shows those of this layout. Panels in a
  /// window of their own stay as they are.
  void apply(WindowLayout layout);

  /// Adds an entry per panel that opens or closes it.
  void addToggles(QMenu* menu) const;
  /// Adds an entry per panel with a figure; `use` gets the figure when the entry is chosen.
  void addFigures(QMenu* menu, const std::function<void(const PanelFigure&)>& use) const;
  /// Returns the stops of the tour in this area, in the order of the list.
  std::vector<Tour::Stop> tourStops(Qt::DockWidgetArea area) const;

 private:
  struct Entry {
    const PanelSpec* spec;
    QDockWidget* dock;
    QAction* open;
    std::function<PanelFigure()> figure;
  };
  void add(const PanelSpec& spec, const PanelContext& context);
  const Entry& at(const QString& key) const;
  void arrange();
  void resize(bool is_wide);
  std::vector<const Entry*> column(Qt::DockWidgetArea area) const;

  QMainWindow* window_;
  std::vector<Entry> entries_;
};

}  // namespace gantry
