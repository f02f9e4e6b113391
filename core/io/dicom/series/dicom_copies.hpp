#pragma once

#include "core/io/dicom/series/dicom_frame.hpp"

#include <map>
#include <string>
#include <vector>

namespace gantry {

/// What drop_copies() did with files that are the same image (same SOP instance UID).
struct DicomCopies {
  int equal = 0;  ///< number of files removed because another file holds the same values
  std::vector<std::string> different;      ///< removed although they differ, one line each
  std::map<std::string, std::string> bad;  ///< not removed: path and error of damaged files
};

/// Returns why an image cannot be sorted into a stack (size, spacing, position or orientation is
/// missing or unusable), as the message of an error about its file; empty where it can.
std::string flaw_of_position(const DicomFrame& image);

/// Removes second copies from `images`: of the files that are the same image, the first undamaged
/// one is kept. Damaged ones are kept as well, for the caller to leave out. Where no file of an
/// image has a usable position, a missing position does not count as damage.
DicomCopies drop_copies(std::vector<DicomFrame>& images);

}  // namespace gantry
