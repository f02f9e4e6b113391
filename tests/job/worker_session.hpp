#pragma once

#include "core/worker/job_worker.hpp"
#include "tests/job/job_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

namespace gantry::test {

// Waiting longer than this means that what is awaited will never come.
constexpr std::chrono::seconds patience{60};

/// True as soon as `done` holds.
inline bool wait_until(const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

/// A worker and somebody who listens to it: keeps every event, and the latest snapshot of each run.
class Session {
 public:
  explicit Session(const Workshop& workshop)
      : worker(workshop.catalog, workshop.backends, [this] {
          const std::scoped_lock lock(mutex_);
          ++wakes_;
          woken_.notify_all();
        }) {}

  std::vector<WorkerEvent> events;
  std::map<int, std::shared_ptr<const RunSnapshot>> latest;

  int wakes() const {
    const std::scoped_lock lock(mutex_);
    return wakes_;
  }

  /// A run was said to be paused without the look at where it paused.
  bool a_state_came_alone() const { return state_came_alone_; }

  /// Takes the news, each time that there are some, until `done` holds.
  bool until(const std::function<bool()>& done) {
    for (;;) {
      const int seen = wakes();
      take();
      if (done()) return true;
      std::unique_lock lock(mutex_);
      if (!woken_.wait_for(lock, patience, [&] { return wakes_ > seen; })) return false;
    }
  }
  bool until_state(int run, RunState state) {
    return until([=, this] { return !states(run).empty() && states(run).back() == state; });
  }
  /// Everything posted so far has been obeyed: the answer to a last, harmless command is there.
  bool until_run() {
    worker.continue_with({nobody, ++asked_}, {}, {});
    return until([this] {
      for (const auto* state : all<StateChanged>())
        if (state->id == RunId{nobody, asked_}) return true;
      return false;
    });
  }
  void take() {
    const WorkerUpdates news = worker.take_updates();
    events.insert(events.end(), news.events.begin(), news.events.end());
    for (const WorkerEvent& event : news.events)
      if (const auto* change = std::get_if<StateChanged>(&event);
          change != nullptr && change->state == RunState::idle)
        latest.erase(change->id.run);
    for (const auto& snapshot : news.snapshots) latest[snapshot->id.run] = snapshot;
    for (const WorkerEvent& event : news.events)
      if (const auto* change = std::get_if<StateChanged>(&event))
        state_came_alone_ |=
            change->state == RunState::paused && !has_snapshot(change->id.run, news);
  }

  void start(RunId id, const RunSpec& spec, const std::shared_ptr<const ExperimentData>& data,
             bool paused = false, const ViewRequest& view = {}, MetricsSpec metrics = {}) {
    worker.start(id, spec, data, metrics, data->reference, view, paused);
  }

  template <class Event>
  std::vector<const Event*> all() const {
    std::vector<const Event*> found;
    for (const WorkerEvent& event : events)
      if (const auto* one = std::get_if<Event>(&event)) found.push_back(one);
    return found;
  }
  std::vector<RunState> states(int run) const {
    std::vector<RunState> found;
    for (const auto* change : all<StateChanged>())
      if (change->id.run == run) found.push_back(change->state);
    return found;
  }
  /// What was said with the latest change of state of a run.
  std::string message(int run) const {
    std::string message;
    for (const auto* change : all<StateChanged>())
      if (change->id.run == run) message = change->message;
    return message;
  }
  std::vector<HistoryEntry> history(RunId id) const {
    std::vector<HistoryEntry> found;
    for (const auto* done : all<IterationDone>())
      if (done->id == id) found.push_back(done->entry);
    return found;
  }
  int iterations(RunId id) const { return static_cast<int>(history(id).size()); }
  /// Waits for the answer to request_volume(run, ticket).
  std::shared_ptr<const std::vector<float>> volume(int ticket) {
    const VolumeReady* ready = nullptr;
    until([&] {
      for (const auto* one : all<VolumeReady>())
        if (one->ticket == ticket) ready = one;
      return ready != nullptr;
    });
    return ready == nullptr ? nullptr : ready->mu;
  }

 private:
  static bool has_snapshot(int run, const WorkerUpdates& news) {
    return std::ranges::any_of(news.snapshots, [=](const auto& one) { return one->id.run == run; });
  }

  static constexpr int nobody = 1000000;  // a run that is never started

  mutable std::mutex mutex_;
  std::condition_variable woken_;
  int wakes_ = 0, asked_ = 0;
  bool state_came_alone_ = false;

 public:
  JobWorker worker;  // last: its thread calls back
};

}  // namespace gantry::test
