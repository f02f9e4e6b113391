#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/files/containers/hdf5_file.hpp"

#include <memory>

namespace gantry {

/// Returns the numbers of a data set with one dimension or more, in the order of HDF5: the last
/// axis is the fastest. They are read slab by slab of the first axis; packed ones in fewer than
/// three dimensions, of which a slab is only a row, at once. Throws InputError: the data set claims
/// far more numbers than its bytes can hold.
StoredArray hdf5_array(const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& dataset);

}  // namespace gantry
