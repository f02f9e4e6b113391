#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// A line integral from this value on means that the cell saw no beam: import replaces counts of
/// zero by a transmission of 1e-6, whose line integral is 13.8. Such values carry no information on
/// the object and differ widely from all others.
inline constexpr float unseen_line_integral = 13;

/// Values without any beam that were bridged along the columns of a sinogram.
struct BridgedValues {
  std::size_t bridged = 0;  ///< number of values in gaps of up to 3 columns, which stay bridged
  /// Index and value of those in wider gaps, such as the shadow of metal. These are bridged only
  /// while the correction works; restore() puts them back, since no single cells have failed.
  std::vector<std::pair<std::size_t, float>> lent = {};

  void restore(std::span<float> sinogram) const {
    for (const auto& [at, value] : lent) sinogram[at] = value;
  }
};

/// Replaces values without any beam, in each view of a sinogram, [view][column], by linear
/// interpolation between the neighbours that see the beam; views without such a value stay as they
/// are. A single column without beam in more than a twentieth of the views is unreliable in the
/// other views, too, and is bridged in all.
BridgedValues bridge_unseen(std::span<float> sinogram, int columns);

}  // namespace gantry
