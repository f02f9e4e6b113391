#include "core/worker/job_worker.hpp"

#include "core/base/check_with_restored_data.hpp"
#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/thread_priority.hpp"
#include "core/job/scans/scan_cache.hpp"
#include "core/worker/error_text.hpp"
#include "core/worker/run_snapshot.hpp"
#include "core/worker/worker_slot.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

constexpr double snapshot_interval_s = 1.0 / 30,  // more frequent ones would not be displayed
    longest_interval_s = 0.1;                     // rarer ones would not look like motion
// Limits, as parts of a run's time, so that watching with everything open costs less than 3 %.
constexpr double snapshot_share = 0.008, projection_share = 0.006;
constexpr MeasuringBudget metrics_budget{0.1, 0.006};  // on a device; 0.1 s in any case

/// Returns the time between snapshots that take so long.
double interval_s(double snapshot_cost_s) {
  return std::clamp(snapshot_cost_s / snapshot_share, snapshot_interval_s, longest_interval_s);
}

}  // namespace

/// Executes light commands while a step is under way, between the blocks of a product.
class JobWorker::CommandInterrupt final : public PollableInterrupt {
 public:
  explicit CommandInterrupt(JobWorker& worker) : worker_(worker) {}
  bool has_tasks() const override {
    const std::scoped_lock lock(worker_.mutex_);
    return !worker_.commands_.empty() && worker_.commands_.front().second == Urgency::light;
  }

 private:
  void run_queued_tasks() const override { worker_.run_commands(true); }
  JobWorker& worker_;
};

