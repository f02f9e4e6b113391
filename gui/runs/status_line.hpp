#pragma once

#include "gui/worker/run_controller.hpp"

#include <QObject>

class QLabel;
class QStatusBar;

namespace gantry {

/// The status bar of the window: progress and remaining time of the runs, memory, and the value
/// under the cursor.
class StatusLine : public QObject {
  Q_OBJECT
 public:
  StatusLine(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
             RunController& controller, QStatusBar* bar);

  /// Sets the run whose progress and device are shown first.
  void setSelectedRun(int id);
  void setReadout(const QString& text);
  void showMessage(const QString& text);

 private:
  void refresh();
  void refreshMemory();
  QString progressOf(int id) const;
  QString deviceOf(const RunSpec& run, const MemoryEstimate& plan, std::size_t all_bytes) const;

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  int selected_ = -1;
  QStatusBar* bar_;
  QLabel* runs_;
  QLabel* memory_;
  QLabel* readout_;
};

/// Returns a duration as text: "21 ms", "3.4 s", "12 min".
QString duration_text(double seconds);

}  // namespace gantry
