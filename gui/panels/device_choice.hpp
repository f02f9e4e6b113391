#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace gantry {

/// Where a run computes: the choice of the device, what it needs there and why it is there, and a
/// button that runs the same on the other device beside it. Where there is only the CPU it says so
/// and offers nothing.
class DeviceChoice : public QWidget {
  Q_OBJECT
 public:
  DeviceChoice(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
               RunController& controller, QWidget* parent = nullptr);

  /// Shows this run; it has to exist.
  void showRun(int id);

 signals:
  void chosen(const QString& key);
  /// The run that was added to compare with.
  void added(int id);

 private:
  void fill();
  void showChoice(const RunSpec& run);
  void showPlan(const RunSpec& run);
  void showComparison(const RunSpec& run, const QString& computes_on);
  const BackendList::Entry* otherThan(const QString& key) const;
  QString whyNot(RunSpec copy) const;
  void compare();

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  int id_ = -1;
  QString other_;  // key of the device to compare with
  QComboBox* choice_;
  QLabel* only_;
  QLabel* needs_;
  QPushButton* compare_;
};

}  // namespace gantry