JobWorker::JobWorker(const Catalog& catalog, const BackendList& backends,
                     std::function<void()> wake)
    : catalog_(catalog),
      backends_(backends),
      interrupt_(std::make_unique<CommandInterrupt>(*this)),
      news_(std::move(wake)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

JobWorker::~JobWorker() {
  interrupt_->raise();
  thread_.request_stop();
  thread_.join();
}

// ---- Commands, from any thread. An urgent command interrupts the step under way; light ones are
// executed during the step.

void JobWorker::post(Command command, Urgency urgency) {
  if (urgency == Urgency::urgent) interrupt_->raise();  // lowered when the command is executed
  {
    const std::scoped_lock lock(mutex_);
    commands_.emplace_back(std::move(command), urgency);
  }
  arrived_.notify_all();
}

void JobWorker::prepare(Experiment experiment, int ticket, For whom) {
  cancel_prepare();
  post_urgent([this, experiment = std::move(experiment), ticket, whom]() mutable {
    preparation_ = Preparation{std::move(experiment), ticket, whom};
  });
}

void JobWorker::cancel_prepare() {
  post_urgent([this] {
    if (preparation_) news_.add(DataCancelled{preparation_->ticket});
    preparation_.reset();
  });
}

void JobWorker::start(RunId id, RunSpec spec, std::shared_ptr<const ExperimentData> data,
                      MetricsSpec metrics, std::shared_ptr<const Reference> reference,
                      ViewRequest view, bool paused, std::shared_ptr<const RunProgress> left,
                      std::shared_ptr<const IterateList> earlier, HistoryEntry last) {
  post_urgent([=, this, spec = std::move(spec), data = std::move(data),
               reference = std::move(reference), view = std::move(view), left = std::move(left),
               earlier = std::move(earlier), last = std::move(last)]() mutable {
    slots_.erase(id.run);  // frees the memory of an earlier start before the new one allocates
    try {
      auto job = std::make_unique<ReconstructionJob>(std::move(spec), std::move(data), metrics,
                                                     catalog_, backends_, interrupt_.get());
      if (reference != nullptr) job->set_reference(std::move(reference));
      if (left != nullptr) job->resume_from(*left, std::move(last));
      const RunState goes_on = paused ? RunState::paused : RunState::running;
      const RunState state = job->finished() ? RunState::finished : goes_on;
      put_into_slot(id, std::move(job), std::move(view), state,
                    earlier != nullptr ? *earlier : IterateList{});
    } catch (const std::exception& error) {
      news_.add(StateChanged{id, RunState::failed, text_of(error)});
    }
  });
}

void JobWorker::continue_with(RunId id, RunSpec spec, MetricsSpec metrics, bool paused) {
  post_urgent([=, this, spec = std::move(spec)]() mutable {
    Slot* earlier = slot_of(id.run);
    if (earlier == nullptr)
      return news_.add(StateChanged{id, RunState::failed, "there is no estimate to go on from"});
    spec.clear_history();  // replaced by the history of the run that is continued
    try {
      const ReconstructionJob& old = *earlier->job;
      auto job = std::make_unique<ReconstructionJob>(std::move(spec), old.shared_data(), metrics,
                                                     catalog_, backends_, interrupt_.get());
      job->set_reference(old.reference());
      job->continue_from(old);
      put_into_slot(id, std::move(job), earlier->view,
                    paused ? RunState::paused : RunState::running, *earlier->kept.list());
    } catch (const std::exception& error) {
      earlier->id = id;  // the earlier run keeps its estimate, which may be saved or continued
      fail(*earlier, error);
    }
  });
}

/// Puts a run into its slot; an earlier start of the run ends.
void JobWorker::put_into_slot(RunId id, std::unique_ptr<ReconstructionJob> job, ViewRequest view,
                              RunState state, const IterateList& earlier) {
  auto slot = std::make_unique<Slot>();
  slot->id = id;
  slot->job = std::move(job);
  slot->job->set_measuring_budget(metrics_budget);
  slot->view = std::move(view);
  slot->kept = KeptIterates(iterates_budget(slot->job->is_on_cpu()));
  slot->kept.begin_with(earlier, slot->job->iterations());
  if (!earlier.empty()) news_.add(IteratesChanged{id, slot->kept.list()});
  const std::string words = state == RunState::finished ? slot->job->ending() : std::string();
  news_.add(RunBegan{id, slot->job->spec()});
  set_state(*(slots_[id.run] = std::move(slot)), state, words);
}

void JobWorker::pause(int run) {
  post_urgent([this, run] {
    if (Slot* slot = slot_of(run); slot != nullptr && slot->state == RunState::running)
      set_state(*slot, RunState::paused);
  });
}

void JobWorker::resume(int run) {
  post_urgent([this, run] {
    Slot* slot = slot_of(run);
    if (slot == nullptr || slot->job->finished() || slot->state == RunState::failed) return;
    slot->until = Until::end;
    set_state(*slot, RunState::running);
  });
}

void JobWorker::step_iteration(int run) { step_until(run, Until::iteration); }
void JobWorker::step_subset(int run) { step_until(run, Until::subset); }

void JobWorker::step_until(int run, Until until) {
  post_urgent([this, run, until] {
    Slot* slot = slot_of(run);
    if (slot == nullptr || slot->state == RunState::failed) return;
    if (slot->job->finished()) lengthen(*slot, 1);
    if (slot->job->finished()) return;  // a further step would change nothing
    slot->until = until;
    set_state(*slot, RunState::running);
  });
}

void JobWorker::stop_and_keep(int run) {
  post_urgent([this, run] {
    Slot* slot = slot_of(run);
    if (slot != nullptr && (slot->state == RunState::running || slot->state == RunState::paused))
      set_state(*slot, RunState::stopped, describe(StopReason::stopped));
  });
}

void JobWorker::extend(int run, int more_iterations) {
  post_urgent([this, run, more_iterations] {
    Slot* slot = slot_of(run);
    if (slot == nullptr || slot->state == RunState::failed) return;
    lengthen(*slot, more_iterations);
    slot->until = Until::end;
    if (slot->job->finished()) return set_state(*slot, RunState::finished, slot->job->ending());
    set_state(*slot, RunState::running);
  });
}

void JobWorker::lengthen(Slot& slot, int more_iterations) {
  const RunSpec before = slot.job->spec();
  slot.job->extend(more_iterations);
  if (slot.job->spec() != before) news_.add(RunBegan{slot.id, slot.job->spec()});
}

void JobWorker::discard(int run) {
  post_urgent([this, run] {
    const auto found = slots_.find(run);
    if (found == slots_.end()) return;
    const RunId id = found->second->id;
    slots_.erase(found);
    news_.drop_snapshot(run);
    news_.add(StateChanged{id, RunState::idle, {}});
  });
}

void JobWorker::set_aside(RunId id) {
  post_urgent([this, id] {
    const auto found = slots_.find(id.run);
    if (found == slots_.end() || found->second->id != id) return;
    if (found->second->state == RunState::running) set_state(*found->second, RunState::paused);
    aside_[id] = std::move(found->second);
    slots_.erase(found);
  });
}

void JobWorker::bring_back(RunId id) {
  post_urgent([this, id] {
    const auto found = aside_.find(id);
    if (found == aside_.end()) return;
    Slot& slot = *(slots_[id.run] = std::move(found->second));
    aside_.erase(found);
    if (slot.state != RunState::failed) publish(slot);
  });
}

void JobWorker::forget_aside(RunId id) {
  post_urgent([this, id] { aside_.erase(id); });
}

void JobWorker::set_view(int run, ViewRequest view) {
  post_light([this, run, view = std::move(view)]() mutable {
    Slot* slot = slot_of(run);
    if (slot == nullptr) return;
    slot->view = std::move(view);
    publish(*slot);
  });
}

void JobWorker::request_volume(int run, int ticket, RunImage image) {
  post_light([this, run, ticket, image] {
    const Slot* slot = slot_of(run);
    if (slot == nullptr) return;
    VolumeReady ready{slot->id, ticket, slot->job->iterations(), nullptr};
    try {
      const ReconstructionJob& job = *slot->job;
      if (image == RunImage::edge_field && !job.has_edges())
        throw UsageError("the run has no edge field", {}, "choose a prior that has one, and start");
      ready.mu = std::make_shared<const std::vector<float>>(
          image == RunImage::edge_field ? job.edges() : job.solution());
    } catch (const std::exception& error) {
      ready.problem = text_of(error);
    }
    news_.add(std::move(ready));
  });
}

void JobWorker::request_progress(int run, int ticket) {
  post_light([this, run, ticket] {
    Slot* slot = slot_of(run);
    if (slot == nullptr) return news_.add(ProgressReady{{run, 0}, ticket, {}, nullptr});
    slot->progress_tickets.push_back(ticket);
  });
}

/// Answers requests for the progress of runs. Must be called between two steps, because only then
/// the solver's state is consistent.
void JobWorker::send_progress() {
  for (auto& [run, slot] : slots_)
    for (const int ticket : std::exchange(slot->progress_tickets, {})) try {
        news_.add(ProgressReady{slot->id, ticket, slot->job->memory().backend_key,
                                std::make_shared<const RunProgress>(slot->job->progress())});
      } catch (const std::exception&) {  // the device was lost, or there is no memory for a copy
        news_.add(ProgressReady{slot->id, ticket, {}, nullptr});
      }
}

// ---- The worker's thread

void JobWorker::loop(const std::stop_token& stop) {
  give_way_to_interaction();
  while (!stop.stop_requested()) {
    run_commands(false);
    if (work_once()) continue;
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, stop, [this] { return !commands_.empty(); });
  }
}

