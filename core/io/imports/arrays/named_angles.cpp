#include "core/io/imports/arrays/named_angles.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/arrays/array_names.hpp"
#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/other_angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

using Lists = std::vector<const ListedArray*>;

/// Returns the name that says what a list is, in lower case: its own, but of "/scan/s_rot/value",
/// as logs of motors have it, that of the group.
std::string name_of_list(const ListedArray& list) {
  constexpr std::array<std::string_view, 7> of_motors = {
      "value", "values", "position", "positions", "readback", "rbv", "data"};
  const std::string name = lower_case(list.name()), group = lower_case(list.group_name());
  return is_named_as(name, of_motors) && !group.empty() ? group : name;
}

bool is_plain(const ListedArray& list) { return is_named_as(list.name(), names_of_angles); }
/// Whether a list is called as electron and limited-angle tomography call the angles.
bool is_tilt_angles(const ListedArray& list) {
  constexpr std::array<std::string_view, 2> names = {"tilt_angle", "tilt_angles"};
  return is_named_as(list.name(), names);
}
bool is_called_angles(const ListedArray& list) {
  return is_plain(list) || is_tilt_angles(list) ||
         angle_name(without_other_angles(name_of_list(list))) >= AngleName::partly;
}

/// Returns the word by which the path of a list says that it holds other angles; "" without one.
/// That a list is itself called the tilt says nothing: the object may tilt before the detector.
std::string word_against(const ArraysOfFile& file, const ListedArray& list) {
  constexpr std::array<std::string_view, 2> tilts = {"tilt", "tilts"};
  const bool is_tilt = is_tilt_angles(list) || is_named_as(list.name(), tilts);
  return word_of_other_angles(is_tilt ? list.group() + "angles" : list.path, file.frames->path);
}

/// Whether a list lies in a group called "sample", as that of NXtomo, which the frames do not.
bool lies_in_sample(const ArraysOfFile& file, const ListedArray& list) {
  constexpr std::string_view sample = "/sample/";
  const std::string group = lower_case(list.group());
  const std::size_t at = group.find(sample);
  return at != std::string::npos &&
         !lower_case(file.frames->path).starts_with(group.substr(0, at + sample.size()));
}

/// Whether a list lies in the very group of the frames, but not in that of a detector, which may
/// have an angle of its own.
bool lies_with_frames(const ArraysOfFile& file, const ListedArray& list) {
  return list.group() == file.frames->group() && lower_case(list.group_name()) != "detector";
}

/// Whether a list lies in a group with other frames than the projections, as those of a second
/// scan.
bool is_of_another_scan(const ArraysOfFile& file, const ListedArray& list) {
  const auto own = std::ranges::mismatch(list.path, file.frames->path).in1 - list.path.begin();
  const std::size_t end = list.path.find('/', static_cast<std::size_t>(own));
  if (end == std::string::npos) return false;
  const std::string group = list.path.substr(0, end + 1);
  return std::ranges::any_of(file.arrays, [&](const ListedArray* one) {
    return one->has_dimensions(3, 3) && !role_of_array(*one) && one->path.starts_with(group);
  });
}

/// Whether the angles of two lists are equal to a hundredth of their mean step.
bool are_equal(const std::vector<double>& angles, const std::vector<double>& others) {
  const double step =
      span_of(angles) / static_cast<double>(std::max<std::size_t>(2, angles.size()) - 1);
  return !angles.empty() && std::ranges::equal(angles, others, [&](double one, double other) {
    return std::abs(one - other) <= 0.01 * step || (!std::isfinite(one) && !std::isfinite(other));
  });
}

/// Returns the unit that the name of a list states; nothing without one, and for turns that would
/// be too many: then the word means something else, as a revision.
std::optional<AngleUnit> unit_by_name(const ListedArray& list, double span) {
  constexpr double most_turns = 10;
  const std::optional<AngleUnit> unit = angle_unit_in(name_of_list(list));
  return unit && unit->degrees > 60 && span > most_turns ? std::nullopt : unit;
}

/// How many groups the path of a list shares with one of the frames.
std::ptrdiff_t nearness(const ArraysOfFile& file, const ListedArray& list) {
  std::ptrdiff_t most = 0;
  for (const std::string& group : file.groups) {
    const auto end = std::ranges::mismatch(list.path, group).in1;
    most = std::max(most, std::count(list.path.begin(), end, '/'));
  }
  return most;
}

/// Returns the place of a plain name among those that say it more or less plainly.
std::ptrdiff_t place_of_name(const ListedArray& list) {
  return std::ranges::find(names_of_angles, lower_case(list.name())) - names_of_angles.begin();
}

