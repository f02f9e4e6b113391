#pragma once

#include "core/io/dicom/file/dicom_tags.hpp"
#include "core/io/dicom/writer/derivation_code.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// One CT image to be written. Values are UTF-8; several values have a backslash between them.
struct DicomImageFile {
  std::string sop_instance_uid;
  std::vector<std::pair<DicomTag, std::string>> attributes;  ///< an empty value is written empty
  std::string source_class_uid;
  std::vector<std::string> source_uids;           ///< Source Image Sequence
  std::optional<DerivationCode> derivation_code;  ///< Derivation Code Sequence
  int rows = 0, columns = 0;
  std::span<const std::int16_t> pixels;  ///< [row][column]
};

/// The bytes of a DICOM file of CT Image Storage, explicit little endian. A value that its
/// attribute does not allow is made to fit (text) or left empty (dates, codes). Throws OutputError
/// when DCMTK refuses it.
std::vector<std::byte> encode_dicom_image(const DicomImageFile& image);

/// A decimal string: the shortest one that reads back as `value`, at most 16 characters.
std::string decimal_string(double value);

/// Was the file written by encode_dicom_image? False for whatever cannot be read.
bool is_written_by_gantry(const std::string& path);

}  // namespace gantry
