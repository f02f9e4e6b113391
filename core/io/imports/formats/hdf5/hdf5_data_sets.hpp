#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/arrays/array_names.hpp"
#include "core/io/imports/import_scan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

inline const std::vector<std::string> extensions_of_hdf5 = {".nxs", ".h5", ".hdf5", ".hdf", ".nx"};

/// Returns whether a file with these first bytes is HDF5.
bool is_hdf5(std::string_view start);

/// Returns the data sets of numbers with two or three dimensions, none of them 0, as listed().
std::string listed_data_sets(const Hdf5File& file);

/// Returns the data set of numbers that a user names, "/entry/data" or "entry/data". Throws
/// InputError, with the data sets that there are: there is none, a link leads nowhere, a group, no
/// numbers, or numbers in other than `least` to `most` dimensions.
const Hdf5Dataset& named_data_set(const Hdf5File& file, const std::string& path, std::size_t least,
                                  std::size_t most);

/// Returns the data sets that may be the projections where nothing says which they are: numbers in
/// three dimensions that are neither named as flats or darks nor given as such. The group that a
/// data set lies in names it too, "/flat/data", unless nothing would remain.
std::vector<const Hdf5Dataset*> possible_projections(const Hdf5File& file,
                                                     const DataSetPaths& given);
/// Returns the only one of these. Throws InputError with the data sets that there are if there is
/// none, or more than one.
const Hdf5Dataset& only_data_set(const Hdf5File& file, const DataSetPaths& given);

/// Returns the groups that paths of a data set lead through, with their slashes: "/entry/".
std::vector<std::string> groups_of(const Hdf5File& file, const Hdf5Dataset& data);

/// Returns of the data sets of numbers that suit the one whose path has most in common with that of
/// the frames. Null if none suits.
const Hdf5Dataset* nearest_numbers(const Hdf5File& file, const Hdf5Dataset& frames,
                                   const std::function<bool(const Hdf5Dataset&)>& suits);
/// Throws InputError unless a data set has a list_length(); `what` it should be: "a list of
/// angles".
void require_list(const Hdf5File& file, const Hdf5Dataset& dataset, const char* what,
                  const char* remedy);
/// Returns the nearest list of numbers of this name, in lower case, and length, as above.
const Hdf5Dataset* list_for(const Hdf5File& file, const std::string& name,
                            const Hdf5Dataset& frames, std::uint64_t length);

/// Returns the first part of a path with its slashes, "/entry/"; nothing of "/data".
std::string entry_of(const std::string& path);
/// Returns the nearest data set that suits, of whatever size and type, in the entry of the frames,
/// so that a list that does not fit can be refused by name; null if there is none.
const Hdf5Dataset* nearest_in_entry(const Hdf5File& file, const Hdf5Dataset& frames,
                                    const std::function<bool(const Hdf5Dataset&)>& suits);
/// Returns the list in which an NXtomo marks each of these frames; null if there is none.
const Hdf5Dataset* image_keys_of(const Hdf5File& file, const Hdf5Dataset& frames);

/// Adds how the attributes of a data set scale its numbers, once, where they do.
void say_scaling(const Hdf5Dataset& dataset, std::vector<Assumption>& assumptions);

}  // namespace gantry
