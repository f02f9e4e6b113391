#include "core/solvers/direct/extrapolated_row.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gantry {

void extrapolate_row(std::span<float> row, std::size_t first, std::size_t measured,
                     std::size_t added) {
  const std::size_t last = first + measured - 1;
  const auto beyond = [](float end, float inside, float taper) {
    return taper * std::clamp(2 * end - inside, std::min(0.0F, 2 * end), std::max(0.0F, 2 * end));
  };
  for (std::size_t d = 1; d <= added; ++d) {
    const std::size_t mirror = std::min(d, measured - 1);
    const auto taper = static_cast<float>(
        std::cos(std::numbers::pi / 2 * static_cast<double>(d) / static_cast<double>(added + 1)));
    row[first - d] = beyond(row[first], row[first + mirror], taper);
    row[last + d] = beyond(row[last], row[last - mirror], taper);
  }
}

}  // namespace gantry
