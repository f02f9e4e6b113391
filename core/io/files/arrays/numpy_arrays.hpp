#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/files/file_format.hpp"

#include <string>
#include <string_view>

namespace gantry {

/// Judge a file by its first bytes, for FileFormat::magic: an array of NumPy; a zip archive that
/// begins with one.
Certainty npy_certainty(std::string_view start);
Certainty npz_certainty(std::string_view start);

/// Opens the array in a .npy file, or the arrays in a .npz file, without reading the numbers.
/// Arrays of a .npz file whose elements are no numbers are left out. Throws InputError: neither of
/// them, cut short, no numbers.
ArrayFile open_numpy(const std::string& path);

}  // namespace gantry
