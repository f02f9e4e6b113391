#include "core/io/imports/folders/projection_series.hpp"

#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/called_slices.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/tables/lines_of_numbers.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

namespace gantry {

namespace {

namespace fs = std::filesystem;

/// A group of images that may be the projections.
struct Candidate {
  const std::vector<std::string>* paths = nullptr;
  CalledImage called = CalledImage::neither;
  std::size_t frames = 0;
  int fits = 0;  ///< how many of the flats and the lists of angles its frames fit
  bool is_no_flat = true;

  auto rank() const { return std::tuple(called, fits, frames, is_no_flat); }
};

/// Takes names for what they say only where that can be: a result beside nothing but a few images
/// may be the scan, and a single image that is called data may be a picture of anything.
void doubt_names(std::vector<Candidate>& all) {
  for (Candidate& one : all)
    if (one.called == CalledImage::scan && one.frames < least_of_series)
      one.called = CalledImage::neither;
  std::size_t results = 0;
  for (const Candidate& one : all)
    if (one.called == CalledImage::result) results = std::max(results, one.frames);
  const bool has_others = std::ranges::any_of(all, [&](const Candidate& one) {
    return one.called == CalledImage::projection ||
           (one.called != CalledImage::result && may_be_projections_beside(results, one.frames));
  });
  if (has_others) return;
  for (Candidate& one : all)
    if (one.called == CalledImage::result) one.called = CalledImage::neither;
}

/// Finds which candidates fit the flats, else the darks, and the lists of angles.
void find_fits(std::vector<Candidate>& all, const FrameFiles& files, const CountedFiles& count) {
  const std::vector<std::string>& beam = files.flats.empty() ? files.darks : files.flats;
  const auto cells = beam.empty() ? std::pair(0, 0) : count.cells_of(beam);
  std::set<std::size_t> angles;
  for (const std::string& text : files.texts)
    if (names_angles(text)) angles.insert(lines_of_numbers(text));
  for (Candidate& one : all) {
    if (one.frames < least_of_series) continue;
    if (cells.first > 0 && count.cells_of(*one.paths) == cells) ++one.fits;
    if (angles.contains(one.frames) || angles.contains(one.frames + 1)) ++one.fits;
  }
}

}  // namespace

std::size_t CountedFiles::of(const std::vector<std::string>& paths) const {
  constexpr std::size_t few = 8;
  if (!can_count() || paths.size() >= few) return paths.size();
  std::size_t frames = 0;
  for (const std::string& path : paths) {
    const auto [known, is_new] = known_.try_emplace(path, 0);
    if (is_new)
      known->second = std::max(1, counter_.count(path));  // a damaged one may be of a series
    frames += static_cast<std::size_t>(known->second);
  }
  return frames;
}

std::pair<int, int> CountedFiles::cells_of(const std::vector<std::string>& paths) const {
  if (!counter_.cells) return {};
  const auto first = counter_.cells(paths.front());
  return first.first > 0 ? first : counter_.cells(paths.back());  // the first may be damaged
}

ProjectionSeries choose_projections(const Groups& groups, const FrameFiles& files,
                                    const std::string& folder, const CountedFiles& count) {
  constexpr std::size_t most_groups = 64;
  if (!count.can_count() || groups.size() == 1 || groups.size() > most_groups) {
    const std::vector<std::string>& paths = largest_of(groups)->second;
    return {paths, count.of(paths), {}, true};
  }
  std::vector<Candidate> all;
  for (const auto& [pattern, paths] : groups) {
    const fs::path name = fs::path(paths.front()).replace_extension();
    all.push_back({&paths, called_image(name.lexically_relative(folder)), count.of(paths), 0,
                   !may_name_flat(name)});
  }
  doubt_names(all);
  const auto best = [&] { return *std::ranges::max_element(all, {}, &Candidate::rank); };
  const CalledImage called = best().called;
  std::erase_if(all, [&](const Candidate& one) { return one.called != called; });
  const bool is_named = all.size() == 1;
  if (!is_named) find_fits(all, files, count);
  const Candidate found = best();
  const bool is_the_longest =
      !is_named && std::ranges::count(all, found.fits, &Candidate::fits) > 1;
  ProjectionSeries series{*found.paths, found.frames, {}, is_the_longest};
  const bool are_stacks = found.frames > found.paths->size();
  if (is_the_longest && are_stacks)
    series.why =
        "of the series and stacks, the one of most images, " + std::to_string(found.frames);
  else if (!is_named && !is_the_longest)
    series.why = "of the series and stacks, the one that fits the flats or the list of angles";
  return series;
}

}  // namespace gantry
