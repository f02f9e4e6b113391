#pragma once

#include "gui/models/run_status.hpp"

#include <QObject>

#include <optional>

namespace gantry {

/// What the progress of runs is measured by.
enum class ProgressAxis { iterations, applications, seconds };

/// Returns how far an iterate is.
double progress_along(ProgressAxis axis, const RunProgress& progress);

/// The moment of the runs that the views show: a position along the curves, or the latest estimates
/// ("live").
class Playhead : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  std::optional<double> position() const { return position_; }  ///< none: live
  ProgressAxis axis() const { return axis_; }
  void set(ProgressAxis axis, double position);
  /// Measures progress by another axis. The playhead stays at the iterate of `run` that it shows.
  void setAxis(ProgressAxis axis, const RunStatus& run);
  void goLive();

  /// Returns the kept iterate of a run at the playhead: the latest that is not beyond it, else the
  /// first. Null if the playhead is live or the run keeps none.
  const KeptIterate* iterateOf(const RunStatus& run) const;
  /// Moves to the kept iterate of a run that comes so many after the present one; beyond the last
  /// one the playhead is live.
  void step(const RunStatus& run, int iterates);

 signals:
  void moved();

 private:
  std::optional<double> position_;
  ProgressAxis axis_ = ProgressAxis::iterations;
};

}  // namespace gantry
