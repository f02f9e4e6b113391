#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <optional>

class QAction;
class QComboBox;
class QLabel;

namespace gantry {

/// Lets the user choose the device of a run. Shows the memory that the run needs and why "auto"
/// chose the device. An action adds the same run on another device, for comparison. Where there is
/// only the CPU, the widget shows "CPU" and no choice.
class DeviceChoice : public QWidget {
  Q_OBJECT
 public:
  DeviceChoice(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
               RunController& controller, QWidget* parent = nullptr);

  /// Shows this run; -1 for none.
  void showRun(int id);
  /// Returns the action that adds the same run on another device; invisible where there is no other
  /// device.
  QAction* compareAction() const { return compare_; }

 signals:
  void chosen(const QString& key);
  /// Emitted with the id of the run that compareAction() added.
  void added(int id);

 private:
  void fill();
  void showChoice(const RunSpec& run);
  void showPlan(const RunSpec& run);
  void forgetPlan();
  QString describe(const RunSpec& run, const MemoryEstimate& plan);
  void showComparison(const RunSpec& run, const QString& computes_on);
  const BackendList::Entry* otherThan(const QString& key) const;
  std::optional<QString> whyNot(RunSpec copy) const;
  void compare();

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  int id_ = -1;
  QString other_;  // key of the other device
  QComboBox* choice_;
  QLabel* only_;
  QLabel* needs_;
  QAction* compare_;
};

}  // namespace gantry
