#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/arrays/named_frames.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

/// Returns "it holds /a (2 x 3)", or that it holds no data sets that may be images.
std::string holdings(const Hdf5File& file) {
  const std::string list = listed_data_sets(file);
  return list.empty() ? "it holds no numbers in two or three dimensions" : "it holds " + list;
}

/// Whether a path is that of an object or of something below it.
bool lies_in(const std::string& path, const std::string& object) {
  return path.starts_with(object) && (path.size() == object.size() || path[object.size()] == '/');
}

[[noreturn]] void refuse_name(const Hdf5File& file, const std::string& path) {
  for (const std::string& link : file.dangling())
    if (lies_in(path, link.substr(0, link.find(" -> "))))
      throw InputError(path + " is missing, since a link leads nowhere: " + link, file.path(),
                       "put the file that the link names beside it");
  const bool is_group = std::ranges::any_of(
      file.datasets(), [&](const Hdf5Dataset& one) { return lies_in(one.path, path); });
  throw InputError(is_group ? path + " is a group, not a data set" : "has no data set " + path,
                   file.path(), "name a data set of numbers; " + holdings(file));
}

/// Returns of the data sets that suit the one whose path has most in common with that of the
/// frames.
const Hdf5Dataset* nearest_data_set(const Hdf5File& file, const Hdf5Dataset& frames,
                                    const std::function<bool(const Hdf5Dataset&)>& suits) {
  const Hdf5Dataset* best = nullptr;
  std::ptrdiff_t most = -1;
  for (const Hdf5Dataset& one : file.datasets()) {
    if (!suits(one)) continue;
    const auto in_common = std::ranges::mismatch(one.path, frames.path).in1 - one.path.begin();
    if (in_common > most) {
      most = in_common;
      best = &one;
    }
  }
  return best;
}

}  // namespace

bool is_hdf5(std::string_view start) {
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
  return start.starts_with(signature);
}

std::string listed_data_sets(const Hdf5File& file) {
  std::vector<const Hdf5Dataset*> images;
  for (const Hdf5Dataset& one : file.datasets())
    if (one.has_dimensions(2, 3)) images.push_back(&one);
  return listed(images);
}

const Hdf5Dataset& named_data_set(const Hdf5File& file, const std::string& path, std::size_t least,
                                  std::size_t most) {
  std::string whole = path.starts_with('/') ? path : "/" + path;
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  const Hdf5Dataset* found = file.find(whole);
  if (found == nullptr) refuse_name(file, whole);
  if (!found->is_number)
    throw InputError(whole + no_numbers, file.path(),
                     "name a data set of numbers; " + holdings(file));
  if (most == 1 && least == 1 && found->list_length().value_or(0) > 0) return *found;
  if (!found->has_dimensions(least, most)) {
    const std::string range = (least < most ? std::to_string(least) + " to " : std::string()) +
                              std::to_string(most) + (most == 1 ? " dimension" : " dimensions");
    throw InputError(
        whole + " is of size " + found->size_text() + " instead of " + range, file.path(),
        most == 1 ? "name a list of numbers" : "name frames, or a sinogram; " + holdings(file));
  }
  return *found;
}

std::vector<const Hdf5Dataset*> possible_projections(const Hdf5File& file,
                                                     const DataSetPaths& given) {
  std::vector<const ListedArray*> frames;
  for (const Hdf5Dataset& one : file.datasets())
    if (one.has_dimensions(3, 3)) frames.push_back(&one);
  std::vector<const Hdf5Dataset*> possible;
  for (const ListedArray* one :
       without_flats_and_darks(frames, {file.find(given.flats), file.find(given.darks)}))
    possible.push_back(file.find(one->path));
  return possible;
}

const Hdf5Dataset& only_data_set(const Hdf5File& file, const DataSetPaths& given) {
  const std::vector<const Hdf5Dataset*> possible = possible_projections(file, given);
  const bool lacks_keys = std::ranges::any_of(file.dangling(), [](const std::string& link) {
    return link.substr(0, link.find(" -> ")).ends_with("/image_key");  // of an NXtomo
  });
  if (possible.size() == 1 && !lacks_keys) return *possible.front();
  const std::string what =
      "holds neither NXtomo (frames with an image_key) nor DataExchange "
      "(/exchange/data)";
  if (lacks_keys || (possible.empty() && !file.dangling().empty()))
    throw InputError("its frames are missing, since links lead nowhere: " + joined(file.dangling()),
                     file.path(), "put the files that the links name beside it");
  if (possible.empty())
    throw InputError(what + ", nor other frames in three dimensions", file.path(),
                     "name the data set of the projections (--data); " + holdings(file));
  throw InputError(
      what + ", and more than one data set may be the projections: " + listed(possible),
      file.path(),
      "name that of the projections (--data), or those of flats and darks (--flat-data, "
      "--dark-data)");
}

std::vector<std::string> groups_of(const Hdf5File& file, const Hdf5Dataset& data) {
  std::vector<std::string> groups = {data.group()};
  for (const Hdf5Alias& alias : file.aliases())
    if (alias.target == data.path)
      groups.push_back(alias.path.substr(0, alias.path.rfind('/') + 1));
  return groups;
}

const Hdf5Dataset* nearest_numbers(const Hdf5File& file, const Hdf5Dataset& frames,
                                   const std::function<bool(const Hdf5Dataset&)>& suits) {
  return nearest_data_set(file, frames,
                          [&](const Hdf5Dataset& one) { return one.is_number && suits(one); });
}

const Hdf5Dataset* nearest_in_entry(const Hdf5File& file, const Hdf5Dataset& frames,
                                    const std::function<bool(const Hdf5Dataset&)>& suits) {
  // The lists of DataExchange lie in other groups than its frames.
  const std::string entry = entry_of(frames.path), whole = entry == "/exchange/" ? "/" : entry;
  return nearest_data_set(file, frames, [&](const Hdf5Dataset& one) {
    return one.path.starts_with(whole) && suits(one);
  });
}

const Hdf5Dataset* list_for(const Hdf5File& file, const std::string& name,
                            const Hdf5Dataset& frames, std::uint64_t length) {
  return nearest_numbers(file, frames, [&](const Hdf5Dataset& one) {
    return lower_case(one.name()) == name && one.list_length() == length;
  });
}

std::string entry_of(const std::string& path) { return path.substr(0, path.find('/', 1) + 1); }

const Hdf5Dataset* image_keys_of(const Hdf5File& file, const Hdf5Dataset& frames) {
  return frames.size.size() == 3 && frames.is_number
             ? list_for(file, "image_key", frames, frames.size[0])
             : nullptr;
}

void say_scaling(const Hdf5Dataset& dataset, std::vector<Assumption>& assumptions) {
  if (!dataset.scaling) return;
  Assumption said{"values of " + dataset.path, dataset.scaling->formula(),
                  "its attributes state it: " + dataset.scaling->attributes};
  if (std::ranges::find(assumptions, said) == assumptions.end())
    assumptions.push_back(std::move(said));
}

void require_list(const Hdf5File& file, const Hdf5Dataset& dataset, const char* what,
                  const char* remedy) {
  if (dataset.list_length()) return;
  throw InputError(dataset.is_number
                       ? dataset.path + " is of size " + dataset.size_text() + " instead of " + what
                       : dataset.path + no_numbers,
                   file.path(), remedy);
}

}  // namespace gantry
