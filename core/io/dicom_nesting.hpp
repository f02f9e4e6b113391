#pragma once

#include <string>

namespace gantry {

/// Throws InputError when the sequences of a DICOM file lie deeper in one another than any sensible
/// file has them: the DICOM library descends by recursion and would overflow the stack.
/// Reads the file once, in pieces. Throws InputError when it cannot be read.
void check_dicom_nesting(const std::string& path);

}  // namespace gantry
