#pragma once

#include <string>
#include <string_view>

namespace gantry {

/// Returns a new unique identifier, 2.25.<random UUID as a decimal number>. Such an identifier
/// needs no registered root and reveals nothing about this machine.
std::string new_dicom_uid();

/// Returns the identifier that takes the place of `uid` in de-identified images: 2.25.<number> of
/// 122 bits of the SHA-256 digest of `secret` and `uid`, as a UUID of version 8 (RFC 9562). Equal
/// arguments give equal identifiers. None of the two can be computed from it; whoever knows the
/// secret can confirm that a `uid` which he has at hand was replaced by it.
std::string replaced_dicom_uid(std::string_view uid, std::string_view secret);

/// Returns whether `text` is a unique identifier: at most 64 characters, numbers without leading
/// zeros joined by dots.
bool is_dicom_uid(const std::string& text);

}  // namespace gantry
