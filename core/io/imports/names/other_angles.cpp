#include "core/io/imports/names/other_angles.hpp"

#include "core/base/joined.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace gantry {

namespace {

/// Further parts of a beamline that turn (says_other_angles()), in a name or in that of a group.
constexpr std::array<std::string_view, 16> parts = {
    "dmm",  "crystal", "mirror", "undulator", "camera", "cam",   "hexapod", "tilt",
    "roll", "pitch",   "yaw",    "phase",     "slit",   "slits", "grating", "analyser"};
/// What the numbers of a list are instead of angles, and parts whose groups also hold the angles.
constexpr std::array<std::string_view, 17> kinds = {
    "steps",     "increment",  "delta",  "count",    "counts", "tick",
    "ticks",     "pulse",      "pulses", "limit",    "limits", "percent",
    "tolerance", "correction", "source", "detector", "range"};

std::string word_among(const std::string& text, std::span<const std::string_view> words) {
  for (const std::string& word : letter_words(lower_case(text)))
    if (says_other_angles(word) || std::ranges::find(words, word) != words.end()) return word;
  return {};
}

}  // namespace

std::string word_of_other_angles(const std::string& path, const std::string& frames) {
  auto own = static_cast<std::size_t>(std::ranges::mismatch(path, frames).in1 - path.begin());
  own = own == 0 ? 0 : path.rfind('/', own - 1) + 1;  // of what only the list has
  const std::string word = word_among(path.substr(own), parts);
  return word.empty() ? word_among(path.substr(path.rfind('/') + 1), kinds) : word;
}

std::string without_other_angles(const std::string& name) {
  std::vector<std::string> words = letter_words(name);
  if (std::erase_if(words, says_other_angles) == 0) return name;
  return joined(words);
}

}  // namespace gantry
