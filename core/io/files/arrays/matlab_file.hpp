#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/files/file_format.hpp"

#include <string>
#include <string_view>

namespace gantry {

/// Judges a file by its first bytes, for FileFormat::magic.
Certainty matlab_certainty(std::string_view start);

/// Opens the arrays of real numbers in a MAT-file of MATLAB, version 5 (6, 7) or 7.3, those in
/// structures by the names of their fields: "CtDataFull/parameters/angles". The first axis is the
/// fastest. Texts, cells, sparse and complex arrays, arrays of structures and objects are left out.
/// `interrupt` ends the reading of version 7.3; it may be null, and must outlive the arrays. Throws
/// InputError: another version, cut short, damaged, no numbers; and Interrupted.
ArrayFile open_matlab(const std::string& path, const Interrupt* interrupt = nullptr);

}  // namespace gantry
