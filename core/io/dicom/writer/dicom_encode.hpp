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

/// One CT image to be written. Values are UTF-8; the values of a multi-valued attribute are
/// separated by backslashes.
struct DicomImageFile {
  std::string sop_instance_uid;
  std::vector<std::pair<DicomTag, std::string>> attributes;  ///< empty values are written
  std::string source_class_uid;
  std::vector<std::string> source_uids;           ///< Source Image Sequence
  std::optional<DerivationCode> derivation_code;  ///< Derivation Code Sequence
  std::optional<DerivationCode> deidentification_code =
      {};  ///< De-identification Method Code Sequence
  int rows = 0, columns = 0;
  std::span<const std::int16_t> pixels;  ///< [row][column]
};

/// Returns the bytes of a DICOM file of CT Image Storage, explicit VR little endian. A value that
/// its attribute does not allow is made to fit (each value of a text) or left empty (dates, codes).
/// Throws OutputError for a person's name that is longer than DICOM allows, and when DCMTK refuses
/// a value or the image.
std::vector<std::byte> encode_dicom_image(const DicomImageFile& image);

/// Returns `value` as a DICOM decimal string: the shortest text that reads back as `value`, rounded
/// where necessary to at most 16 characters.
std::string decimal_string(double value);

/// Returns whether the file was written by encode_dicom_image(); false when it cannot be read.
bool is_written_by_gantry(const std::string& path);

}  // namespace gantry
