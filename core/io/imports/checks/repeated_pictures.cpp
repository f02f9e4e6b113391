#include "core/io/imports/checks/repeated_pictures.hpp"

#include <bit>
#include <cmath>
#include <map>

namespace gantry {

namespace {

constexpr std::size_t least_values = 256;
constexpr double least_noise = 0.2;
constexpr std::size_t most_repeated = 10;  // of so many frames, one

/// Returns the part of the values that are above or below both neighbours in their row.
double roughness(std::span<const float> values, std::size_t columns) {
  std::size_t turns = 0, places = 0;
  for (std::size_t first = 0; first + columns <= values.size(); first += columns)
    for (std::size_t i = first + 1; i + 1 < first + columns; ++i, ++places)
      turns += (values[i] - values[i - 1]) * (values[i + 1] - values[i]) < 0 ? 1 : 0;
  return places == 0 ? 0 : static_cast<double>(turns) / static_cast<double>(places);
}

}  // namespace

std::optional<std::uint64_t> picture_key(std::span<const float> values, std::size_t columns) {
  if (values.size() < least_values) return std::nullopt;
  std::uint64_t key = 14695981039346656037U;  // FNV-1a, by values instead of bytes
  for (const float value : values) {
    if (value != std::trunc(value)) return std::nullopt;
    key = (key ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211U;
  }
  return roughness(values, columns) >= least_noise ? std::optional(key) : std::nullopt;
}

std::vector<std::pair<int, int>> repeated_pictures(
    std::span<const std::optional<std::uint64_t>> keys) {
  std::map<std::uint64_t, int> seen;
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i]) continue;
    const int frame = static_cast<int>(i);
    const auto [before, is_new] = seen.try_emplace(*keys[i], frame);
    if (is_new) continue;
    pairs.emplace_back(before->second, frame);
    before->second = frame;
  }
  const bool are_all_one = pairs.size() + 1 == keys.size();
  if (!are_all_one && pairs.size() > 1 && pairs.size() * most_repeated > keys.size()) pairs.clear();
  return pairs;
}

}  // namespace gantry
