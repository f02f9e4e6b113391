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

/// Where a run computes: the choice of the device, what it needs there and why it is there, and an
/// action that runs the same on the other device beside it. Where there is only the CPU it says so
/// and offers nothing.
class DeviceChoice : public QWidget {
  Q_OBJECT
 public:
  DeviceChoice(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
               RunController& controller, QWidget* parent = nullptr);

  /// Shows this run; -1: none.
  void showRun(int id);
  /// For menus and bars; not visible where there is nothing to compare with.
  QAction* compareAction() const { return compare_; }

 signals:
  void chosen(const QString& key);
  /// The run that was added to compare with.
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
  QString other_;  // key of the device to compare with
  QComboBox* choice_;
  QLabel* only_;
  QLabel* needs_;
  QAction* compare_;
};

}  // namespace gantry
