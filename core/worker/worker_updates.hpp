#pragma once

#include "core/io/imports/damaged_files.hpp"
#include "core/job/reconstruction_job.hpp"
#include "core/worker/kept_iterates.hpp"

#include <compare>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gantry {

/// Identifies one start of a run, so that events of an earlier start can be recognised and dropped.
struct RunId {
  int run = 0, epoch = 0;
  friend auto operator<=>(const RunId&, const RunId&) = default;
};

enum class RunState { idle, running, paused, finished, stopped, failed };

/// What a viewer wants to see of a run after each iteration.
struct ViewRequest {
  struct Slice {
    Axis axis = Axis::axial;
    int index = 0;
    friend bool operator==(const Slice&, const Slice&) = default;
  };
  std::vector<Slice> slices;
  bool edges = false;       ///< the same slices of the edge field of the prior, if it has one
  bool projection = false;  ///< A x, for the sinogram view; updated less often if it is expensive
  friend bool operator==(const ViewRequest&, const ViewRequest&) = default;
};

/// The latest state of a run. A newer snapshot replaces one that was not collected.
struct RunSnapshot {
  RunId id;
  RunState state = RunState::idle;
  int iterations = 0, planned_iterations = 0;
  double part_of_iteration = 0;               ///< 0 .. 1, of the iteration under way
  double seconds = 0;                         ///< spent computing
  std::size_t held_bytes = 0;                 ///< memory of the run and its data
  std::optional<RelaxationRange> relaxation;  ///< once known, if the method has one
  std::optional<MatrixStorage> matrix;        ///< of a run with a stored matrix, once it is built
  std::vector<std::shared_ptr<const SliceImage>> slices;  ///< as requested, in that order
  /// The same slices of the edge field, if they were requested and the prior has one.
  std::vector<std::shared_ptr<const SliceImage>> edge_slices;
  std::shared_ptr<const std::vector<float>>
      projection;  ///< of a recent iterate; null if not wanted
};

// Events arrive in order, and none is dropped.
struct DataReady {
  int ticket;
  std::shared_ptr<const ExperimentData> data;
};
struct DataFailed {
  int ticket;
  std::string message;
  std::shared_ptr<const UnevenSeries> uneven = {};   ///< if that is the reason
  std::shared_ptr<const DamagedFiles> damaged = {};  ///< likewise
};
struct DataCancelled {
  int ticket;
};
struct DataProgress {
  int ticket;
  double done;
  std::string what;
};
/// What a run computes from now on: its settings and the stages before them. Sent again if the run
/// gets more iterations, or a rule that had ended it is lifted.
struct RunBegan {
  RunId id;
  RunSpec spec;  ///< computes all of the run again
};
struct IterationDone {
  RunId id;
  HistoryEntry entry;
  std::shared_ptr<const Reference> reference;  ///< of its metrics; null: none
};
/// The entry of the last iteration with metrics that were computed later, or with the reason why
/// they could not be computed.
struct EntryChanged {
  RunId id;
  HistoryEntry entry;
  /// Of the metrics that were computed; null if only those of regions were.
  std::shared_ptr<const Reference> reference;
};
/// Metrics of an earlier iteration that were taken again, against another reference.
struct IterateMeasured {
  RunId id;
  int iteration;
  ImageMetrics metrics;
  std::shared_ptr<const Reference> reference;
};
struct StateChanged {
  RunId id;
  RunState state;
  std::string message;
};

/// An image of a run that can be requested whole.
enum class RunImage { estimate, edge_field };

struct VolumeReady {
  RunId id;
  int ticket;
  int iterations;
  std::shared_ptr<const std::vector<float>> mu;  ///< null if it could not be copied
  std::string problem = {};                      ///< the reason
};
struct ProgressReady {
  RunId id;
  int ticket;
  std::string backend;                          ///< key of the device where the run computes
  std::shared_ptr<const RunProgress> progress;  ///< null if not available
};
/// The iterates of a run that are kept, after one has been added or dropped.
struct IteratesChanged {
  RunId id;
  std::shared_ptr<const IterateList> iterates;
};
using WorkerEvent = std::variant<DataReady, DataFailed, DataCancelled, DataProgress, RunBegan,
                                 IterationDone, EntryChanged, IterateMeasured, StateChanged,
                                 VolumeReady, ProgressReady, IteratesChanged>;

/// Everything that the worker has reported since the last call.
struct WorkerUpdates {
  std::vector<WorkerEvent> events;
  std::vector<std::shared_ptr<const RunSnapshot>> snapshots;  ///< at most one per run
};

/// Passes news from the worker's thread to the thread that collects them.
class EventQueue {
 public:
  /// `wake` is called by the thread that adds news, once until they are collected.
  explicit EventQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  void add(WorkerEvent event);
  /// Replaces the run's earlier snapshot. An event given with it is collected together with it.
  void add(std::shared_ptr<const RunSnapshot> snapshot, std::optional<WorkerEvent> event);

  /// Removes the run's snapshot if it was not collected yet.
  void drop_snapshot(int run);

  WorkerUpdates take();

 private:
  void add_with(const std::function<void(WorkerUpdates&)>& add);

  std::function<void()> wake_;
  std::mutex mutex_;  // guards the news
  WorkerUpdates news_;
};

}  // namespace gantry
