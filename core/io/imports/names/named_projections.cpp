#include "core/io/imports/names/named_projections.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/natural_order.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gantry {

namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

/// Takes a series out of flats or darks that has many more files than the others beside it; none
/// if its names say nothing but the role.
Paths take_long_series(std::vector<std::string>& named, std::size_t others, const char* role,
                       std::vector<std::string>& notes) {
  constexpr std::size_t times_more = 4;
  if (named.empty()) return {};
  Groups groups = grouped(Paths(named.begin(), named.end()), std::nullopt);
  std::vector<std::string> series = largest_of(groups)->second;
  const std::string name = fs::path(series.front()).stem().string();
  const bool is_called_so = names_dark(name) || names_flat(name);
  others += named.size() - series.size();
  if (!is_called_so || !names_more(name) || series.size() < times_more * others) return {};
  std::erase_if(named, [&](const std::string& path) {
    return std::ranges::find(series, path) != series.end();
  });
  std::ranges::sort(series, natural_less);
  notes.push_back(names_of(series) + ", are named as " + role +
                  ", but are far more than the others, and no other images are left: they "
                  "were taken as the projections; --flat and --dark name others");
  return {series.begin(), series.end()};
}

}  // namespace

std::vector<fs::path> take_named_projections(std::vector<std::string>& flats,
                                             std::vector<std::string>& darks,
                                             const std::string& folder,
                                             std::vector<std::string>& notes) {
  const bool has_both = !flats.empty() && !darks.empty();
  if (has_both) {
    Paths found = take_long_series(darks, flats.size(), "darks", notes);
    if (found.empty()) found = take_long_series(flats, darks.size(), "flats", notes);
    if (!found.empty()) return found;
  }
  const std::size_t count = flats.size() + darks.size();
  if (count < 2 || has_both)
    throw InputError(
        "holds no projections" + (count == 0 ? std::string()
                                             : ": by their names, its images are flats (" +
                                                   std::to_string(flats.size()) + ") and darks (" +
                                                   std::to_string(darks.size()) + ")"),
        folder,
        "give a folder of image files whose names differ by a number" +
            std::string(has_both ? ", or name the flats (--flat) and the darks (--dark), both, "
                                   "which leaves the others as projections"
                                 : ""));
  auto& named = flats.empty() ? darks : flats;
  notes.push_back("all images are named as " + std::string(flats.empty() ? "darks" : "flats") +
                  ": they were taken as the projections");
  const std::vector<std::string> all = std::exchange(named, {});
  return {all.begin(), all.end()};
}

}  // namespace gantry
