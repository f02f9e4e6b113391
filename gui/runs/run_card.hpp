#pragma once

#include "core/worker/sweep/criterion.hpp"
#include "gui/worker/run_controller.hpp"

#include <QFrame>

class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QToolButton;

namespace gantry {

class ElidingLabel;

/// A run in the rail: its colour, name, the idea of its solver, progress and latest error, with
/// buttons that control this run alone. A double click on the name renames the run.
class RunCard : public QFrame {
  Q_OBJECT
 public:
  RunCard(int id, const Catalog& catalog, ExperimentModel& model, RunController& controller,
          QWidget* parent);

  int id() const { return id_; }
  QString name() const;
  QString state() const;
  void setSelected(bool selected);
  /// Sets what the button with the eye says: whether the stage shows the run.
  void setShown(bool shown);
  /// Shows name, colour and idea of the run as it is now.
  void showRun();
  /// Shows iteration, state and metric as they are now.
  void showState();

 signals:
  void pressed(int id);
  /// Emitted for the menu of the run, at a point of the screen.
  void menuRequested(int id, const QPoint& global);
  void shownChanged(int id, bool shown);  ///< by the button with the eye

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QToolButton* addButton(const QString& icon, const QString& name);
  void makeButtons();
  void showMetric();
  void setMetric(const QString& name, const QString& number);
  void showPin();
  void rename();
  void startOrPause();

  int id_;
  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  const std::vector<Criterion> criteria_;
  bool selected_ = false;
  QLabel* name_;
  QLineEdit* edit_;
  QLabel* iteration_;
  ElidingLabel* idea_;
  QProgressBar* progress_;
  ElidingLabel* metric_;
  QToolButton* play_;
  QToolButton* step_;
  QToolButton* stop_;
  QToolButton* eye_;
  QToolButton* pin_;
  QToolButton* more_;
};

/// Returns the state of a run as text: "running", "paused", ...
QString stateText(const RunStatus& status);

}  // namespace gantry
