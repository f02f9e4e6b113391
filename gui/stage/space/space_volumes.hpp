#pragma once

#include "core/data/oblique_slice.hpp"
#include "gui/models/playhead.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace gantry {

/// The whole volumes of runs and of the reference, as they are in memory, and oblique cuts of them.
class SpaceVolumes : public QObject {
  Q_OBJECT
 public:
  using Values = std::shared_ptr<const std::vector<float>>;

  SpaceVolumes(RunController& controller, const Playhead& playhead, QObject* parent = nullptr);

  /// Returns the volume of the reference (SliceTile::referenceId), or of a run: the kept iterate at
  /// the playhead, or the latest one. Null if there is none; the estimate of a run that keeps no
  /// iterates is asked for by ask().
  Values of(int id) const;
  /// Asks for the estimate of a run that keeps no iterates, unless that of its latest snapshot is
  /// there or on its way; arrived() tells when it is there.
  void ask(int id);

  /// Returns a cut of values; the same object as long as neither values nor plane change. Cuts of
  /// large volumes are made on another thread: until arrived(), the cut before is returned, or null
  /// if there is none.
  std::shared_ptr<const SliceImage> cut(int id, const VolumeGrid& grid, const Values& values,
                                        const ObliquePlane& plane);

 signals:
  void arrived();
  void failed(const QString& message);

 private:
  struct Cut {
    Values of;
    ObliquePlane plane;
    std::shared_ptr<const SliceImage> image;
    std::unique_ptr<LatestJob> job;  // makes the next one; null: none was made on a thread
  };
  void keepCut(int id, const Values& of, const ObliquePlane& plane, SliceImage image);

  RunController& controller_;
  const Playhead& playhead_;
  /// The estimate of a run that keeps no iterates, and the state of the run that was asked for.
  struct Asked {
    int epoch = -1, iterations = -1;
    double part_of_iteration = 0;
    bool waits = false;
    Values values = nullptr;
  };
  std::map<int, Asked> asked_;
  /// The estimate of a kept iterate, which is made anew each time if the iterate is rounded.
  struct Shown {
    std::shared_ptr<const RunProgress> of;
    Values values;
  };
  mutable std::map<int, Shown> shown_;
  std::map<int, Cut> cuts_;
};

}  // namespace gantry