/// Returns of lists of plain names the nearest one; of several as near, that of the plainest name,
/// and then the one whose path has most in common with that of the frames. Null without any.
const ListedArray* nearest_plain(const ArraysOfFile& file, const Lists& lists) {
  const auto in_common = [&](const ListedArray* list) {
    return std::ranges::mismatch(list->path, file.frames->path).in1 - list->path.begin();
  };
  const auto rank = [&](const ListedArray* list) {
    return std::array{-nearness(file, *list), place_of_name(*list), -in_common(list)};
  };
  const auto found = std::ranges::min_element(lists, {}, rank);
  return found == lists.end() ? nullptr : *found;
}

/// Returns the nearest of lists.
const ListedArray* nearest(const ArraysOfFile& file, const Lists& lists) {
  return *std::ranges::max_element(lists, {},
                                   [&](const ListedArray* list) { return nearness(file, *list); });
}

/// Sorts the lists of a file by what speaks for and against each of them.
class JudgedLists {
 public:
  JudgedLists(const ArraysOfFile& file, const FrameNumbers& numbers)
      : file_(file), numbers_(numbers) {
    for (const ListedArray* one : file.arrays)
      if (one != file.frames) judge(*one);
  }

  Lists fitting;       ///< as long as the frames or the projections
  Lists by_reason;     ///< of another length for which there is a reason
  Lists tilts;         ///< of either length, called the angles of a tilt
  Lists narrow;        ///< of a plain name, over less than a degree, but not of a motor at rest
  Lists unfit_beside;  ///< of a plain name, beside the frames

  /// Returns of lists that may be the angles the nearest one where all have the same values; else
  /// that of a plain name in the group of the frames, that in the group of the sample, that of a
  /// plain name, or, of lists of one name, that in the group of the frames. None where these do not
  /// tell.
  NamedAngles choice(const Lists& lists) const {
    const Lists possible = without_other_scans(lists);
    Lists likely = possible;
    const auto differ = [&] { return !differing(*likely.front(), likely).empty(); };
    const auto keep = [&](const std::function<bool(const ListedArray*)>& suits) {
      if (differ() && std::ranges::any_of(likely, suits)) std::erase_if(likely, std::not_fn(suits));
    };
    keep([&](const ListedArray* one) { return is_plain(*one) && lies_with_frames(file_, *one); });
    keep([&](const ListedArray* one) { return lies_in_sample(file_, *one); });
    keep([](const ListedArray* one) { return is_plain(*one); });
    if (std::ranges::all_of(
            likely, [&](const ListedArray* one) { return one->name() == likely.front()->name(); }))
      keep([&](const ListedArray* one) { return lies_with_frames(file_, *one); });
    Lists plain;
    std::ranges::copy_if(likely, std::back_inserter(plain),
                         [](const ListedArray* one) { return is_plain(*one); });
    if (!plain.empty()) return taken(*nearest_plain(file_, plain));
    return differ() ? none(possible) : taken(*nearest(file_, likely));
  }
  NamedAngles taken(const ListedArray& list) const {
    std::vector<std::string> faults;
    Lists named;
    if (!is_plain(list)) {
      faults = strange_faults_;
      named = strange_;
    }
    Lists all = fitting;
    for (const Lists* more : {&by_reason, &tilts})
      all.insert(all.end(), more->begin(), more->end());
    const Lists others = differing(list, without_other_scans(all));
    if (!others.empty())
      faults.push_back(listed(others) + (others.size() == 1 ? " holds" : " hold") +
                       " other values than " + list.path + takes(others.size()));
    named.insert(named.end(), others.begin(), others.end());
    return {&list, joined_faults(faults), std::move(named)};
  }
  NamedAngles none(const Lists& possible) const {
    std::vector<std::string> faults;
    if (unfit_.size() == 1) faults.push_back(fault_of(*unfit_.front()));
    if (unfit_.size() > 1)
      faults.push_back("none of " + listed(unfit_) + " has " + std::to_string(numbers_.frames) +
                       " angles");
    for (const ListedArray* one : texts_) faults.push_back(fault_of(*one));
    std::ranges::copy(strange_faults_, std::back_inserter(faults));
    const Lists& likely = possible.empty() ? others_ : possible;
    if (!likely.empty())
      faults.push_back(listed(likely) + " may be the angles" + takes(likely.size()));
    Lists named = likely;
    for (const Lists* more : {&unfit_, &texts_, &strange_})
      named.insert(named.end(), more->begin(), more->end());
    return {nullptr, joined_faults(faults), std::move(named)};
  }

