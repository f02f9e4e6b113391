#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gantry {

/// Length and CRC-32 (ISO 3309, as in zip and PNG) of a data file, which its header repeats: data
/// that were not written with this header are noticed.
struct DataSeal {
  std::uintmax_t bytes = 0;
  std::uint32_t crc32 = 0;

  void add(std::span<const std::byte> more);
};

/// Eight hexadecimal digits, and back; nothing for any other text.
std::string crc_text(const DataSeal& seal);
std::optional<std::uint32_t> crc_from_text(const std::string& text);

/// A source that adds what is read to `seal`, which outlives it.
ByteSource sealed(ByteSource source, DataSeal& seal);

/// Throws InputError unless what was read is what the header says. `field` names the checksum in
/// the header.
void require_seal(const DataSeal& read, const DataSeal& stated, const std::string& data_file,
                  const std::string& header, const std::string& field);

}  // namespace gantry
