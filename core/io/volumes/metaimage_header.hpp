#pragma once

#include "core/base/vec3.hpp"
#include "core/io/files/data_seal.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The header of a MetaImage file (itk.org/Wiki/MetaIO), checked field by field.
struct MetaHeader {
  std::array<int, 3> size{1, 1, 1};  ///< along the file's own axes
  std::array<double, 3> spacing_mm{1, 1, 1};
  std::optional<Vec3> offset_mm;                                ///< centre of the first voxel
  std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< directions of the file's axes
  NumberFormat numbers;
  bool compressed = false;
  std::optional<std::size_t> compressed_bytes;
  std::string comment;
  std::string data_file;         ///< path; that of the header when the data are in it
  std::size_t data_start = 0;    ///< where the data begin in data_file
  bool data_at_end = false;      ///< HeaderSize = -1: they are the last bytes instead
  bool start_stated = false;     ///< data_start is what HeaderSize says
  std::size_t header_end = 0;    ///< of data in the header's file: where the header ends
  std::optional<DataSeal> seal;  ///< of a data file of its own, where the header says it
  std::vector<std::string> notes;
};

/// Fields of a header that Gantry writes, which other readers of MetaImage pass over: length and
/// CRC-32 of the data file.
inline constexpr const char *seal_bytes_key = "ElementDataBytes",
                            *seal_crc_key = "ElementDataCRC32";

/// Throws InputError naming the file and the field.
MetaHeader read_meta_header(const std::string& path);

}  // namespace gantry
