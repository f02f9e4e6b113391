#pragma once

#include "core/io/dicom/file/dicom_attributes.hpp"

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

/// False when the first bytes are not those of a DICOM file. Throws InputError when it cannot be
/// opened.
bool may_be_dicom(const std::string& path);

/// nullopt when the file is not DICOM at all. Throws InputError when it cannot be opened, or is
/// DICOM but damaged or cut short before its pixels.
/// Decodes in this process: what the bytes of a file do to a library, they do to the program.
std::optional<DicomHeader> decode_dicom_header(const std::string& path);

/// The same in a process apart, where the program gantry-decoder is found: see DicomImages. Throws
/// InputError, too, when the decoder broke on the file.
std::optional<DicomHeader> read_dicom_header(const std::string& path);

}  // namespace gantry
