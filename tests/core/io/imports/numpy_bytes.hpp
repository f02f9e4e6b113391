#pragma once

#include "tests/core/io/files/packed_bytes.hpp"

#include <QByteArray>

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace gantry::test {

/// Returns a number as it lies in a little-endian file.
template <class Number>
QByteArray little_endian(Number value) {
  QByteArray bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class Number>
QByteArray little_endian(std::span<const Number> values) {
  return {reinterpret_cast<const char*>(values.data()),
          static_cast<qsizetype>(values.size_bytes())};
}

/// Returns an array of NumPy: `type` as "<f4", `shape` as "(2, 3)".
inline QByteArray npy(const QByteArray& type, const QByteArray& shape, const QByteArray& numbers,
                      bool is_fortran = false, int version = 1) {
  const QByteArray text = "{'descr': '" + type +
                          "', 'fortran_order': " + (is_fortran ? "True" : "False") +
                          ", 'shape': " + shape + ", }\n";
  const QByteArray length = version == 1 ? little_endian(static_cast<std::uint16_t>(text.size()))
                                         : little_endian(static_cast<std::uint32_t>(text.size()));
  return "\x93NUMPY" + QByteArray(1, static_cast<char>(version)) + QByteArray(1, '\0') + length +
         text + numbers;
}

/// Returns a zip archive of files, stored as they are or deflated.
inline QByteArray zip(const std::vector<std::pair<QByteArray, QByteArray>>& files,
                      bool is_deflated) {
  constexpr std::uint16_t version = 20, none = 0;
  QByteArray archive, directory;
  for (const auto& [name, content] : files) {
    const QByteArray packed = is_deflated ? deflated(content) : content;
    const auto length = [](const QByteArray& bytes) {
      return little_endian(static_cast<std::uint32_t>(bytes.size()));
    };
    const QByteArray fields =
        little_endian(none) + little_endian(static_cast<std::uint16_t>(is_deflated ? 8 : 0)) +
        little_endian(std::uint32_t{0}) + little_endian(crc32_of(content)) + length(packed) +
        length(content) + little_endian(static_cast<std::uint16_t>(name.size())) +
        little_endian(none);
    directory += "PK\1\2" + little_endian(version) + little_endian(version) + fields +
                 little_endian(none) + little_endian(none) + little_endian(none) +
                 little_endian(std::uint32_t{0}) + length(archive) + name;
    archive += "PK\3\4" + little_endian(version) + fields + name + packed;
  }
  const auto count = little_endian(static_cast<std::uint16_t>(files.size()));
  const auto start = little_endian(static_cast<std::uint32_t>(archive.size()));
  return archive + directory + "PK\5\6" + little_endian(none) + little_endian(none) + count +
         count + little_endian(static_cast<std::uint32_t>(directory.size())) + start +
         little_endian(none);
}

}  // namespace gantry::test
