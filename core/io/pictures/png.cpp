#include "core/io/pictures/png.hpp"

#include <new>
#include <string_view>
#include <zlib.h>

namespace gantry {

namespace {

using Bytes = std::vector<std::byte>;

void append_number(Bytes& to, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8)
    to.push_back(static_cast<std::byte>((number >> static_cast<unsigned>(shift)) & 0xFFU));
}

/// Appends a chunk: length of the data, type, data, CRC of type and data.
void append_chunk(Bytes& to, std::string_view type, std::span<const std::byte> data) {
  append_number(to, static_cast<std::uint32_t>(data.size()));
  const std::size_t first = to.size();
  for (const char c : type) to.push_back(static_cast<std::byte>(c));
  to.insert(to.end(), data.begin(), data.end());
  const auto* covered = reinterpret_cast<const Bytef*>(to.data() + first);
  append_number(to, static_cast<std::uint32_t>(crc32_z(0, covered, to.size() - first)));
}

/// Returns the rows, each after the byte 0 ("no filter"), as a zlib stream.
Bytes packed_rows(int width, int height, std::span<const std::uint8_t> pixels) {
  const auto row = static_cast<std::size_t>(width);
  std::vector<Bytef> rows;
  rows.reserve((row + 1) * static_cast<std::size_t>(height));
  for (std::size_t first = 0; first < pixels.size(); first += row) {
    rows.push_back(0);
    rows.insert(rows.end(), pixels.begin() + static_cast<std::ptrdiff_t>(first),
                pixels.begin() + static_cast<std::ptrdiff_t>(first + row));
  }
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  Bytes packed(size);
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, rows.data(),
                static_cast<uLong>(rows.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

}  // namespace

std::vector<std::byte> grey_png(int width, int height, std::span<const std::uint8_t> pixels) {
  Bytes file, header;
  for (const unsigned char c : std::string_view("\x89PNG\r\n\x1A\n"))
    file.push_back(static_cast<std::byte>(c));
  append_number(header, static_cast<std::uint32_t>(width));
  append_number(header, static_cast<std::uint32_t>(height));
  // Eight bits, grey, and the only compression, filter method and, here, no interlacing.
  for (const int value : {8, 0, 0, 0, 0}) header.push_back(static_cast<std::byte>(value));
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", packed_rows(width, height, pixels));
  append_chunk(file, "IEND", {});
  return file;
}

}  // namespace gantry
