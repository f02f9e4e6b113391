#pragma once

#include "core/io/files/file_parts.hpp"
#include "core/io/files/inflated_bytes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// A file in a zip archive.
struct ZipEntry {
  std::string name;
  std::string obstacle;      ///< why it cannot be unpacked: "is encrypted"; else empty
  bool is_deflated = false;  ///< else its bytes lie in the archive as they are
  FilePart packed;           ///< where its bytes lie, packed if so
  std::uint64_t bytes = 0;   ///< unpacked
  std::uint32_t crc32 = 0;   ///< of the unpacked bytes
};

/// Returns the files in a zip archive (PKWARE's APPNOTE, with Zip64), in the order of its
/// directory. Throws InputError: no archive, cut short, or damaged.
std::vector<ZipEntry> zip_entries(const std::string& path);

/// Returns a source of the unpacked bytes of a file. It throws InputError, with `where`, for
/// damaged data, and where all bytes were read and their CRC-32 is not the stated one. Throws
/// InputError for a file that is encrypted, or packed by another method than deflate.
ByteSource unpacked(const ZipEntry& entry, const std::string& where);

/// Returns what opens the unpacked bytes from any place on, see InflatedBytes, without comparing
/// their checksum. Throws as unpacked() does.
OpenBytes unpacked_from(const ZipEntry& entry, const std::string& where);

/// Reads all bytes of a file, which `open` opens. Throws InputError where they do not have their
/// checksum, are damaged, or are fewer than stated.
void require_sound(const ZipEntry& entry, const OpenBytes& open, const std::string& where);

}  // namespace gantry
