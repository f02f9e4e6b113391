#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/files/containers/hdf5_file.hpp"

#include <memory>

namespace gantry {

/// Returns the numbers of a data set with one dimension or more, in the order of HDF5: the last
/// axis is the fastest. They are read slab by slab of the first axis; packed ones in fewer than
/// three dimensions, of which a slab is only a row, at once. Where the chunks of a slab hold
/// more than 64 MB, as those do that lie across all slabs, the array has tiles; a single chunk that
/// is packed by deflate alone is unpacked piece by piece. Throws InputError: the data set claims
/// far more numbers than its bytes can hold.
StoredArray hdf5_array(const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& dataset);

}  // namespace gantry
