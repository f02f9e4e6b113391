#pragma once

#include "core/backend/backend.hpp"
#include "core/base/interrupt.hpp"

#include <functional>
#include <vector>

namespace gantry {

/// Devices that work on the parts of a product, each lane driven by a thread of its own that takes
/// the next task when it is done with one: faster devices do more. Two lanes of one device let
/// one's copies pass while the other's products are computed.
class LaneTeam {
 public:
  explicit LaneTeam(std::vector<Backend*> lanes) : lanes_(std::move(lanes)) {}

  /// Does task(lane, index, stop) for index 0 .. count - 1, in this order as lanes become free.
  /// `stop` is raised when there is no more use for the result: long tasks look. `attend` is called
  /// on the calling thread all the while; what it or a task throws is thrown, once all lanes rest.
  using Task = std::function<void(Backend& lane, int index, const Interrupt& stop)>;
  void run(int count, const Task& task, const std::function<void()>& attend) const;

  const std::vector<Backend*>& lanes() const { return lanes_; }

 private:
  std::vector<Backend*> lanes_;
};

}  // namespace gantry
