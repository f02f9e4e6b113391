#include "core/io/imports/arrays/array_names.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/imports/names/frame_roles.hpp"

#include <algorithm>

namespace gantry {

bool is_named_as(const std::string& name, ArrayNames names) {
  return std::ranges::find(names, lower_case(name)) != names.end();
}

std::optional<FrameRole> role_called(const std::string& name) {
  if (is_named_as(name, names_of_darks)) return FrameRole::darks;
  if (is_named_as(name, names_of_flats)) return FrameRole::flats;
  const std::string lower = lower_case(name);
  // "flat_corrected" and "dark_subtracted" are projections, "data_norm_by_white" as well.
  for (const char* done : {"corr", "subtracted", "norm"})
    if (lower.find(done) != std::string::npos) return std::nullopt;
  if (names_dark(name) || may_name_dark(name)) return FrameRole::darks;
  if (names_flat(name) || may_name_flat(name)) return FrameRole::flats;
  return std::nullopt;
}

std::optional<FrameRole> role_of_array(const ListedArray& array) {
  const std::optional<FrameRole> own = role_called(array.name());
  return own ? own : role_called(array.group_name());
}

bool is_doubtful_flat(const ListedArray& array) {
  const std::string name =
      role_called(array.name()) == FrameRole::flats ? array.name() : array.group_name();
  return role_of_array(array) == FrameRole::flats && !is_named_as(name, names_of_flats) &&
         !names_flat(name);
}

std::string fault_of_list(const ListedArray& array, std::uint64_t projections,
                          std::uint64_t frames) {
  if (!array.is_number) return array.path + no_numbers;
  const std::optional<std::uint64_t> length = array.list_length();
  if (!length)
    return array.path + " is of size " + array.size_text() + " instead of a list of " +
           std::to_string(frames) + " numbers";
  return array.path + " has " + std::to_string(*length) + (*length == 1 ? " value" : " values") +
         " for " + std::to_string(projections) + " frames" +
         (frames == projections
              ? ""
              : ", or " + std::to_string(frames) + " with those of no projections");
}

}  // namespace gantry
