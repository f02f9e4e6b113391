#include "core/io/imports/formats/hdf5/hdf5_lost_frames.hpp"

#include "core/io/imports/names/file_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr const char* ids_path = "/defaults/NDArrayUniqueId";

/// Returns the place of each frame of a data set after the first one by the counts of the camera;
/// nothing where these are missing, or do not rise.
std::vector<int> places_by_count(const Hdf5File& file, const Hdf5Dataset& data) {
  const Hdf5Dataset* ids = file.find(ids_path);
  const Hdf5Dataset* locations = file.find("/defaults/HDF5FrameLocation");
  if (ids == nullptr || locations == nullptr || !ids->list_length()) return {};
  std::istringstream lines(file.text(*locations).value_or(""));
  std::vector<int> places;
  std::optional<double> first;
  for (const double id : file.numbers(*ids)) {
    std::string location;
    if (!std::getline(lines, location)) return {};
    if (location != data.path) continue;
    const double place = id - first.value_or(id);
    if (!(place >= 0 && place < FrameSource::most_frames)) return {};
    first = first.value_or(id);
    places.push_back(static_cast<int>(place));
  }
  const bool do_rise =
      std::ranges::adjacent_find(places, std::ranges::greater_equal()) == places.end();
  // A larger step is that of a count of something else, as of exposures that are averaged.
  return do_rise && common_step(places) <= 1 && places.size() == data.size[0] ? places
                                                                              : std::vector<int>{};
}

}  // namespace

std::string missing_places(const std::vector<int>& places, int all) {
  constexpr int most_named = 10;
  std::string text;
  int named = 0;
  for (int from = 0, i = 0; from < all; ++i) {
    const int next = i < std::ssize(places) ? places[static_cast<std::size_t>(i)] : all;
    if (next > from && ++named <= most_named)
      text += (text.empty() ? "" : ", ") + std::to_string(from) +
              (next > from + 1 ? " to " + std::to_string(next - 1) : "");
    from = next + 1;
  }
  return text + (named > most_named ? " and further ones" : "");
}

void take_lost_frames(const Hdf5File& file, const Hdf5Dataset& data, std::uint64_t angles,
                      FrameNumbers& numbers, RawScan& scan) {
  std::vector<int> places = places_by_count(file, data);
  // Without gaps, a longer list of angles may also have those of flats, or one that closes a turn.
  if (places.empty() || places.back() + 1 == numbers.frames) return;
  const int listed = angles > FrameSource::most_frames ? 0 : static_cast<int>(angles),
            all = std::max(listed, places.back() + 1), lost = all - numbers.frames;
  scan.notes.push_back(std::to_string(lost) + (lost == 1 ? " projection is" : " projections are") +
                       " missing by the counts of the camera (" + ids_path +
                       "), as counted from 0 at the first one: " + missing_places(places, all));
  numbers.positions = std::move(places);
  numbers.projections = all;
  scan.positions = numbers.positions;
}

}  // namespace gantry
