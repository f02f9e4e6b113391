#pragma once

#include "core/backend/backend.hpp"
#include "core/base/interrupt.hpp"

#include <functional>
#include <vector>

namespace gantry {

/// Runs the tasks of a product on several workers. A worker is a backend with a thread of its own,
/// which takes the next task when it has finished one, so that faster devices do more tasks. With
/// two workers on one device, the copies of one overlap with the computations of the other.
class WorkerPool {
 public:
  explicit WorkerPool(std::vector<Backend*> workers) : workers_(std::move(workers)) {}

  /// Runs task(worker, index, stop) for index = 0 .. count - 1, started in this order as workers
  /// become free. `stop` is raised when the result is no longer needed; long tasks must check it.
  /// Meanwhile `check_interrupt` is called every 20 ms on the calling thread. Rethrows what
  /// `check_interrupt` or a task has thrown, after all workers have finished.
  using Task = std::function<void(Backend& worker, int index, const Interrupt& stop)>;
  void run(int count, const Task& task, const std::function<void()>& check_interrupt) const;

  const std::vector<Backend*>& workers() const { return workers_; }

 private:
  std::vector<Backend*> workers_;
};

}  // namespace gantry
