#pragma once

#include <string>
#include <vector>

namespace gantry {

/// Of files that are not DICOM those that may have been slices before they were damaged: they lie
/// in a folder with `slices` and are named as one of them but for the digits, or end in .dcm, or
/// have no extension and do not hold text. What is hidden, a DICOMDIR and files named otherwise are
/// none.
std::vector<std::string> stray_slices(const std::vector<std::string>& foreign,
                                      const std::vector<std::string>& slices);

/// One line about them; empty where there are none.
std::string describe_strays(const std::vector<std::string>& strays);

}  // namespace gantry
