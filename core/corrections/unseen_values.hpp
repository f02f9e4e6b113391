#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// From here on a line integral says that no beam was seen: of a transmission of 1e-6, as which an
/// import takes counts of zero, it is 13.8. Such values tell nothing of the object, and are far off
/// all others.
inline constexpr float unseen_line_integral = 13;

/// Values without any beam that were bridged along the columns of a sinogram.
struct BridgedValues {
  std::size_t bridged = 0;  ///< for good: in gaps of up to 3 columns
  /// Index and value of those in wider gaps, such as the shadow of a metal: the correction shall
  /// not see them, but they are no failure of single cells, and restore() puts them back.
  std::vector<std::pair<std::size_t, float>> lent = {};

  void restore(std::span<float> sinogram) const {
    for (const auto& [at, value] : lent) sinogram[at] = value;
  }
};

/// Puts values on the straight line between the seen neighbours in the place of those without any
/// beam, in each view of a sinogram, [view][column]; views without a seen value stay. A column that
/// alone sees no beam in more than a twentieth of the views is not to be believed in the others
/// either, and is bridged in all.
BridgedValues bridge_unseen(std::span<float> sinogram, int columns);

}  // namespace gantry