/// Executes the posted commands, in order. During a step only light commands can be executed: the
/// first urgent command, and all commands after it, wait until the step has been interrupted.
void JobWorker::run_commands(bool light_only) {
  for (;;) {
    std::pair<Command, Urgency> next;
    {
      const std::scoped_lock lock(mutex_);
      if (commands_.empty()) return;
      if (light_only && commands_.front().second == Urgency::urgent) return;
      next = std::move(commands_.front());
      commands_.pop_front();
    }
    if (next.second == Urgency::urgent) interrupt_->lower();
    if (!light_only) send_progress();  // before the command removes a run
    next.first();
  }
}

/// Does one piece of work. Returns false if there is none.
bool JobWorker::work_once() {
  send_progress();
  if (preparation_) {
    prepare_pending();
    return true;
  }
  const auto any = [this](auto work) {
    return std::ranges::any_of(slots_, [&](auto& item) { return (this->*work)(*item.second); });
  };
  if (any(&JobWorker::measure_present)) return true;
  if (Slot* slot = next_running()) {
    advance(*slot);
    return true;
  }
  return any(&JobWorker::compute_skipped_metrics) || any(&JobWorker::measure_kept) ||
         any(&JobWorker::refresh_projection);
}

void JobWorker::prepare_pending() {
  const Experiment& experiment = preparation_->experiment;
  const int ticket = preparation_->ticket;
  RunCheck check;
  if (preparation_->whom == For::runs)
    check = [&](const auto&... sizes) {
      require_run_memory(experiment, sizes..., catalog_, backends_);
    };
  try {
    auto data = prepare_data(
        experiment, catalog_, backends_.resolve(host_key), interrupt_.get(),
        [&](double done, const auto& what) {
          news_.add(DataProgress{ticket, done, what});
        },
        check, &shared_scan_cache());
    preparation_.reset();
    news_.add(DataReady{ticket, std::move(data)});
  } catch (const Interrupted&) {
    // A command waits. The preparation is repeated afterwards, unless the command cancels it.
  } catch (const std::exception& error) {
    preparation_.reset();
    DataFailed failed{ticket, text_of(error)};
    // what() names options of the command line.
    if (const auto* uneven = dynamic_cast<const UnevenSeries*>(&error))
      failed = {ticket, uneven->problem() + "; add what is missing, or open the series by itself",
                std::make_shared<const UnevenSeries>(*uneven)};
    if (const auto* damaged = dynamic_cast<const DamagedFiles*>(&error))
      failed = {ticket,
                damaged->problem() + "; replace it, or open the others without it",
                {},
                std::make_shared<const DamagedFiles>(*damaged)};
    news_.add(std::move(failed));
  }
}

