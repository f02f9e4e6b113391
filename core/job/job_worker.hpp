#pragma once

#include "core/job/worker_news.hpp"

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

/// The background thread on which data are prepared and all runs compute, in turn, an iteration
/// each: so the seconds of a run are its own, however many are compared. Commands return at once;
/// they are obeyed between blocks of work, within tenths of a second. News are collected with
/// take_news() after `wake` was called (from the worker's thread; once until they are taken).
class JobWorker {
 public:
  JobWorker(const Catalog& catalog, const BackendList& backends, std::function<void()> wake);
  ~JobWorker();  ///< asks running work to give way and joins
  JobWorker(const JobWorker&) = delete;
  JobWorker& operator=(const JobWorker&) = delete;

  /// For runs that wait: where none of the experiment's runs will have room, their data are not
  /// made either.
  enum class For { looking, runs };
  void prepare(Experiment experiment, int ticket, For whom = For::looking);
  void cancel_prepare();

  /// Builds the run and starts it; paused if asked, to be stepped. An earlier start of the same run
  /// is discarded. `left`: where it goes on from, else from zero; at rest, if it had ended there.
  void start(RunId id, RunSpec spec, std::shared_ptr<const ExperimentData> data,
             MetricsSpec metrics, std::shared_ptr<const Reference> reference, ViewRequest view,
             bool paused, std::shared_ptr<const RunProgress> left = nullptr);
  /// A run that was started goes on from its present estimate with other settings, under a new
  /// epoch; or rests at it.
  void continue_with(RunId id, RunSpec spec, MetricsSpec metrics, bool paused = false);
  void pause(int run);
  void resume(int run);
  void step_iteration(int run);  ///< then paused; a finished run goes on by one
  void step_subset(int run);
  void stop_and_keep(int run);
  void extend(int run, int more_iterations);
  void discard(int run);
  /// Takes a start of a run from its place with everything that it has computed: it rests until it
  /// is brought back, or forgotten.
  void set_aside(RunId id);
  /// Puts what was set aside back into the run's place, which is empty; a run that was running
  /// comes back paused.
  void bring_back(RunId id);
  void forget_aside(RunId id);
  void set_view(int run, ViewRequest view);
  void set_reference(int run, std::shared_ptr<const Reference> reference);
  void set_regions(int run, MeasurementRegions regions);
  void request_volume(int run, int ticket);
  /// How far the run is, with what it needs to go on, as soon as no step of it is under way.
  void request_progress(int run, int ticket);

  WorkerNews take_news() { return news_.take(); }

 private:
  struct Slot;
  class Attendant;
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
  void settle(Slot& slot, bool iteration_done);
  void place(RunId id, std::unique_ptr<ReconstructionJob> job, ViewRequest view, RunState state);
  Slot* slot_of(int run);
  Slot* next_running();
  void hand_out_progress();
  void set_state(Slot& slot, RunState state, const std::string& message = {});
  void fail(Slot& slot, const std::exception& error);
  void publish(Slot& slot, std::optional<WorkerEvent> event = {});
  bool measure_left_out(Slot& slot);
  bool refresh_projection(Slot& slot);

  struct Preparation {
    Experiment experiment;
    int ticket;
    For whom;
  };

  const Catalog& catalog_;
  const BackendList& backends_;
  std::unique_ptr<Attendant> attendant_;

  std::mutex mutex_;  // guards the queue
  std::condition_variable_any arrived_;
  std::deque<std::pair<Command, Urgency>> commands_;

  NewsBox news_;

  // Touched by the worker's thread alone.
  std::map<int, std::unique_ptr<Slot>> slots_;
  std::map<RunId, std::unique_ptr<Slot>> aside_;
  std::optional<Preparation> preparation_;
  int turn_ = 0;  // the run whose iteration is due, or the next one after it

  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace gantry
