#include "core/io/imports/names/named_projections.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/natural_order.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace gantry {

namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

/// A series of files that are called flats or darks.
struct NamedSeries {
  std::vector<std::string>* of = nullptr;  ///< the flats or the darks
  std::vector<std::string> paths;
  std::size_t frames = 0;
  bool says_more = false, says_more_behind = false;  ///< than the role; behind its word
};

/// Whether a name says more behind the first word of a role: dark_chocolate, but not rock_flat.
bool says_more_behind_role(const std::string& name) {
  std::size_t end = 0;
  while (end < name.size() && !names_dark(name.substr(0, end)) && !names_flat(name.substr(0, end)))
    ++end;
  return names_more(name.substr(end)) && !names_more(name.substr(0, end));
}

std::vector<NamedSeries> series_of(std::vector<std::string>& named, const std::string& folder,
                                   const FramesOf& frames_of) {
  std::vector<NamedSeries> all;
  for (auto& [pattern, paths] : grouped(Paths(named.begin(), named.end()), std::nullopt)) {
    const fs::path name = fs::path(paths.front()).lexically_relative(folder).replace_extension();
    const bool is_called_plainly = std::ranges::any_of(name, [](const fs::path& part) {
      return (names_dark(part.string()) || names_flat(part.string())) && !names_more(part.string());
    });
    const bool says_more = !is_called_plainly && names_more(name.string());
    all.push_back({&named, paths, frames_of(paths), says_more,
                   says_more && says_more_behind_role(name.string())});
  }
  return all;
}

/// Returns the series that is rather the projections; null where none is.
const NamedSeries* likely_projections(const std::vector<NamedSeries>& all, std::size_t others) {
  constexpr std::size_t times_more = 4;
  if (all.empty()) return nullptr;
  const auto longest = std::ranges::max_element(all, {}, &NamedSeries::frames);
  std::size_t rest = others;
  for (const NamedSeries& one : all) rest += one.frames;
  rest -= longest->frames;
  if (longest->says_more && longest->frames >= times_more * rest) return &*longest;
  const bool is_only_one = std::ranges::count(all, true, &NamedSeries::says_more) == 1 &&
                           std::ranges::count(all, longest->frames, &NamedSeries::frames) == 1;
  return others == 0 && longest->says_more_behind && is_only_one ? &*longest : nullptr;
}

/// Moves the series that is rather the projections to the others, with a note.
void take_sample(std::vector<std::string>& flats, std::vector<std::string>& darks, Paths& others,
                 const std::string& folder, const FramesOf& frames_of,
                 std::vector<std::string>& notes) {
  std::vector<NamedSeries> all = series_of(darks, folder, frames_of);
  std::ranges::move(series_of(flats, folder, frames_of), std::back_inserter(all));
  const std::vector<std::string> left(others.begin(), others.end());
  const NamedSeries* found = likely_projections(all, left.empty() ? 0 : frames_of(left));
  if (found == nullptr) return;
  std::erase_if(*found->of, [&](const std::string& path) {
    return std::ranges::find(found->paths, path) != found->paths.end();
  });
  std::vector<std::string> paths = found->paths;
  std::ranges::sort(paths, natural_less);
  const bool is_one = paths.size() == 1;
  notes.push_back(names_of(paths) + (is_one ? " is named as " : ", are named as ") +
                  (found->of == &darks ? "darks" : "flats") + ", as a sample may be, and " +
                  (is_one ? "was" : "were") +
                  " taken as the projections, since the others are far fewer images, or fewer and "
                  "all called as flats and darks; --flat and --dark name others");
  others.insert(others.end(), paths.begin(), paths.end());
}

}  // namespace

void take_named_projections(std::vector<std::string>& flats, std::vector<std::string>& darks,
                            std::vector<fs::path>& others, const std::string& folder,
                            const FramesOf& frames_of, std::vector<std::string>& notes) {
  const bool has_both = !flats.empty() && !darks.empty();
  if (has_both) take_sample(flats, darks, others, folder, frames_of, notes);
  if (!others.empty()) return;
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
  others.assign(named.begin(), named.end());
  named.clear();
}

}  // namespace gantry
