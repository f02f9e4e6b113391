#pragma once

#include "core/io/files/data_seal.hpp"
#include "core/io/files/raw_numbers.hpp"
#include "core/io/volumes/axis_arrangement.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The header of a MetaImage file (itk.org/Wiki/MetaIO), checked field by field.
struct MetaHeader : VolumeAxes {
  NumberFormat numbers;
  bool compressed = false;  ///< never, if is_text
  std::optional<std::size_t> compressed_bytes;
  std::string comment;
  std::string data_file;  ///< path; the header's own if the data follow it; the first of several
  std::vector<std::string> data_files;  ///< of the slices, if there are several; else empty
  bool is_text = false;                 ///< numbers as text (BinaryData = False)
  std::size_t data_start = 0;           ///< first byte of the data in data_file
  bool data_at_end = false;             ///< HeaderSize = -1: the data are the last bytes
  std::size_t header_end = 0;           ///< end of a header that the data follow, else 0
  std::optional<DataSeal> seal;         ///< of a separate data file, if stated
  std::vector<std::string> notes;
};

/// Header fields for the length and the CRC-32 of the data file. Gantry writes them; other readers
/// of MetaImage ignore them.
inline constexpr const char *seal_bytes_key = "ElementDataBytes",
                            *seal_crc_key = "ElementDataCRC32";

/// Returns the files that hold the values, one or more, in the order of the slices.
std::vector<std::string> data_files_of(const MetaHeader& header);

/// Reads and checks a header. Throws InputError naming the file and the field.
MetaHeader read_meta_header(const std::string& path);

}  // namespace gantry