 private:
  static std::string joined_faults(const std::vector<std::string>& faults) {
    std::string text;
    for (const std::string& fault : faults) text += (text.empty() ? "" : "; ") + fault;
    return text;
  }
  std::uint64_t all_frames() const {
    return static_cast<std::uint64_t>(numbers_.places.empty() ? numbers_.frames
                                                              : numbers_.all_places);
  }
  bool is_count(std::uint64_t length) const {
    return length == all_frames() || length == static_cast<std::uint64_t>(numbers_.frames);
  }
  std::string fault_of(const ListedArray& list) const {
    return fault_of_list(list, static_cast<std::uint64_t>(numbers_.frames), all_frames());
  }

  void judge(const ListedArray& list) {
    if (is_called_angles(list))
      judge_called(list);
    else
      judge_other(list);
  }
  void judge_other(const ListedArray& list) {
    constexpr std::array<std::string_view, 2> of_nxtomo = {"key", "translation"};
    const std::string name = name_of_list(list);
    const std::uint64_t length = list.list_length().value_or(0);
    if (length >= 2 && is_count(length) && angle_name(name) != AngleName::never &&
        !is_unit_of_others(file_.unit(list)) && word_against(file_, list).empty() &&
        std::ranges::none_of(letter_words(name),
                             [&](const std::string& word) { return is_named_as(word, of_nxtomo); }))
      others_.push_back(&list);
  }
  void judge_called(const ListedArray& list) {
    if (!list.is_number && list.elements() > 1 && is_plain(list)) texts_.push_back(&list);
    if (!list.is_number || list.elements() < 2) return;
    const std::optional<std::uint64_t> length = list.list_length();
    if (!length &&
        std::ranges::none_of(list.size, [&](std::uint64_t one) { return is_count(one); }))
      return;
    const bool is_as_long = !length || is_count(*length);
    const std::string word = word_against(file_, list);
    if (!word.empty()) {
      if (is_as_long)
        add_strange(list, "holds other angles than those of the object by the word \"" + word +
                              "\" in its path" + takes(1));
      return;
    }
    if (const std::string unit = file_.unit(list); !is_plain(list) && is_unit_of_others(unit)) {
      if (is_as_long)
        add_strange(list, "states the unit \"" + unit + "\", which is none of angles");
      return;
    }
    if (length) judge_fit(list, *length);
    if (!length) add_unfit(list);
  }
  void judge_fit(const ListedArray& list, std::uint64_t length) {
    constexpr std::uint64_t most_times = 8;  // of a list whose length may have a reason
    if (!is_count(length) && length > most_times * all_frames()) return add_unfit(list);
    std::vector<double> values;
    try {
      values = file_.numbers(list);
    } catch (const InputError&) {
      if (is_plain(list)) throw;
      return add_strange(list, "cannot be read");
    }
    if (!is_count(length) && !fit_frames(values, numbers_)) return add_unfit(list);
    constexpr double of_rest = 0.1;  // degrees by which the readings of a motor at rest may differ
    if (const auto span = span_below_a_degree(list, values)) {
      if (is_plain(list) && *span > of_rest) narrow.push_back(&list);
      return add_strange(
          list, "covers only " + format_param(to_digits(*span, 3)) + " degrees" + takes(1));
    }
    Lists& lists = is_tilt_angles(list) ? tilts : is_count(length) ? fitting : by_reason;
    lists.push_back(&list);
  }
  /// Returns how many degrees the angles of the projections cover, where that is less than one.
  std::optional<double> span_below_a_degree(const ListedArray& list,
                                            const std::vector<double>& values) const {
    constexpr int fewest = 3;  // two views may be near each other
    if (numbers_.frames < fewest) return std::nullopt;
    std::vector<double> of_projections;
    if (values.size() == all_frames() && !numbers_.places.empty())
      for (const int place : numbers_.places)
        of_projections.push_back(values[static_cast<std::size_t>(place)]);
    const double span = span_of(of_projections.empty() ? values : of_projections);
    const std::string attribute = file_.unit(list);
    const std::optional<AngleUnit> unit =
        attribute.empty() ? unit_by_name(list, span) : angle_unit_stated(attribute);
    const double degrees = span * (unit ? unit->degrees : 1);
    return degrees < 1 ? std::optional(degrees) : std::nullopt;
  }

