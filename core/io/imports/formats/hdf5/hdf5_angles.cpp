#include "core/io/imports/formats/hdf5/hdf5_angles.hpp"

#include "core/io/imports/angle_list.hpp"

#include <cstddef>
#include <span>

namespace gantry {

namespace {

constexpr const char* give_others =
    "name another list (--angles-data), or give the angles by --angles or --arc";

std::string unit_attribute(const Hdf5File& file, const ListedArray& list) {
  return file.text_attribute(list.path, "units").value_or("");
}

}  // namespace

ArraysOfFile arrays_of(const Hdf5File& file, const Hdf5Dataset& data) {
  ArraysOfFile found;
  for (const Hdf5Dataset& one : file.datasets()) found.arrays.push_back(&one);
  found.frames = &data;
  found.groups = groups_of(file, data);
  found.unit = [&file](const ListedArray& list) { return unit_attribute(file, list); };
  found.numbers = [&file](const ListedArray& list) { return file.numbers(*file.find(list.path)); };
  found.takes = "--angles-data takes";
  return found;
}

ListedAngles angles_in(const Hdf5File& file, const Hdf5Dataset& list,
                       std::vector<Assumption>& assumptions) {
  require_list(file, list, "a list of angles", give_others);
  say_scaling(list, assumptions);
  const ListOfAngles said{.where = file.path() + ":" + list.path,
                          .remedy = "give the angles by --arc or --angles"};
  return angles_by_unit(list, file.numbers(list), unit_attribute(file, list), said, give_others,
                        assumptions);
}

const Hdf5Dataset* take_named_angles(const Hdf5File& file, const Hdf5Dataset& data,
                                     const FrameNumbers& numbers, RawScan& scan) {
  const NamedAngles found = named_angles(arrays_of(file, data), numbers);
  if (found.list == nullptr) {
    scan.unfit_angles = found.others;
    return nullptr;
  }
  scan.assumptions.push_back({"angles", found.list->path, "by its name"});
  note_other_angles(found, scan.notes);
  return file.find(found.list->path);
}

std::uint64_t angles_stated(const Hdf5File& file, const Hdf5Dataset& data,
                            const std::string& named) {
  return named.empty() ? count_of_named_angles(arrays_of(file, data))
                       : named_data_set(file, named, 1, 1).list_length().value_or(0);
}

std::size_t telling_angles(const ImportRequest& request, const Hdf5Dataset& data,
                           std::uint64_t in_file) {
  const std::size_t angles = count_of_angles(request, static_cast<std::size_t>(in_file));
  const bool are_marked = !request.flat_frames.empty() || !request.dark_frames.empty();
  return are_marked || angles < 2 || angles == data.size[0] + 1 ? 0 : angles;
}

}  // namespace gantry
