#pragma once

#include "core/job/reconstruction_job.hpp"

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

/// Identifies one start of one run: events of an earlier start can be told apart and dropped.
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
  bool projection = false;  ///< A x, for the sinogram view; taken less often when it is dear
  friend bool operator==(const ViewRequest&, const ViewRequest&) = default;
};

/// The latest look of a run. Latest wins: older ones are dropped when nobody took them.
struct RunSnapshot {
  RunId id;
  RunState state = RunState::idle;
  int iterations = 0, planned_iterations = 0;
  double part_of_iteration = 0;               ///< 0 .. 1 of the iteration under way
  double seconds = 0;                         ///< spent computing
  std::size_t held_bytes = 0;                 ///< what the run and its data take
  std::optional<RelaxationRange> relaxation;  ///< once known, where there is one
  std::optional<MatrixStorage> matrix;        ///< of a run on a stored matrix, once that is built
  std::vector<std::shared_ptr<const SliceImage>> slices;  ///< as requested, in that order
  std::shared_ptr<const std::vector<float>>
      projection;  ///< of some recent iterate; null when not asked for
};

// Events arrive in order and none is dropped.
struct DataReady {
  int ticket;
  std::shared_ptr<const ExperimentData> data;
};
struct DataFailed {
  int ticket;
  std::string message;
  std::shared_ptr<const UnevenSeries> uneven = {};  ///< where that is why
};
struct DataCancelled {
  int ticket;
};
struct DataProgress {
  int ticket;
  double done;
  std::string what;
};
/// What a run computes from now on: its settings and the stages before them, as they have become.
/// Told again where a rule that had ended the run is lifted, so that it can go on.
struct RunBegan {
  RunId id;
  RunSpec spec;  ///< what computes all of the run again
};
struct IterationDone {
  RunId id;
  HistoryEntry entry;
};
/// The last iteration's entry, measured in other regions since, or for the first time; or with the
/// reason why it could not be.
struct EntryChanged {
  RunId id;
  HistoryEntry entry;
};
struct StateChanged {
  RunId id;
  RunState state;
  std::string message;
};
struct VolumeReady {
  RunId id;
  int ticket;
  int iterations;
  std::shared_ptr<const std::vector<float>> mu;  ///< null where it could not be brought
  std::string problem = {};                      ///< why
};
struct ProgressReady {
  RunId id;
  int ticket;
  std::string backend;                          ///< key of the device where the run computes
  std::shared_ptr<const RunProgress> progress;  ///< null: there is none to be had
};
using WorkerEvent =
    std::variant<DataReady, DataFailed, DataCancelled, DataProgress, RunBegan, IterationDone,
                 EntryChanged, StateChanged, VolumeReady, ProgressReady>;

/// Everything that the worker has to say since it was last asked.
struct WorkerNews {
  std::vector<WorkerEvent> events;
  std::vector<std::shared_ptr<const RunSnapshot>> snapshots;  ///< at most one per run
};

/// Where the worker's thread leaves its news for the thread that takes them.
class NewsBox {
 public:
  /// `wake` is called by the thread that adds news, once until they are taken.
  explicit NewsBox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void add(WorkerEvent event);
  /// Replaces the run's earlier snapshot. The event that the snapshot belongs to, where there is
  /// one, is taken together with it.
  void add(std::shared_ptr<const RunSnapshot> snapshot, std::optional<WorkerEvent> event);

  /// The run's snapshot, where nobody took it yet.
  void drop_snapshot(int run);

  WorkerNews take();

 private:
  void add_with(const std::function<void(WorkerNews&)>& add);

  std::function<void()> wake_;
  std::mutex mutex_;  // guards the news
  WorkerNews news_;
};

}  // namespace gantry
