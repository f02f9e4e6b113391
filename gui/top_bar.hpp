#pragma once

#include "gui/panels/panel.hpp"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QMenuBar;
class QToolBar;

namespace gantry {

class ElidingLabel;

/// The bar at the top of the window, in one line: the menus, the name of the experiment with what
/// its data are, the actions on all runs, and the workspaces.
class TopBar : public QWidget {
  Q_OBJECT
 public:
  explicit TopBar(QWidget* parent = nullptr);

  QMenuBar* menus() const { return menus_; }
  QToolBar* tools() const { return tools_; }
  void setExperiment(const QString& name, const QString& details);
  /// Shows why runs that would be started anew do not fit into memory; empty: nothing to say.
  void setRefusal(const QString& why);
  /// Marks the workspace that a layout belongs to. While nothing is open, the bar has the menus
  /// only.
  void setWorkspace(WindowLayout layout);
  /// Offers Space, or says why not.
  void offerSpace(bool offered);
  QAction* spaceAction() const { return space_; }
  /// Goes to a workspace, counted from 0 at the left, if there is one and it is offered.
  void chooseWorkspace(int index);

 signals:
  void workspaceChosen(gantry::WindowLayout layout);

 private:
  QWidget* makeWorkspaces();

  QMenuBar* menus_;
  QLabel* name_;
  ElidingLabel* details_;
  QLabel* refusal_;
  QToolBar* tools_;
  QButtonGroup* workspaces_;
  QWidget* workspaceBox_;
  QAction* space_;
};

}  // namespace gantry