  std::string takes(std::size_t lists) const {
    return " (" + file_.takes + (lists == 1 ? " it)" : " one)");
  }
  Lists without_other_scans(const Lists& lists) const {
    Lists own;
    std::ranges::copy_if(lists, std::back_inserter(own),
                         [&](const ListedArray* one) { return !is_of_another_scan(file_, *one); });
    return own.empty() ? lists : own;
  }
  /// Returns the angles of the projections in a list, in degrees; none where they cannot be taken.
  std::vector<double> degrees_in(const ListedArray& list) const {
    std::vector<Assumption> said;
    try {
      const ListedAngles angles = angles_by_unit(list, file_.numbers(list), file_.unit(list),
                                                 {.where = list.path}, "", said);
      return angles_of_frames(angles.values, numbers_, angles.list, said, angles.is_unit_stated);
    } catch (const InputError&) {
      return {};
    }
  }
  /// Returns those of lists whose values differ from those of one.
  Lists differing(const ListedArray& list, const Lists& lists) const {
    Lists others;
    if (lists.empty() || (lists.size() == 1 && lists.front() == &list)) return others;
    const std::vector<double> angles = degrees_in(list);
    std::ranges::copy_if(lists, std::back_inserter(others), [&](const ListedArray* one) {
      return one != &list && !are_equal(angles, degrees_in(*one));
    });
    return others;
  }
  void add_strange(const ListedArray& list, const std::string& why) {
    strange_.push_back(&list);
    strange_faults_.push_back(listed(Lists{&list}) + " " + why);
  }
  void add_unfit(const ListedArray& list) {
    unfit_.push_back(&list);
    if (is_plain(list) && is_beside(file_, list)) unfit_beside.push_back(&list);
  }

  const ArraysOfFile& file_;
  const FrameNumbers& numbers_;
  Lists unfit_;    ///< called angles, but of another length
  Lists texts_;    ///< called angles, but no numbers
  Lists others_;   ///< of the right length, but not called so
  Lists strange_;  ///< called angles, but of something else
  std::vector<std::string> strange_faults_;
};

}  // namespace

bool is_beside(const ArraysOfFile& file, const ListedArray& array) {
  return std::ranges::find(file.groups, array.group()) != file.groups.end();
}

NamedAngles named_angles(const ArraysOfFile& file, const FrameNumbers& numbers) {
  const JudgedLists judged(file, numbers);
  if (!judged.fitting.empty()) return judged.choice(judged.fitting);
  if (const ListedArray* list = nearest_plain(file, judged.unfit_beside)) return {list, {}, {}};
  for (const Lists* lists : {&judged.by_reason, &judged.tilts})
    if (!lists->empty()) return judged.choice(*lists);
  if (const ListedArray* list = nearest_plain(file, judged.narrow)) return judged.taken(*list);
  return judged.none({});
}

void note_other_angles(const NamedAngles& found, std::vector<std::string>& notes) {
  if (!found.others.empty()) notes.push_back("not taken as the angles: " + found.others);
}

std::uint64_t count_of_named_angles(const ArraysOfFile& file) {
  Lists beside, plain;
  std::vector<std::uint64_t> lengths;  // of those with a word of angles
  for (const ListedArray* one : file.arrays) {
    const std::uint64_t length = one->list_length().value_or(0);
    if (one == file.frames || length < 2 || !is_called_angles(*one) ||
        !word_against(file, *one).empty())
      continue;
    if (is_plain(*one)) plain.push_back(one);
    if (is_plain(*one) && is_beside(file, *one)) beside.push_back(one);
    if (!is_plain(*one) && std::ranges::count(file.frames->size, length) > 0 &&
        !is_unit_of_others(file.unit(*one)))
      lengths.push_back(length);
  }
  if (const ListedArray* list = nearest_plain(file, beside)) return *list->list_length();
  if (plain.size() == 1) return *plain.front()->list_length();
  if (!plain.empty() || lengths.empty()) return 0;
  return std::ranges::count(lengths, lengths.front()) == std::ssize(lengths) ? lengths.front() : 0;
}

ListedAngles angles_by_unit(const ListedArray& array, std::vector<double> values,
                            const std::string& attribute, ListOfAngles list, const char* remedy,
                            std::vector<Assumption>& assumptions) {
  if (is_unit_of_others(attribute))
    throw InputError("states the unit \"" + attribute + "\", which is none of angles", list.where,
                     remedy);
  if (!attribute.empty()) list.unit = "\"" + attribute + "\" is no unit that is known";
  std::optional<AngleUnit> unit =
      attribute.empty() ? unit_by_name(array, span_of(values)) : angle_unit_stated(attribute);
  ListedAngles angles{std::move(values), unit.has_value(), std::move(list)};
  if (!unit) {
    assumptions.push_back(
        {unit_of_angles, "degrees",
         array.path + (attribute.empty() ? " states none"
                                         : " states \"" + attribute +
                                               "\", which is unknown; if these are no "
                                               "degrees, " +
                                               angles.list.remedy)});
    return angles;
  }
  if (unit->name == unclear_grads) {
    unit = unit_of_grads(angles.values);
    assumptions.push_back({unit_of_angles, unit->name, reason_of_grads(*unit, array.path)});
  }
  if (unit->degrees != 1) in_degrees(angles.values, *unit, angles.list.where);
  return angles;
}

}  // namespace gantry
