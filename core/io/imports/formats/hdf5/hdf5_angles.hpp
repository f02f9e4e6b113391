#pragma once

#include "core/io/imports/arrays/named_angles.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// Returns the data sets of a file as those among which angles, flats and darks are sought.
ArraysOfFile arrays_of(const Hdf5File& file, const Hdf5Dataset& data);

/// Reads a list of angles, as angles_by_unit(). Throws InputError as this, and for a data set that
/// is no list of numbers.
ListedAngles angles_in(const Hdf5File& file, const Hdf5Dataset& list,
                       std::vector<Assumption>& assumptions);

/// Returns the list of the angles of projections by its name, as named_angles(), and says that and
/// which others were not taken. Null if there is none.
const Hdf5Dataset* take_named_angles(const Hdf5File& file, const Hdf5Dataset& data,
                                     const FrameNumbers& numbers, RawScan& scan);

/// Returns how many angles a file states: those of the list that the user names, else
/// count_of_named_angles().
std::uint64_t angles_stated(const Hdf5File& file, const Hdf5Dataset& data,
                            const std::string& named);

/// Returns how many angles may tell which axis of a data set is that of views: those of the list
/// that the request names, else `in_file`. 0 where a list of another length may belong to the
/// first axis: it also has the angle that closes a turn, or the request marks flats or darks; a
/// single angle tells nothing.
std::size_t telling_angles(const ImportRequest& request, const Hdf5Dataset& data,
                           std::uint64_t in_file);

}  // namespace gantry
