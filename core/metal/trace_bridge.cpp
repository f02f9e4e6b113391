#include "core/metal/trace_bridge.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gantry {

std::size_t bridge_trace(std::span<float> row, std::span<const std::uint8_t> trace,
                         std::span<const float> prior, float least) {
  const auto scale = [&](std::size_t at) {
    return prior.empty() ? 1.0F : std::max(prior[at], least);
  };
  const float alone = prior.empty() ? 0.0F : 1.0F;
  std::size_t replaced = 0;
  for (std::size_t first = 0; first < row.size(); ++first) {
    if (trace[first] == 0) continue;
    std::size_t end = first;
    while (end < row.size() && trace[end] != 0) ++end;
    const bool has_left = first > 0, has_right = end < row.size();
    float left = has_left ? row[first - 1] / scale(first - 1) : alone;
    const float right = has_right ? row[end] / scale(end) : left;
    if (!has_left) left = right;
    const float steps = static_cast<float>(end - first + 1);
    for (std::size_t at = first; at < end; ++at)
      row[at] = (left + (right - left) * static_cast<float>(at - first + 1) / steps) * scale(at);
    replaced += end - first;
    first = end;
  }
  return replaced;
}

void widen_trace(std::span<std::uint8_t> trace, int margin) {
  const std::vector<std::uint8_t> narrow(trace.begin(), trace.end());
  for (std::size_t at = 0; at < narrow.size(); ++at) {
    if (narrow[at] == 0) continue;
    const auto reach = static_cast<std::size_t>(margin);
    const std::size_t from = at - std::min(at, reach), to = std::min(narrow.size(), at + reach + 1);
    std::fill(trace.begin() + static_cast<std::ptrdiff_t>(from),
              trace.begin() + static_cast<std::ptrdiff_t>(to), std::uint8_t{1});
  }
}

}  // namespace gantry
