#include "core/io/files/arrays/matlab_file.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/files/arrays/matlab_5.hpp"
#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/files/file_parts.hpp"
#include "core/io/files/foreign_file.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace gantry {

namespace {

constexpr std::string_view version_5 = "MATLAB 5.0 MAT-file", version_73 = "MATLAB 7.3 MAT-file";

/// MATLAB's first axis is the last one of HDF5, and the fastest of both.
StoredArray array_in(const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& dataset,
                     std::uintmax_t file_bytes) {
  StoredArray array = hdf5_array(file, dataset);
  array.name = dataset.path.substr(1);
  array.where = file->path() + ": " + array.name;
  std::ranges::reverse(array.size);
  array.first_axis_is_fastest = true;
  std::ranges::reverse(array.tile);
  if (array.read_box)
    array.read_box = [read = std::move(array.read_box)](ArrayBox box, std::span<float> values) {
      std::ranges::reverse(box);
      read(box, values);
    };
  if (dataset.stored_bytes == 0) {
    array.file_bytes = file_bytes;
    require_memory_for(array);
  }
  return array;
}

/// What a data set is, by the attributes that MATLAB gives it.
struct Kind {
  bool is_array = false;
  std::string left_out;  ///< the name and the reason, where something is left out that is no text
};

Kind kind_of(const Hdf5File& file, const Hdf5Dataset& dataset) {
  static const std::set<std::string> numeric = {"double", "single", "int8",   "uint8",
                                                "int16",  "uint16", "int32",  "uint32",
                                                "int64",  "uint64", "logical"};
  const std::string name = dataset.path.substr(1),
                    group = dataset.path.substr(0, dataset.path.rfind('/')),
                    type = file.text_attribute(dataset, "MATLAB_class").value_or("");
  if (!group.empty() && file.has_attribute(group, "MATLAB_sparse"))
    // Three data sets make one array, of which the columns alone are always there.
    return {false, dataset.name() == "jc" ? group.substr(1) + " (a sparse array)" : ""};
  if (type.starts_with("char")) return {};
  if (type == "cell") return {false, name + " (cells)"};
  if (!type.empty() && !numeric.contains(type))
    return {false, name + " (an object of the class " + type + ")"};
  // The data set of an empty array holds its sizes.
  if (file.has_attribute(dataset.path, "MATLAB_empty")) return {};
  if (!dataset.is_number) return {false, type.empty() ? "" : name + " (complex numbers)"};
  return {!dataset.size.empty() && std::ranges::count(dataset.size, 0) == 0, {}};
}

ArrayFile open_matlab_73(const std::string& path, const Interrupt* interrupt) {
  const auto hdf5 = std::make_shared<const Hdf5File>(path, interrupt);
  const std::uintmax_t file_bytes = length_of_file(path);
  ArrayFile file;
  for (const Hdf5Dataset& dataset : hdf5->datasets()) {
    if (dataset.path.starts_with("/#")) continue;  // what cells and objects refer to
    const Kind kind = kind_of(*hdf5, dataset);
    if (kind.is_array) file.arrays.push_back(array_in(hdf5, dataset, file_bytes));
    if (!kind.left_out.empty()) file.left_out.push_back(kind.left_out + " was left out");
  }
  return file;
}

}  // namespace

Certainty matlab_certainty(std::string_view start) {
  return start.starts_with(version_5) || start.starts_with(version_73) ? Certainty::certain
                                                                       : Certainty::none;
}

ArrayFile open_matlab(const std::string& path, const Interrupt* interrupt) {
  refuse_empty_file(path);
  const std::string start = file_start(path);
  if (matlab_certainty(start) == Certainty::none)
    throw InputError("is no MAT-file of version 5, 7 or 7.3", path, "save it by save(..., '-v7')");
  ArrayFile file =
      start.starts_with(version_73) ? open_matlab_73(path, interrupt) : open_matlab_5(path);
  if (file.arrays.empty())
    throw InputError("holds no arrays of real numbers" +
                         (file.left_out.empty() ? std::string() : ": " + joined(file.left_out)),
                     path, "save the projections as a numeric array");
  return file;
}

}  // namespace gantry
