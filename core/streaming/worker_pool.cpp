#include "core/streaming/worker_pool.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace gantry {

namespace {

constexpr std::chrono::milliseconds between_looks{20};

/// State of a run, used by all its workers: the next task, the number of workers at work, and the
/// first failure.
struct PoolRun {
  std::mutex mutex;
  std::condition_variable done;
  Interrupt stop;
  std::exception_ptr failure;
  int next = 0, working = 0;

  int take(int count) {
    const std::scoped_lock lock(mutex);
    return next < count && !stop.raised() ? next++ : -1;
  }
  void fail(std::exception_ptr error) {
    const std::scoped_lock lock(mutex);
    if (!failure && !stop.raised()) failure = std::move(error);
    stop.raise();
  }
  void leave() {
    const std::scoped_lock lock(mutex);
    --working;
    done.notify_all();
  }
};

void work(PoolRun& desk, Backend& worker, int count, const WorkerPool::Task& task) {
  try {
    for (int index = desk.take(count); index >= 0; index = desk.take(count))
      task(worker, index, desk.stop);
  } catch (...) {
    desk.fail(std::current_exception());
  }
  desk.leave();
}

}  // namespace

void WorkerPool::run(int count, const Task& task,
                     const std::function<void()>& check_interrupt) const {
  PoolRun desk;
  std::vector<std::jthread> threads;
  const std::size_t used = std::min(workers_.size(), static_cast<std::size_t>(std::max(count, 0)));
  desk.working = static_cast<int>(used);
  for (std::size_t n = 0; n < used; ++n)
    threads.emplace_back([&, n] { work(desk, *workers_[n], count, task); });
  std::exception_ptr left;
  for (std::unique_lock lock(desk.mutex); desk.working > 0;) {
    desk.done.wait_for(lock, between_looks, [&] { return desk.working == 0; });
    if (left) continue;
    lock.unlock();
    try {
      check_interrupt();
    } catch (...) {
      left = std::current_exception();
      desk.stop.raise();
    }
    lock.lock();
  }
  threads.clear();
  if (left) std::rethrow_exception(left);
  if (desk.failure) std::rethrow_exception(desk.failure);
}

}  // namespace gantry
