#pragma once

#include "core/io/dicom/file/dicom_attributes.hpp"

#include <optional>
#include <string>

namespace gantry {

/// The attributes of a DICOM file that precede its pixel data.
struct DicomHeader {
  std::string path;
  DicomAttributes meta;  ///< file meta information, group 0002
  DicomAttributes data;  ///< the data set
};

/// Registers DCMTK's decoders and turns off its log output, once per process. Every function that
/// uses DCMTK calls start_dicom() first. Throws UsageError when DCMTK's data dictionary cannot be
/// found, std::bad_alloc when there is no memory to load the dictionary.
void start_dicom();

/// Returns false when the first bytes of a file cannot be those of a DICOM file. Throws InputError
/// when the file cannot be opened.
bool may_be_dicom(const std::string& path);

/// Reads the header of a file in this process: a damaged file that crashes DCMTK crashes the
/// program. Returns nullopt when the file is not DICOM. Throws InputError when the file cannot be
/// opened, or is DICOM but damaged or cut short before its pixel data.
std::optional<DicomHeader> decode_dicom_header(const std::string& path);

/// Does the same as decode_dicom_header(), but in a separate process where the program
/// gantry-decoder is found (see DicomImages). Throws InputError also when the decoder process
/// crashed on the file or took too long.
std::optional<DicomHeader> read_dicom_header(const std::string& path);

}  // namespace gantry
