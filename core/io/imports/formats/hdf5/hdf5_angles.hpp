#pragma once

#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"
#include "core/io/imports/frame_angles.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Angles of an HDF5 file, degrees.
struct Hdf5Angles {
  std::vector<double> values;
  bool is_unit_stated = false;  ///< by the attribute "units" or the name; else degrees are assumed
  ListOfAngles list;            ///< for messages
};

/// Reads a list of angles. That their unit is not stated, or is unknown, is added to `assumptions`.
/// Throws InputError: a data set that is no list of numbers, a unit of another quantity, numbers
/// that are too large for the unit.
Hdf5Angles angles_in(const Hdf5File& file, const Hdf5Dataset& list,
                     std::vector<Assumption>& assumptions);

/// Returns the nearest list that is named as angles and has a number for each of the frames, or for
/// each projection among them; else the only one of such a length that has a word of angles in its
/// name, as "srot", or in that of its group, as "s_rot/value". Null if there is none.
const Hdf5Dataset* fitting_angles(const Hdf5File& file, const Hdf5Dataset& data,
                                  std::uint64_t frames, std::uint64_t projections);

/// Returns the only list of several numbers that is named as angles, in whatever group; without
/// any, the only one with a word of angles in its name that is as long as an axis of the frames.
/// Null if there is none, or more than one.
const Hdf5Dataset* only_angles(const Hdf5File& file, const Hdf5Dataset& data);

/// Returns why there are no fitting_angles(): "/motor/theta has 5 values for 7 frames"; and which
/// other lists may be the angles. "" if there are neither.
std::string fault_of_angles(const Hdf5File& file, std::uint64_t frames, std::uint64_t projections);

/// Returns how many angles may tell which axis of a data set is that of views: those of the list
/// that the request names, else `in_file`. 0 where a list of another length may belong to the
/// first axis: it also has the angle that closes a turn, or the request marks flats or darks; a
/// single angle tells nothing.
std::size_t telling_angles(const ImportRequest& request, const Hdf5Dataset& data,
                           std::uint64_t in_file);

}  // namespace gantry