JobWorker::Slot* JobWorker::slot_of(int run) {
  const auto found = slots_.find(run);
  return found == slots_.end() ? nullptr : found->second.get();
}

/// Returns the run that computes next: the one at next_run_ or the next that is running. A run
/// keeps computing until its iteration is complete.
JobWorker::Slot* JobWorker::next_running() {
  auto next = slots_.lower_bound(next_run_);
  for (std::size_t i = 0; i < slots_.size(); ++i, ++next) {
    if (next == slots_.end()) next = slots_.begin();
    if (next->second->state != RunState::running) continue;
    next_run_ = next->first;
    return next->second.get();
  }
  return nullptr;
}

void JobWorker::advance(Slot& slot) {
  try {
    auto entry = slot.job->advance();
    slot.projection_is_old = true;
    const bool iteration_done = entry.has_value();
    if (iteration_done) {
      ++next_run_;
      slot.present_to_measure = false;
      news_.add(IterationDone{slot.id, std::move(*entry), slot.job->reference()});
      slot.kept.set_rounds(rounds_iterates_);
      if (slot.kept.keep(slot.job->iterations(), slot.job->seconds(), [&slot] {
            return std::make_shared<const RunProgress>(slot.job->progress());
          }))
        news_.add(IteratesChanged{slot.id, slot.kept.list()});
    }
    update_state_after_step(slot, iteration_done);
  } catch (const Interrupted&) {
    // The step will be repeated.
  } catch (const std::exception& error) {
    fail(slot, error);
  }
}

/// After a step: changes the state if the run has ended or is to pause, and publishes a snapshot if
/// one is due.
void JobWorker::update_state_after_step(Slot& slot, bool iteration_done) {
  if (slot.job->finished())
    return set_state(
        slot, slot.job->reason() == StopReason::diverged ? RunState::failed : RunState::finished,
        final_message(*slot.job));
  if (slot.until == Until::subset || (slot.until == Until::iteration && iteration_done))
    return set_state(slot, RunState::paused);
  if (iteration_done && slot.view.projection &&
      seconds_since(slot.last_projection) * projection_share > slot.projection_cost_s)
    refresh_projection(slot);
  if (seconds_since(slot.last_snapshot) > interval_s(slot.snapshot_cost_s)) {
    slot.job->synchronize();  // or the time of the snapshot would contain that of steps
    publish(slot);
  }
}

void JobWorker::set_state(Slot& slot, RunState state, const std::string& message) {
  slot.state = state;
  publish(slot, StateChanged{slot.id, state, message});
}

void JobWorker::fail(Slot& slot, const std::exception& error) {
  slot.state = RunState::failed;
  news_.add(StateChanged{slot.id, RunState::failed, text_of(error)});
}

/// Projects the present estimate if its sinogram is wanted and out of date. Returns false if there
/// was nothing to do.
bool JobWorker::refresh_projection(Slot& slot) {
  if (!slot.view.projection || !slot.projection_is_old || slot.state == RunState::failed)
    return false;
  const auto start = Clock::now();
  try {
    slot.projection = std::make_shared<const std::vector<float>>(slot.job->projection());
    slot.projection_is_old = false;
    slot.last_projection = Clock::now();
    slot.projection_cost_s = seconds_since(start);
    publish(slot);
  } catch (const Interrupted&) {
    // The projection is tried again later.
  } catch (const std::exception& error) {
    fail(slot, error);
  }
  return true;
}

/// Publishes a snapshot of the run, together with the event that it belongs to, if any.
void JobWorker::publish(Slot& slot, std::optional<WorkerEvent> event) {
  const auto start = Clock::now();
  auto snapshot = std::make_shared<RunSnapshot>(snapshot_of(*slot.job, slot.view));
  snapshot->id = slot.id;
  snapshot->held_bytes += slot.kept.bytes();
  snapshot->state = slot.state;
  snapshot->projection = slot.view.projection ? slot.projection : nullptr;
  slot.snapshot_cost_s = seconds_since(start);
  slot.last_snapshot = Clock::now();
  news_.add(std::move(snapshot), std::move(event));
}

}  // namespace gantry
