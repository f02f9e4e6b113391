#include "core/job/job_worker.hpp"

#include "core/base/check_showing.hpp"
#include "core/base/error.hpp"
#include "core/job/run_snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace gantry {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double snapshot_interval_s = 1.0 / 30;       // nobody looks more often
constexpr double projection_share = 0.015;             // of a run's time may go to its sinogram
constexpr MeasuringBudget metrics_budget{0.3, 0.015};  // on a device; 0.3 s in any case

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

std::string message_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "the system has no memory left; use a smaller grid or fewer views";
  return error.what();
}

}  // namespace

/// Lets small commands be obeyed between blocks of a long product.
class JobWorker::Attendant final : public PollableInterrupt {
 public:
  explicit Attendant(JobWorker& worker) : worker_(worker) {}
  bool is_wanted() const override {
    const std::scoped_lock lock(worker_.mutex_);
    return !worker_.commands_.empty() && worker_.commands_.front().second == Urgency::light;
  }

 private:
  void attend() const override { worker_.run_commands(true); }
  JobWorker& worker_;
};

/// One started run.
struct JobWorker::Slot {
  RunId id;
  RunState state = RunState::paused;
  Until until = Until::end;
  std::unique_ptr<ReconstructionJob> job;
  ViewRequest view;
  std::shared_ptr<const std::vector<float>> projection;
  bool projection_is_old = true;
  double projection_cost_s = 0;
  Clock::time_point last_projection, last_snapshot;
  std::vector<int> progress_tickets;  // who waits for its progress
};

JobWorker::JobWorker(const Catalog& catalog, const BackendList& backends,
                     std::function<void()> wake)
    : catalog_(catalog),
      backends_(backends),
      attendant_(std::make_unique<Attendant>(*this)),
      news_(std::move(wake)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

JobWorker::~JobWorker() {
  attendant_->raise();
  thread_.request_stop();
  thread_.join();
}

// ---- Commands, from any thread. Urgent ones make the step under way give way; light ones are
// obeyed inside it.

void JobWorker::post(Command command, Urgency urgency) {
  if (urgency == Urgency::urgent) attendant_->raise();  // lowered when the command is obeyed
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
                      ViewRequest view, bool paused, std::shared_ptr<const RunProgress> left) {
  post_urgent([=, this, spec = std::move(spec), data = std::move(data),
               reference = std::move(reference), view = std::move(view),
               left = std::move(left)]() mutable {
    slots_.erase(
        id.run);  // frees the memory of an earlier start before the new one asks for its own
    try {
      auto job = std::make_unique<ReconstructionJob>(std::move(spec), std::move(data), metrics,
                                                     catalog_, backends_, attendant_.get());
      if (reference != nullptr) job->set_reference(std::move(reference));
      if (left != nullptr) job->resume_from(*left);
      const RunState goes_on = paused ? RunState::paused : RunState::running;
      const RunState state = job->finished() ? RunState::finished : goes_on;
      place(id, std::move(job), std::move(view), state);
    } catch (const std::exception& error) {
      news_.add(StateChanged{id, RunState::failed, message_of(error)});
    }
  });
}

void JobWorker::continue_with(RunId id, RunSpec spec, MetricsSpec metrics, bool paused) {
  post_urgent([=, this, spec = std::move(spec)]() mutable {
    Slot* earlier = slot_of(id.run);
    if (earlier == nullptr)
      return news_.add(StateChanged{id, RunState::failed, "there is no estimate to go on from"});
    spec.forget_history();  // the run that it goes on from has its own
    try {
      const ReconstructionJob& old = *earlier->job;
      auto job = std::make_unique<ReconstructionJob>(std::move(spec), old.shared_data(), metrics,
                                                     catalog_, backends_, attendant_.get());
      job->set_reference(old.reference());
      job->continue_from(old);
      place(id, std::move(job), earlier->view, paused ? RunState::paused : RunState::running);
    } catch (const std::exception& error) {
      earlier->id = id;  // it keeps its estimate, to be saved or continued otherwise
      fail(*earlier, error);
    }
  });
}

/// Gives a run its place, in which an earlier start of it ends.
void JobWorker::place(RunId id, std::unique_ptr<ReconstructionJob> job, ViewRequest view,
                      RunState state) {
  auto slot = std::make_unique<Slot>();
  slot->id = id;
  slot->job = std::move(job);
  slot->job->set_measuring_budget(metrics_budget);
  slot->view = std::move(view);
  const std::string words =
      state == RunState::finished ? describe(slot->job->reason()) : std::string();
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
    if (slot->job->finished())
      return set_state(*slot, RunState::finished, describe(slot->job->reason()));
    set_state(*slot, RunState::running);
  });
}

