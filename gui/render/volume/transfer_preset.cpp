#include "gui/render/volume/transfer_preset.hpp"

#include <algorithm>

namespace gantry {

double TransferPreset::mu_of(const Stop& stop, double window, double level, double mu_water) const {
  return in_hu ? mu_water * (1 + stop.value / 1000) : level + (stop.value - 0.5) * window;
}

const std::vector<TransferPreset>& transfer_presets() {
  // Usual values: lung -900 to -500 HU, fat -100, muscle and organs 20 to 80, trabecular bone from
  // 200, cortical bone to 2000; metals lie beyond.
  static const std::vector<TransferPreset> presets = {
      {"window",
       "Window",
       "Opaque and bright from the lower to the upper end of the window",
       false,
       {{0, rgb(0x8C6B54), 0},
        {0.1, rgb(0x9A785F), 0},
        {0.5, rgb(0xCCB394), 0.12},
        {1, rgb(0xFFF7E6), 0.75}}},
      {"bone",
       "Bone",
       "Bone, from 200 HU",
       true,
       {{150, rgb(0xA0674C), 0},
        {280, rgb(0xC89B76), 0.08},
        {500, rgb(0xE8D3B0), 0.35},
        {1400, rgb(0xFFFAF0), 0.9}}},
      {"soft_tissue",
       "Soft tissue",
       "Fat, translucent, and muscle and organs, from -120 to 200 HU, with bone",
       true,
       {{-160, rgb(0xD9B26B), 0},
        {-90, rgb(0xE3C078), 0.015},
        {0, rgb(0xB5544A), 0.05},
        {80, rgb(0xC96A5B), 0.16},
        {220, rgb(0xE8D3B0), 0.4},
        {1200, rgb(0xFFFAF0), 0.9}}},
      {"lung",
       "Lung",
       "Lung, translucent, from -950 to -400 HU, with bone; soft tissue is left out",
       true,
       {{-960, rgb(0x5B7FB5), 0},
        {-880, rgb(0x6E93C9), 0.02},
        {-650, rgb(0xD98C8C), 0.06},
        {-420, rgb(0xE5A3A3), 0.03},
        {-350, rgb(0xE5A3A3), 0},
        {220, rgb(0xE8D3B0), 0},
        {700, rgb(0xFFFAF0), 0.4}}},
      {"metal",
       "Metal",
       "Implants and other metal, from 2200 HU",
       true,
       {{1900, rgb(0x6F8FB0), 0}, {2500, rgb(0x9DB7D1), 0.3}, {5000, rgb(0xF4F8FF), 0.95}}}};
  return presets;
}

const TransferPreset& transfer_preset(const std::string& key) {
  const auto found = std::ranges::find(transfer_presets(), key, &TransferPreset::key);
  return found == transfer_presets().end() ? transfer_presets().front() : *found;
}

std::string first_transfer_preset(bool of_a_patient) { return of_a_patient ? "bone" : "window"; }

}  // namespace gantry
