#include "core/worker/worker_updates.hpp"

#include <algorithm>

namespace gantry {

void EventQueue::add(WorkerEvent event) {
  add_with([&](WorkerUpdates& news) { news.events.push_back(std::move(event)); });
}

void EventQueue::add(std::shared_ptr<const RunSnapshot> snapshot,
                     std::optional<WorkerEvent> event) {
  add_with([&](WorkerUpdates& news) {
    std::erase_if(news.snapshots, [&](const auto& old) { return old->id.run == snapshot->id.run; });
    news.snapshots.push_back(std::move(snapshot));
    if (event) news.events.push_back(std::move(*event));
  });
}

void EventQueue::add_with(const std::function<void(WorkerUpdates&)>& add) {
  bool was_empty = false;
  {
    const std::scoped_lock lock(mutex_);
    was_empty = news_.events.empty() && news_.snapshots.empty();
    add(news_);
  }
  if (was_empty) wake_();
}

void EventQueue::drop_snapshot(int run) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(news_.snapshots, [&](const auto& snapshot) { return snapshot->id.run == run; });
}

WorkerUpdates EventQueue::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(news_, {});
}

}  // namespace gantry
