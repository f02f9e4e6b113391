#include "core/io/imports/arrays/named_frames.hpp"

#include "core/io/files/containers/listed_array.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/arrays/array_names.hpp"
#include "core/io/imports/checks/doubtful_flats.hpp"
#include "core/io/imports/checks/frame_checks.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/flat_series.hpp"
#include "core/io/imports/names/frame_roles.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gantry {

namespace {

using Lists = std::vector<const ListedArray*>;
using Frames = std::shared_ptr<const FrameSource>;

bool contains(const Lists& arrays, const ListedArray* one) {
  return std::ranges::find(arrays, one) != arrays.end();
}

ArrayNames plain_names(FrameRole role) {
  return role == FrameRole::flats ? ArrayNames(names_of_flats) : ArrayNames(names_of_darks);
}

/// Returns the words of a name and of its group but for those that say when flats were taken.
std::vector<std::string> timeless_words(const ListedArray& array) {
  std::vector<std::string> words =
      letter_words(lower_case(array.group_name() + "/" + array.name()));
  std::erase_if(words, [](const std::string& word) { return says_time_of_flats(word); });
  return words;
}

/// Whether arrays are flats, or darks, of one scan by their names: those of one group have the same
/// first word, as "flats_a" and "flats_b", or they differ by when they were taken, as "pre_flats"
/// and "post_flats", "before/flats" and "after/flats".
bool are_one_series(const Lists& named) {
  const auto first_word = [](const ListedArray* one) {
    const std::vector<std::string> words = letter_words(lower_case(one->name()));
    return words.empty() ? std::string() : words.front();
  };
  return std::ranges::all_of(named, [&](const ListedArray* one) {
    return (first_word(one) == first_word(named[0]) &&
            one->group_name() == named[0]->group_name()) ||
           timeless_words(*one) == timeless_words(*named[0]);
  });
}

double mean_of(const FrameSource& frames, int frame) {
  std::vector<float> values(static_cast<std::size_t>(frames.rows()) *
                            static_cast<std::size_t>(frames.columns()));
  frames.read(frame, values);
  return summary_of(values).mean;
}

/// Finds and takes the flats and darks of a scan.
class NamedFrames {
 public:
  NamedFrames(const FramesOfFile& frames, RawScan& scan) : frames_(frames), scan_(scan) {}

  Lists take() {
    Lists flats, darks;
    if (frames_.seeks_flats) flats = found(FrameRole::flats);
    if (frames_.seeks_darks) darks = found(FrameRole::darks);
    take_doubtful(flats, darks);
    scan_.flats = opened(flats, "flats");
    scan_.darks = opened(darks, "darks");
    Lists known = flats;
    known.insert(known.end(), darks.begin(), darks.end());
    const Lists unused = unused_beside(known);
    if (!unused.empty())
      scan_.notes.push_back("not used, though named as flats or darks: " + listed(unused) + "; " +
                            frames_.takes + " those of this scan");
    known.insert(known.end(), unused.begin(), unused.end());
    return known;
  }

 private:
  bool fits(const ListedArray& array, bool columns_alone) const {
    return has_cells_of(*scan_.projections, array, frames_.axes, columns_alone);
  }
  bool is_sought(FrameRole role) const {
    return role == FrameRole::flats ? frames_.seeks_flats : frames_.seeks_darks;
  }

  /// Returns the array of a plain name beside the frames, whose name comes first; null without.
  const ListedArray* plain_beside(FrameRole role) const {
    for (const std::string_view name : plain_names(role))
      for (const ListedArray* one : frames_.file.arrays)
        if (one != frames_.file.frames && one->is_number && lower_case(one->name()) == name &&
            is_beside(frames_.file, *one) && fits(*one, true))
          return one;
    return nullptr;
  }
  /// Whether a group holds that of the scan, but itself no projections of another one.
  bool is_above_scans(const std::string& group) const {
    return frames_.group_of_scan->starts_with(group) &&
           std::ranges::none_of(frames_.file.arrays, [&](const ListedArray* one) {
             return one->group() == group && one->has_dimensions(3, 3) && !role_of_array(*one);
           });
  }
  /// Returns the frames that are called so in the group of the scan; without any, those beside the
  /// groups of several scans, for all of which they were taken.
  Lists called(FrameRole role, bool are_doubtful) const {
    Lists own, shared;
    if (!frames_.group_of_scan) return own;
    for (const ListedArray* one : frames_.file.arrays)
      if (one != frames_.file.frames && one->is_number && one->elements() > 0 &&
          one->size.size() >= 2 && without_single_axes(one->size).size() <= 3 &&
          role_of_array(*one) == role && is_doubtful_flat(*one) == are_doubtful) {
        if (one->path.starts_with(*frames_.group_of_scan))
          own.push_back(one);
        else if (is_above_scans(one->group()))
          shared.push_back(one);
      }
    return own.empty() ? shared : own;
  }
  /// Returns arrays if all of them can be taken as the flats, or darks, of this scan; else none.
  Lists if_of_this_scan(Lists named) const {
    const bool can_be =
        are_one_series(named) &&
        std::ranges::all_of(named, [&](const ListedArray* one) { return fits(*one, false); });
    return can_be ? named : Lists{};
  }
  Lists found(FrameRole role) const {
    if (const ListedArray* beside = plain_beside(role)) return {beside};
    return frames_.are_line_integrals ? Lists{} : if_of_this_scan(called(role, false));
  }

