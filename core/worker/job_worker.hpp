#pragma once

#include "core/worker/worker_updates.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gantry {

/// The background thread that prepares data and computes all runs, alternating after each
/// iteration, so that the seconds of a run do not depend on the number of runs. Commands return at
/// once; the thread executes them between blocks of work, within tenths of a second. `wake` is
/// called on that thread when there are news, once until take_updates() collects them.
class JobWorker {
 public:
  JobWorker(const Catalog& catalog, const BackendList& backends, std::function<void()> wake);
  ~JobWorker();  ///< interrupts the work and joins the thread
  JobWorker(const JobWorker&) = delete;
  JobWorker& operator=(const JobWorker&) = delete;

  /// The purpose of the data. Data for `runs` are not made if there is no memory for any of the
  /// experiment's runs.
  enum class For { looking, runs };
  void prepare(Experiment experiment, int ticket, For whom = For::looking);
  void cancel_prepare();

  /// Creates a run and starts it, or pauses it before its first step if `paused`. An earlier start
  /// of the same run is discarded. `left` is the progress from which the run continues (null: from
  /// zero); if that run had ended, the new one has ended, too. `earlier` are iterates of the run
  /// up to there that are kept (null: none), `last` is the entry of its last iteration.
  void start(RunId id, RunSpec spec, std::shared_ptr<const ExperimentData> data,
             MetricsSpec metrics, std::shared_ptr<const Reference> reference, ViewRequest view,
             bool paused, std::shared_ptr<const RunProgress> left = nullptr,
             std::shared_ptr<const IterateList> earlier = nullptr, HistoryEntry last = {});
  /// Continues a started run from its present estimate with other settings, under a new epoch, or
  /// pauses it there.
  void continue_with(RunId id, RunSpec spec, MetricsSpec metrics, bool paused = false);
  void pause(int run);
  void resume(int run);
  void step_iteration(int run);  ///< then pauses; a finished run makes one more
  void step_subset(int run);
  void stop_and_keep(int run);
  void extend(int run, int more_iterations);
  void discard(int run);
  /// Removes a start of a run from its slot and keeps it with everything that it has computed,
  /// until bring_back() or forget_aside().
  void set_aside(RunId id);
  /// Returns a start that was set aside to the run's slot, which must be empty. A run that was
  /// running is paused.
  void bring_back(RunId id);
  void forget_aside(RunId id);
  void set_view(int run, ViewRequest view);
  /// Sets whether all runs keep rounded images of their further iterates; see KeptIterates.
  void set_rounds_iterates(bool rounds) { rounds_iterates_ = rounds; }
  /// Sets what a run is measured against. Its present estimate is measured again when it computes
  /// no more, and the iterates that it keeps when no run does.
  void set_reference(int run, std::shared_ptr<const Reference> reference);
  void set_regions(int run, MeasurementRegions regions);
  /// Requests an image of the run, which is sent as VolumeReady with this ticket.
  void request_volume(int run, int ticket, RunImage image = RunImage::estimate);
  /// Requests the run's RunProgress, which is sent as soon as no step of the run is under way.
  void request_progress(int run, int ticket);

  WorkerUpdates take_updates() { return news_.take(); }

 private:
  struct Slot;
  class CommandInterrupt;
  using Command = std::function<void()>;

  enum class Until { end, iteration, subset };
  void lengthen(Slot& slot, int more_iterations);
  void step_until(int run, Until until);

  enum class Urgency { light, urgent };
  void post(Command command, Urgency urgency);
  void post_urgent(Command command) { post(std::move(command), Urgency::urgent); }
  void post_light(Command command) { post(std::move(command), Urgency::light); }
  void loop(const std::stop_token& stop);
  void run_commands(bool light_only);
  bool work_once();
  void prepare_pending();
  void advance(Slot& slot);
  void update_state_after_step(Slot& slot, bool iteration_done);
  void put_into_slot(RunId id, std::unique_ptr<ReconstructionJob> job, ViewRequest view,
                     RunState state, const IterateList& earlier);
  Slot* slot_of(int run);
  Slot* next_running();
  void send_progress();
  void set_state(Slot& slot, RunState state, const std::string& message = {});
  void fail(Slot& slot, const std::exception& error);
  void publish(Slot& slot, std::optional<WorkerEvent> event = {});
  bool compute_skipped_metrics(Slot& slot);
  bool measure_present(Slot& slot);
  bool measure_kept(Slot& slot);
  void measure_again(Slot& slot, int iteration, const std::function<std::vector<float>()>& image);
  bool refresh_projection(Slot& slot);

  struct Preparation {
    Experiment experiment;
    int ticket;
    For whom;
  };

  const Catalog& catalog_;
  const BackendList& backends_;
  std::unique_ptr<CommandInterrupt> interrupt_;

  std::mutex mutex_;  // guards the queue
  std::condition_variable_any arrived_;
  std::deque<std::pair<Command, Urgency>> commands_;

  EventQueue news_;

  // Used by the worker's thread only.
  std::map<int, std::unique_ptr<Slot>> slots_;
  std::map<RunId, std::unique_ptr<Slot>> aside_;
  std::optional<Preparation> preparation_;
  int next_run_ = 0;  // the run that computes next, if it is running

  std::atomic<bool> rounds_iterates_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace gantry
