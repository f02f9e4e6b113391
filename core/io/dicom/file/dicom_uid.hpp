#pragma once

#include <string>

namespace gantry {

/// A new unique identifier, 2.25.<random UUID as a decimal number>: needs no registered root and
/// says nothing about this machine.
std::string new_dicom_uid();

/// At most 64 characters, numbers without leading zeros joined by dots.
bool is_dicom_uid(const std::string& text);

}  // namespace gantry
