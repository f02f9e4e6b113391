#pragma once

#include <functional>

namespace gantry {

/// What a device takes from its supply, by its own counter.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  EnergyCounter() = default;
  EnergyCounter(const EnergyCounter&) = delete;
  EnergyCounter& operator=(const EnergyCounter&) = delete;

  /// Since some moment. It moves on in steps, some times a second.
  virtual double millijoules() const = 0;
};

/// Of one call among many, the device's whole power included.
struct CallEnergy {
  double millijoules = 0, watts = 0;
};

/// Repeats `work`, which waits for the device, for a second at least, from one step of the counter
/// to another.
CallEnergy energy_per_call(const EnergyCounter& counter, const std::function<void()>& work);

}  // namespace gantry
