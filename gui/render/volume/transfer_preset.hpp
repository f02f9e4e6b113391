#pragma once

#include "charts/painting/colour.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Which values of a volume are seen, and in which colours, when light falls on it.
struct TransferPreset {
  /// A colour and an opacity at a value; between two stops both are interpolated.
  struct Stop {
    double value;  ///< HU; of a preset of the window 0 at its lower end and 1 at its upper one
    Rgb colour;
    double opacity;  ///< of a layer as thick as 1/250 of the volume's diagonal, 0 .. 1
  };

  std::string key, label, help;
  bool in_hu = false;       ///< false: the stops are parts of the window
  std::vector<Stop> stops;  ///< ascending; nothing is seen below the first

  /// Returns the value of a stop in 1/mm, given the window and the attenuation of water, 1/mm.
  double mu_of(const Stop& stop, double window, double level, double mu_water) const;
};

/// Returns all presets: first that of the window, then those of tissues and materials in HU.
const std::vector<TransferPreset>& transfer_presets();
/// Returns the preset with a key, or that of the window.
const TransferPreset& transfer_preset(const std::string& key);
/// Returns the key of the preset to begin with: bone for images of patients, whose values are HU,
/// and the window for everything else.
std::string first_transfer_preset(bool of_a_patient);

}  // namespace gantry
