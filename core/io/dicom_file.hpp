#pragma once

#include "core/io/dicom_attributes.hpp"

#include <optional>
#include <string>

namespace gantry {

/// Everything in a DICOM file before its pixels.
struct DicomHeader {
  std::string path;
  DicomAttributes meta;  ///< the file meta group 0002
  DicomAttributes data;
};

/// Registers the decoders and silences the DICOM library, once; every reader and writer calls it.
/// Throws UsageError when the library's data dictionary cannot be found.
void start_dicom();

/// nullopt when the file is not DICOM at all. Throws InputError when it cannot be opened, or is
/// DICOM but damaged or cut short before its pixels.
std::optional<DicomHeader> read_dicom_header(const std::string& path);

}  // namespace gantry
