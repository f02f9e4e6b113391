#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gantry {

/// Length and CRC-32 (ISO 3309, as in zip and PNG) of a data file. The header repeats both, so that
/// data that were not written together with this header are detected.
struct DataSeal {
  std::uintmax_t bytes = 0;
  std::uint32_t crc32 = 0;

  /// Continues length and checksum with `more` bytes.
  void add(std::span<const std::byte> more);
};

/// Return the CRC-32 as eight hexadecimal digits, and the CRC-32 that such a text states (nothing
/// for any other text).
std::string crc_text(const DataSeal& seal);
std::optional<std::uint32_t> crc_from_text(const std::string& text);

/// Returns a source that reads from `source` and adds the bytes to `seal`, which must outlive the
/// returned source.
ByteSource sealed(ByteSource source, DataSeal& seal);

/// Throws InputError unless the data that were read have the length and the checksum that the
/// header states. `field` is the name of the checksum in the header, for the message.
void require_seal(const DataSeal& read, const DataSeal& stated, const std::string& data_file,
                  const std::string& header, const std::string& field);

}  // namespace gantry
