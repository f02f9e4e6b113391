#pragma once

#include <string>
#include <vector>

namespace gantry {

/// Returns those of the files `foreign`, which are not DICOM, that may have been slices before they
/// were damaged. Such a file lies in a folder with some of `slices`, and its name equals that of
/// one of these slices except for the digits, or ends in .dcm, or has no extension while the file
/// does not hold text. Hidden files and a DICOMDIR never count.
std::vector<std::string> stray_slices(const std::vector<std::string>& foreign,
                                      const std::vector<std::string>& slices);

/// Returns one line for the user about the files of stray_slices(); empty where there are none.
std::string describe_strays(const std::vector<std::string>& strays);

}  // namespace gantry
