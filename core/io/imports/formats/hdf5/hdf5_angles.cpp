#include "core/io/imports/formats/hdf5/hdf5_angles.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <algorithm>
#include <optional>

namespace gantry {

namespace {

constexpr const char* give_others =
    "name another list (--angles-data), or give the angles by --angles or --arc";

/// Returns the unit of a list by its attribute, else by its name; nothing where neither states one
/// that is known. Throws InputError for a unit of another quantity.
std::optional<AngleUnit> unit_of(const Hdf5File& file, const Hdf5Dataset& list,
                                 const std::string& attribute) {
  if (attribute.empty()) {
    const std::string name = list.name();
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
  return nullptr;
}

std::vector<const Hdf5Dataset*> lists_of_angles(const Hdf5File& file) {
  std::vector<const Hdf5Dataset*> lists;
  for (const Hdf5Dataset& one : file.datasets())
    if (is_named_as(one.name(), names_of_angles) && list_length(one).value_or(0) > 1)
      lists.push_back(&one);
  return lists;
}

std::size_t telling_angles(const ImportRequest& request, const Hdf5Dataset& data,
                           std::uint64_t in_file) {
  const std::size_t angles = count_of_angles(request, static_cast<std::size_t>(in_file));
  const bool are_marked = !request.flat_frames.empty() || !request.dark_frames.empty();
  return are_marked || angles < 2 || angles == data.size[0] + 1 ? 0 : angles;
}

std::string fault_of_angles(const Hdf5File& file, std::uint64_t frames, std::uint64_t projections) {
  const std::vector<const Hdf5Dataset*> lists = lists_of_angles(file);
  if (lists.empty()) return {};
  if (lists.size() == 1) return fault_of_list(*lists.front(), projections, frames);
  return "none of " + listed(lists) + " has " + std::to_string(projections) + " angles";
}

}  // namespace gantry