  /// Takes flats of a doubtful name, which are darks if they are far darker than the projections.
  void take_doubtful(Lists& flats, Lists& darks) {
    const bool may_be_flats = frames_.seeks_flats && flats.empty(),
               may_be_darks = frames_.seeks_darks && darks.empty();
    if (frames_.are_line_integrals || (!may_be_flats && !may_be_darks)) return;
    Lists doubtful = if_of_this_scan(called(FrameRole::flats, true));
    if (doubtful.empty()) return;
    const bool are_dark =
        are_darks(mean_of(*frames_.open(*doubtful.front()), 0), scan_.projections->frames(),
                  [&](int frame) { return mean_of(*scan_.projections, frame); });
    if (are_dark && may_be_darks) {
      scan_.notes.push_back(listed(doubtful) + (doubtful.size() == 1 ? " was" : " were") +
                            " taken as darks, since " +
                            (doubtful.size() == 1 ? "it is" : "they are") +
                            " far darker than the projections; " + frames_.takes + " others");
      darks = std::move(doubtful);
    } else if (!are_dark && may_be_flats) {
      flats = std::move(doubtful);
    }
  }

  Frames opened(const Lists& arrays, const char* word) {
    Frames all;
    std::vector<std::string> names;
    for (const ListedArray* one : arrays) {
      scan_.assumptions.push_back({word, one->path, "by its name"});
      const Frames more = frames_.open(*one);
      names.insert(names.end(), static_cast<std::size_t>(more->frames()), one->path);
      all = joined_frames(all, more);
    }
    if (arrays.size() > 1 && word == std::string_view("flats"))
      scan_.flat_views = views_of_flats(names, scan_.projections->frames());
    return all;
  }

  /// Returns the arrays that are named as flats or darks, but were not taken: those of a plain name
  /// beside the frames, whatever they hold, and others that hold a frame at least. Where some of
  /// their role were taken, only those in the groups of the frames and of these.
  Lists unused_beside(const Lists& taken) const {
    Lists unused;
    if (frames_.are_line_integrals) return unused;
    for (const ListedArray* one : frames_.file.arrays) {
      const std::optional<FrameRole> role = role_of_array(*one);
      if (role && is_sought(*role) && one != frames_.file.frames && !contains(taken, one) &&
          one->is_number && one->elements() > 0 && may_belong(*one, *role, taken))
        unused.push_back(one);
    }
    std::stable_partition(unused.begin(), unused.end(), [](const ListedArray* one) {
      return role_of_array(*one) == FrameRole::flats;
    });
    return unused;
  }
  bool may_belong(const ListedArray& array, FrameRole role, const Lists& taken) const {
    const auto cells = static_cast<std::uint64_t>(scan_.projections->rows()) *
                       static_cast<std::uint64_t>(scan_.projections->columns());
    if (is_beside(frames_.file, array) && is_named_as(array.name(), plain_names(role))) return true;
    if (array.size.size() < 2 || array.elements() < cells || is_statistic(array)) return false;
    const auto has_role = [&](const ListedArray* one) { return role_of_array(*one) == role; };
    return std::ranges::none_of(taken, has_role) || is_beside(frames_.file, array) ||
           std::ranges::any_of(taken, [&](const ListedArray* one) {
             return has_role(one) && one->group() == array.group();
           });
  }
  /// Whether a name tells of flats or darks, but is not called as frames of these.
  static bool is_statistic(const ListedArray& array) {
    constexpr std::array<std::string_view, 7> words = {"std",  "stddev", "sigma", "error",
                                                       "mask", "noise",  "map"};
    return std::ranges::any_of(letter_words(lower_case(array.name())),
                               [&](const std::string& word) { return is_named_as(word, words); });
  }

  const FramesOfFile& frames_;
  RawScan& scan_;
};

}  // namespace

Lists without_flats_and_darks(const Lists& arrays, const Lists& given) {
  Lists frames, in_other_groups, in_doubtful_groups, uncalled;
  for (const ListedArray* one : arrays) {
    if (contains(given, one) || is_named_as(one->name(), names_of_flats) ||
        is_named_as(one->name(), names_of_darks))
      continue;
    frames.push_back(one);
    if (role_called(one->name())) continue;
    uncalled.push_back(one);
    if (!role_called(one->group_name())) in_other_groups.push_back(one);
    if (names_more(one->group_name())) in_doubtful_groups.push_back(one);
  }
  if (!in_other_groups.empty()) return in_other_groups;
  if (!in_doubtful_groups.empty()) return in_doubtful_groups;
  return uncalled.empty() ? frames : uncalled;
}

std::optional<std::string> group_without(const Lists& others, const ListedArray& array) {
  std::string group;
  while (std::ranges::any_of(
      others, [&](const ListedArray* one) { return one->path.starts_with(group); })) {
    const std::size_t end = array.path.find('/', group.size());
    if (end == std::string::npos) return std::nullopt;
    group = array.path.substr(0, end + 1);
  }
  return group;
}

Lists take_named_frames(const FramesOfFile& frames, RawScan& scan) {
  return NamedFrames(frames, scan).take();
}

bool has_cells_of(const FrameSource& projections, const ListedArray& array,
                  const FrameAxes& of_projections, bool columns_alone) {
  const std::vector<std::uint64_t> size = without_single_axes(array.size);
  if (size.empty() || size.size() > 3 || array.elements() == 0) return false;
  const FrameAxes axes = axes_beside(size, projections, of_projections);
  const auto size_is = [&](std::optional<std::size_t> axis, int cells) {
    return (axis ? size[*axis] : 1) == static_cast<std::uint64_t>(cells);
  };
  return size_is(axes.column, projections.columns()) &&
         (columns_alone || size_is(axes.row, projections.rows()));
}

}  // namespace gantry
