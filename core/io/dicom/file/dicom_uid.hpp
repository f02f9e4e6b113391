#pragma once

#include <string>

namespace gantry {

/// Returns a new unique identifier, 2.25.<random UUID as a decimal number>. Such an identifier
/// needs no registered root and reveals nothing about this machine.
std::string new_dicom_uid();

/// Returns whether `text` is a unique identifier: at most 64 characters, numbers without leading
/// zeros joined by dots.
bool is_dicom_uid(const std::string& text);

}  // namespace gantry
