#pragma once

#include "gui/worker/run_controller.hpp"

#include <QObject>

class QLabel;
class QStatusBar;

namespace gantry {

/// The window's status bar: what each active run does and how long it will take, memory, and the
/// value under the cursor.
class StatusLine : public QObject {
  Q_OBJECT
 public:
  StatusLine(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
             RunController& controller, QStatusBar* bar);

  /// The run whose device is told.
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

/// "21 ms", "3.4 s", "12 min"
QString duration_text(double seconds);

}  // namespace gantry
