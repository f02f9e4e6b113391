#pragma once

#include "core/backend/backend.hpp"
#include "core/base/interrupt.hpp"

#include <functional>
#include <vector>

namespace gantry {

/// Devices that work on the parts of a product, each worker driven by a thread of its own that
/// takes the next task when it is done with one: faster devices do more. Two workers of one device
/// let one's copies pass while the other's products are computed.
class WorkerPool {
 public:
  explicit WorkerPool(std::vector<Backend*> workers) : workers_(std::move(workers)) {}

  /// Does task(worker, index, stop) for index 0 .. count - 1, in this order as workers become free.
  /// `stop` is raised when there is no more use for the result: long tasks look. `attend` is called
  /// on the calling thread all the while; what it or a task throws is thrown, once all workers
  /// rest.
  using Task = std::function<void(Backend& worker, int index, const Interrupt& stop)>;
  void run(int count, const Task& task, const std::function<void()>& attend) const;

  const std::vector<Backend*>& workers() const { return workers_; }

 private:
  std::vector<Backend*> workers_;
};

}  // namespace gantry