void JobWorker::lengthen(Slot& slot, int more_iterations) {
  const bool went_past_rules = slot.job->spec().goes_past_rules;
  slot.job->extend(more_iterations);
  if (slot.job->spec().goes_past_rules != went_past_rules)
    news_.add(RunBegan{slot.id, slot.job->spec()});
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

void JobWorker::set_reference(int run, std::shared_ptr<const Reference> reference) {
  post_light([this, run, reference = std::move(reference)]() mutable {
    if (Slot* slot = slot_of(run)) slot->job->set_reference(std::move(reference));
  });
}

void JobWorker::set_regions(int run, MeasurementRegions regions) {
  post_light([this, run, regions = std::move(regions)] {
    Slot* slot = slot_of(run);
    if (slot == nullptr || slot->state == RunState::failed) return;
    try {
      if (auto entry = slot->job->set_regions(regions))
        news_.add(EntryChanged{slot->id, std::move(*entry)});
    } catch (const std::exception& error) {
      fail(*slot, error);
    }
  });
}

void JobWorker::request_volume(int run, int ticket) {
  post_light([this, run, ticket] {
    const Slot* slot = slot_of(run);
    if (slot == nullptr) return;
    VolumeReady ready{slot->id, ticket, slot->job->iterations(), nullptr};
    try {
      ready.mu = std::make_shared<const std::vector<float>>(slot->job->solution());
    } catch (const std::exception& error) {
      ready.problem = message_of(error);
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

/// Between two steps, when what a solver carries is whole.
void JobWorker::hand_out_progress() {
  for (auto& [run, slot] : slots_)
    for (const int ticket : std::exchange(slot->progress_tickets, {})) try {
        news_.add(ProgressReady{slot->id, ticket, slot->job->memory().backend_key,
                                std::make_shared<const RunProgress>(slot->job->progress())});
      } catch (const std::exception&) {  // the device was lost, or there is no memory for a copy
        news_.add(ProgressReady{slot->id, ticket, {}, nullptr});
      }
}

// ---- The worker's thread.

void JobWorker::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    run_commands(false);
    if (work_once()) continue;
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, stop, [this] { return !commands_.empty(); });
  }
}

/// Obeys what has been posted, in order. Inside a step only light commands can be: the first urgent
/// one, and all after it, wait until the step has given way.
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
    if (next.second == Urgency::urgent) attendant_->lower();
    if (!light_only) hand_out_progress();  // before the command takes a run away
    next.first();
  }
}

/// Does a piece of work; false when there is none.
bool JobWorker::work_once() {
  hand_out_progress();
  if (preparation_) {
    prepare_pending();
    return true;
  }
  if (Slot* slot = next_running()) {
    advance(*slot);
    return true;
  }
  return std::ranges::any_of(slots_, [this](auto& item) {
    return measure_left_out(*item.second) || refresh_projection(*item.second);
  });
}

