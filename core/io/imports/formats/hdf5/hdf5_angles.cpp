#include "core/io/imports/formats/hdf5/hdf5_angles.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace gantry {

namespace {

constexpr const char* give_others =
    "name another list (--angles-data), or give the angles by --angles or --arc";

/// Returns the name that says what a list is: its own, but of "/scan/s_rot/value", as logs of
/// motors have it, that of the group.
std::string name_of_list(const Hdf5Dataset& list) {
  const std::string name = list.name();
  return name == "value" ? group_name(list) : name;
}

/// Lists by their lengths alone.
struct ListsOfLength {
  std::vector<const Hdf5Dataset*> called_angles;  ///< have a word of angles in their names
  std::vector<const Hdf5Dataset*> others;         ///< but no times, currents or the like
};

ListsOfLength lists_as_long_as(const Hdf5File& file, std::span<const std::uint64_t> lengths) {
  constexpr std::array<std::string_view, 2> words_of_others = {"key", "translation"};  // of NXtomo
  ListsOfLength lists;
  for (const Hdf5Dataset& one : file.datasets()) {
    const std::uint64_t length = list_length(one).value_or(0);
    if (length < 2 || std::ranges::find(lengths, length) == lengths.end() ||
        is_unit_of_others(file.text_attribute(one, "units").value_or("")))
      continue;
    const std::string name = lower_case(name_of_list(one));
    const AngleName says = angle_name(name);
    const bool is_other = std::ranges::any_of(letter_words(name), [&](const std::string& word) {
      return std::ranges::find(words_of_others, word) != words_of_others.end();
    });
    if (says >= AngleName::partly)
      lists.called_angles.push_back(&one);
    else if (says != AngleName::never && !is_other)
      lists.others.push_back(&one);
  }
  return lists;
}

/// Returns the lists of several numbers that are named as angles, in whatever group.
std::vector<const Hdf5Dataset*> lists_of_angles(const Hdf5File& file) {
  std::vector<const Hdf5Dataset*> lists;
  for (const Hdf5Dataset& one : file.datasets())
    if (is_named_as(one.name(), names_of_angles) && list_length(one).value_or(0) > 1)
      lists.push_back(&one);
  return lists;
}

/// Returns the unit of a list by its attribute, else by its name; nothing where neither states one
/// that is known. Throws InputError for a unit of another quantity.
std::optional<AngleUnit> unit_of(const Hdf5File& file, const Hdf5Dataset& list,
                                 const std::string& attribute) {
  if (attribute.empty()) {
    const std::string name = name_of_list(list);
    return angle_unit(names_radians(name) ? "rad" : names_degrees(name) ? "deg" : "");
  }
  if (is_unit_of_others(attribute))
    throw InputError("states the unit \"" + attribute + "\", which is none of angles",
                     file.path() + ":" + list.path, give_others);
  return angle_unit_stated(attribute);
}

}  // namespace

Hdf5Angles angles_in(const Hdf5File& file, const Hdf5Dataset& list,
                     std::vector<Assumption>& assumptions) {
  require_list(file, list, "a list of angles", give_others);
  const std::string attribute = file.text_attribute(list, "units").value_or("");
  std::optional<AngleUnit> unit = unit_of(file, list, attribute);
  Hdf5Angles angles{.values = file.numbers(list),
                    .is_unit_stated = unit.has_value(),
                    .list = {file.path() + ":" + list.path,
                             attribute.empty() ? "nothing states it"
                                               : "\"" + attribute + "\" is no unit that is known",
                             "give the angles by --arc or --angles"}};
  say_scaling(list, assumptions);
  if (!unit) {
    assumptions.push_back({unit_of_angles, "degrees",
                           attribute.empty()
                               ? list.path + " states none"
                               : list.path + " states \"" + attribute +
                                     "\", which is unknown; if these are no degrees, " +
                                     angles.list.remedy});
    return angles;
  }
  if (unit->name == unclear_grads) {
    unit = unit_of_grads(angles.values);
    assumptions.push_back({unit_of_angles, unit->name, reason_of_grads(*unit, list.path)});
  }
  if (unit->degrees != 1) in_degrees(angles.values, *unit, angles.list.where);
  return angles;
}

const Hdf5Dataset* fitting_angles(const Hdf5File& file, const Hdf5Dataset& data,
                                  std::uint64_t frames, std::uint64_t projections) {
  for (const std::string_view name : names_of_angles)
    for (const std::uint64_t length : {frames, projections})
      if (const auto* list = list_for(file, std::string(name), data, length)) return list;
  const auto lists = lists_as_long_as(file, std::array{frames, projections}).called_angles;
  return lists.size() == 1 ? lists.front() : nullptr;
}

const Hdf5Dataset* only_angles(const Hdf5File& file, const Hdf5Dataset& data) {
  std::vector<const Hdf5Dataset*> lists = lists_of_angles(file);
  if (lists.empty()) lists = lists_as_long_as(file, data.size).called_angles;
  return lists.size() == 1 ? lists.front() : nullptr;
}

std::size_t telling_angles(const ImportRequest& request, const Hdf5Dataset& data,
                           std::uint64_t in_file) {
  const std::size_t angles = count_of_angles(request, static_cast<std::size_t>(in_file));
  const bool are_marked = !request.flat_frames.empty() || !request.dark_frames.empty();
  return are_marked || angles < 2 || angles == data.size[0] + 1 ? 0 : angles;
}

std::string fault_of_angles(const Hdf5File& file, std::uint64_t frames, std::uint64_t projections) {
  std::string faults;
  const auto add = [&](const std::string& fault) {
    faults += (faults.empty() ? "" : "; ") + fault;
  };
  const std::vector<const Hdf5Dataset*> lists = lists_of_angles(file);
  if (lists.size() == 1) add(fault_of_list(*lists.front(), projections, frames));
  if (lists.size() > 1)
    add("none of " + listed(lists) + " has " + std::to_string(projections) + " angles");
  for (const Hdf5Dataset& one : file.datasets())
    if (!one.is_number && one.elements() > 1 && is_named_as(name_of_list(one), names_of_angles))
      add(fault_of_list(one, projections, frames));
  const auto [called, others] = lists_as_long_as(file, std::array{frames, projections});
  const std::vector<const Hdf5Dataset*>& possible = called.empty() ? others : called;
  if (!possible.empty())
    add(listed(possible) + " may be the angles (--angles-data takes " +
        (possible.size() == 1 ? "it)" : "one)"));
  return faults;
}

}  // namespace gantry
