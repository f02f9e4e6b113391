#pragma once

#include <functional>

namespace gantry {

/// Counts the energy that a device takes from its supply, as the device itself measures it.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  EnergyCounter() = default;
  EnergyCounter(const EnergyCounter&) = delete;
  EnergyCounter& operator=(const EnergyCounter&) = delete;

  /// Returns the energy since an arbitrary moment, mJ. The value is updated several times a second.
  virtual double millijoules() const = 0;
};

/// Energy of one call, and mean power, both of the whole device.
struct CallEnergy {
  double millijoules = 0, watts = 0;
};

/// Calls `work`, which must wait for the device, repeatedly for at least a second, from one update
/// of the counter to another, and returns the mean energy of a call.
CallEnergy energy_per_call(const EnergyCounter& counter, const std::function<void()>& work);

}  // namespace gantry