void JobWorker::prepare_pending() {
  const Experiment& experiment = preparation_->experiment;
  const int ticket = preparation_->ticket;
  RunCheck check;
  if (preparation_->whom == For::runs)
    check = [&](const auto&... sizes) { require_room(experiment, sizes..., catalog_, backends_); };
  try {
    auto data = prepare_data(
        experiment, catalog_, backends_.resolve("cpu"), attendant_.get(),
        [&](double done, const auto& what) {
          news_.add(DataProgress{ticket, done, what});
        },
        check);
    preparation_.reset();
    news_.add(DataReady{ticket, std::move(data)});
  } catch (const Interrupted&) {
    // A command waits. Unless it cancels, preparation starts anew after it.
  } catch (const std::exception& error) {
    preparation_.reset();
    DataFailed failed{ticket, message_of(error)};
    if (const auto* uneven = dynamic_cast<const UnevenSeries*>(&error))
      failed.uneven = std::make_shared<const UnevenSeries>(*uneven);
    news_.add(std::move(failed));
  }
}

JobWorker::Slot* JobWorker::slot_of(int run) {
  const auto found = slots_.find(run);
  return found == slots_.end() ? nullptr : found->second.get();
}

/// The run whose turn it is, or the next one that runs. Its turn lasts until its iteration is
/// complete.
JobWorker::Slot* JobWorker::next_running() {
  auto next = slots_.lower_bound(turn_);
  for (std::size_t i = 0; i < slots_.size(); ++i, ++next) {
    if (next == slots_.end()) next = slots_.begin();
    if (next->second->state != RunState::running) continue;
    turn_ = next->first;
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
      ++turn_;
      news_.add(IterationDone{slot.id, std::move(*entry)});
    }
    settle(slot, iteration_done);
  } catch (const Interrupted&) {
    // The step will be made again when the run's turn comes.
  } catch (const std::exception& error) {
    fail(slot, error);
  }
}

/// After a step: is the run at a halt, and is it time to show something?
void JobWorker::settle(Slot& slot, bool iteration_done) {
  if (slot.job->finished())
    return set_state(
        slot, slot.job->reason() == StopReason::diverged ? RunState::failed : RunState::finished,
        closing_words(*slot.job));
  if (slot.until == Until::subset || (slot.until == Until::iteration && iteration_done))
    return set_state(slot, RunState::paused);
  if (iteration_done && slot.view.projection &&
      seconds_since(slot.last_projection) * projection_share > slot.projection_cost_s)
    refresh_projection(slot);
  if (seconds_since(slot.last_snapshot) > snapshot_interval_s) publish(slot);
}

void JobWorker::set_state(Slot& slot, RunState state, const std::string& message) {
  slot.state = state;
  publish(slot, StateChanged{slot.id, state, message});
}

void JobWorker::fail(Slot& slot, const std::exception& error) {
  slot.state = RunState::failed;
  news_.add(StateChanged{slot.id, RunState::failed, message_of(error)});
}

/// Takes the metrics of a run at rest that were left out of its last iteration. False when there
/// was nothing to do.
bool JobWorker::measure_left_out(Slot& slot) {
  if (slot.state == RunState::failed) return false;
  try {
    auto entry = slot.job->measure_last();
    if (!entry) return false;
    news_.add(EntryChanged{slot.id, std::move(*entry)});
  } catch (const std::exception& error) {
    fail(slot, error);
  }
  return true;
}

/// Projects the present estimate if its sinogram is wanted and old. False when there was nothing to
/// do.
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
    // Later.
  } catch (const std::exception& error) {
    fail(slot, error);
  }
  return true;
}

/// A look at the run, and the event that it belongs to, where there is one: they arrive together.
void JobWorker::publish(Slot& slot, std::optional<WorkerEvent> event) {
  auto snapshot = std::make_shared<RunSnapshot>(look_at(*slot.job, slot.view));
  snapshot->id = slot.id;
  snapshot->state = slot.state;
  snapshot->projection = slot.view.projection ? slot.projection : nullptr;
  slot.last_snapshot = Clock::now();
  news_.add(std::move(snapshot), std::move(event));
}

}  // namespace gantry
