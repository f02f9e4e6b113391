#include "core/job/worker_news.hpp"

#include <algorithm>

namespace gantry {

void NewsBox::add(WorkerEvent event) {
  add_with([&](WorkerNews& news) { news.events.push_back(std::move(event)); });
}

void NewsBox::add(std::shared_ptr<const RunSnapshot> snapshot, std::optional<WorkerEvent> event) {
  add_with([&](WorkerNews& news) {
    std::erase_if(news.snapshots, [&](const auto& old) { return old->id.run == snapshot->id.run; });
    news.snapshots.push_back(std::move(snapshot));
    if (event) news.events.push_back(std::move(*event));
  });
}

void NewsBox::add_with(const std::function<void(WorkerNews&)>& add) {
  bool was_empty = false;
  {
    const std::scoped_lock lock(mutex_);
    was_empty = news_.events.empty() && news_.snapshots.empty();
    add(news_);
  }
  if (was_empty) wake_();
}

void NewsBox::drop_snapshot(int run) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(news_.snapshots, [&](const auto& snapshot) { return snapshot->id.run == run; });
}

WorkerNews NewsBox::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(news_, {});
}

}  // namespace gantry
