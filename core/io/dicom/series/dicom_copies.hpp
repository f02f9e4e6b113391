#pragma once

#include "core/io/dicom/series/dicom_frame.hpp"

#include <map>
#include <string>
#include <vector>

namespace gantry {

/// What became of files that are the same image (same SOP instance UID).
struct DicomCopies {
  int equal = 0;                           ///< taken out: another file holds the same values
  std::vector<std::string> different;      ///< taken out although they differ, one line each
  std::map<std::string, std::string> bad;  ///< still there: damaged files, each with why
};

/// Why an image cannot be placed among others, as an error about its file; empty where it can.
std::string flaw_of_region(const DicomFrame& image);

/// Of files that are the same image the first sound one stays in `images`, and the damaged ones,
/// for the caller to leave out. Where none can be placed in space, the place is no damage.
DicomCopies drop_copies(std::vector<DicomFrame>& images);

}  // namespace gantry
