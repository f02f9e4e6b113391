#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <QByteArray>

#include <algorithm>
#include <cstring>
#include <span>

namespace gantry::test {

/// Returns a source of bytes that are held in memory.
inline ByteSource source_of(const QByteArray& bytes) {
  return [bytes, at = std::size_t{0}](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), static_cast<std::size_t>(bytes.size()) - at);
    std::memcpy(out.data(), bytes.constData() + at, count);
    at += count;
    return count;
  };
}

/// Returns everything that a source delivers, up to `most` bytes.
inline QByteArray all_of(const ByteSource& source, qsizetype most = 1 << 20) {
  QByteArray bytes(most, '\0');
  bytes.resize(static_cast<qsizetype>(source(
      std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))))));
  return bytes;
}

}  // namespace gantry::test
