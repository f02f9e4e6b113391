#pragma once

#include <QByteArray>

#include <cstdint>

namespace gantry::test {

/// Returns the CRC-32 of ISO 3309, bit by bit.
inline std::uint32_t crc32_of(const QByteArray& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

/// Returns deflated bytes: those of zlib without its header and its checksum, before which Qt puts
/// the length.
inline QByteArray deflated(const QByteArray& bytes) { return qCompress(bytes).mid(6).chopped(4); }

/// Returns bytes as gzip packs them (RFC 1952).
inline QByteArray gzip(const QByteArray& bytes) {
  QByteArray packed = QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) + deflated(bytes);
  for (const std::uint32_t number : {crc32_of(bytes), static_cast<std::uint32_t>(bytes.size())})
    for (int k = 0; k < 4; ++k) packed += static_cast<char>(number >> (8 * k));
  return packed;
}

}  // namespace gantry::test
