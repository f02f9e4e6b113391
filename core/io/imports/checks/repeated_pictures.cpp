#include "core/io/imports/checks/repeated_pictures.hpp"

#include "core/io/imports/checks/frame_checks.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>

namespace gantry {

namespace {

constexpr std::size_t least_values = 256;
constexpr double least_noise = 0.2;
constexpr std::size_t most_repeated = 10;  // of so many frames, one

/// Returns the part of the values that are above or below both neighbours in their row.
double roughness(std::span<const float> values, std::size_t columns) {
  std::size_t turns = 0, places = 0;
  for (std::size_t first = 0; first + columns <= values.size(); first += columns) {
    std::uint32_t turns_here = 0;
    for (std::size_t i = first + 1; i + 1 < first + columns; ++i)
      turns_here += (values[i] - values[i - 1]) * (values[i + 1] - values[i]) < 0 ? 1U : 0U;
    turns += turns_here;
    places += columns < 2 ? 0 : columns - 2;
  }
  return places == 0 ? 0 : static_cast<double>(turns) / static_cast<double>(places);
}

}  // namespace

PictureKeys picture_keys(std::span<const float> values, std::size_t columns) {
  // FNV-1a, by pairs of values instead of bytes; the upper half of a product is folded into the
  // lower one. Every fourth pair has a hash in common, because the factors of one hash have to wait
  // for each other.
  constexpr std::uint64_t prime = 1099511628211U;
  const auto with = [](std::uint64_t hash, std::uint64_t more) {
    hash = (hash ^ more) * prime;
    return hash ^ (hash >> 32U);
  };
  std::array<std::uint64_t, 4> hashes, words;
  hashes.fill(14695981039346656037U);
  constexpr std::size_t at_once = sizeof words / sizeof(float);
  const std::size_t whole = values.size() / at_once * at_once;
  for (std::size_t i = 0; i < whole; i += at_once) {
    std::memcpy(words.data(), &values[i], sizeof words);
    for (std::size_t k = 0; k < hashes.size(); ++k) hashes[k] = with(hashes[k], words[k]);
  }
  for (const float value : values.subspan(whole))
    hashes[0] = with(hashes[0], std::bit_cast<std::uint32_t>(value));
  PictureKeys keys{hashes[0], {}};
  for (const std::uint64_t hash : std::span(hashes).subspan(1))
    keys.values = with(keys.values, hash);
  if (values.size() >= least_values && are_whole(values) &&
      roughness(values, columns) >= least_noise)
    keys.picture = keys.values;
  return keys;
}

std::vector<std::pair<int, int>> repeated_pictures(std::span<const PictureKeys> frames) {
  std::map<std::uint64_t, int> seen;
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!frames[i].picture) continue;
    const int frame = static_cast<int>(i);
    const auto [before, is_new] = seen.try_emplace(*frames[i].picture, frame);
    if (is_new) continue;
    pairs.emplace_back(before->second, frame);
    before->second = frame;
  }
  const bool are_all_one = pairs.size() + 1 == frames.size();
  if (!are_all_one && pairs.size() > 1 && pairs.size() * most_repeated > frames.size())
    pairs.clear();
  return pairs;
}

std::optional<std::pair<int, int>> stored_twice(std::span<const PictureKeys> frames) {
  constexpr std::size_t least_pairs = 3;
  std::optional<std::pair<int, int>> first;
  std::set<std::uint64_t> values;
  std::size_t pairs = 0;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (frames[i].values != frames[i - 1].values) continue;
    if (!first) first.emplace(static_cast<int>(i) - 1, static_cast<int>(i));
    values.insert(frames[i].values);
    ++pairs;
    ++i;  // the next pair begins behind this one
  }
  const bool are_most = 20 * pairs >= 9 * frames.size();
  return are_most && pairs >= least_pairs && values.size() == pairs ? first : std::nullopt;
}

}  // namespace gantry
