#include "core/io/dicom/pixels/codestream_check.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/pixels/jpeg2000_memory.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gantry {

namespace {

using Bytes = std::span<const std::uint8_t>;

[[noreturn]] void fail(const std::string& what) {
  throw InputError("the compressed pixel data are damaged: " + what, {},
                   "copy the file again from where it came");
}

/// Returns `count` bytes from offset `at` on as a number, the most significant byte first.
std::size_t big_endian(Bytes stream, std::size_t at, std::size_t count) {
  if (at > stream.size() || count > stream.size() - at) fail("they are cut short");
  std::size_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | stream[at + i];
  return value;
}

/// Returns 4 bytes from offset `at` on, which must exist, as a number, the least significant first.
std::size_t little_endian(Bytes stream, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 4; i > 0; --i) value = value << 8 | stream[at + i - 1];
  return value;
}

/// Throws when more than one byte follows offset `end`. One byte of padding is allowed, because
/// pixel data must have an even length.
void require_end(Bytes stream, std::size_t end) {
  if (end < stream.size() && stream.size() - end > 1)
    fail(std::to_string(stream.size() - end) + " bytes lie after the end of the image");
}

/// Checks that the segment of index `number` unpacks to exactly `pixels` bytes.
void check_rle_segment(Bytes segment, std::size_t number, std::size_t pixels) {
  const std::string name = "RLE segment " + std::to_string(number + 1);
  std::size_t at = 0, unpacked = 0;
  while (unpacked < pixels && at < segment.size()) {
    const std::size_t control = segment[at++];
    if (control == 128) continue;  // no operation
    const bool literal = control < 128;
    unpacked += literal ? control + 1 : 257 - control;
    at += literal ? control + 1 : 1;
  }
  if (unpacked != pixels || at > segment.size())
    fail(name + " unpacks to " + std::to_string(unpacked) + " bytes instead of " +
         std::to_string(pixels) + (at > segment.size() ? ", the last of them missing" : ""));
  if (segment.size() - at > 1)
    fail(name + " holds " + std::to_string(segment.size() - at) + " bytes after its last pixel");
}

// ---- Markers of JPEG, JPEG-LS and JPEG 2000: 0xff and a code

constexpr std::uint8_t start_of_image = 0xd8, end_of_image = 0xd9, start_of_scan = 0xda,
                       huffman_tables = 0xc4, jpeg_ls_frame = 0xf7;

bool starts_frame(std::uint8_t code) {
  constexpr std::array<std::uint8_t, 3> other = {huffman_tables, 0xc8,
                                                 0xcc};  // 0xc8: JPG; 0xcc: DAC
  return code == jpeg_ls_frame ||
         (code >= 0xc0 && code <= 0xcf && std::ranges::find(other, code) == other.end());
}

bool is_restart(std::uint8_t code) { return code >= 0xd0 && code <= 0xd7; }

/// Returns the offset of the next marker after coded values. Within coded values, a byte 0xff is
/// followed by a byte below 0x80 (JPEG: 0), by the code of a restart marker, or by another 0xff,
/// which is a fill byte.
std::size_t end_of_scan(Bytes stream, std::size_t at) {
  for (; at + 1 < stream.size(); ++at) {
    const std::uint8_t next = stream[at + 1];
    if (stream[at] == 0xff && next >= 0x80 && next != 0xff && !is_restart(next)) return at;
  }
  fail("they are cut short, without an end (EOI)");
}

/// Returns the code of the marker at offset `at` and moves `at` behind the marker.
std::uint8_t next_marker(Bytes stream, std::size_t& at) {
  if (big_endian(stream, at, 1) != 0xff) fail("there is no marker after a segment");
  while (big_endian(stream, at, 1) == 0xff) ++at;
  return stream[at++];
}

/// Checks a frame header, the length field of which is at offset `at`. Returns the bits per value.
int check_frame_header(Bytes stream, std::size_t at, const DicomPixelFormat& format) {
  const auto rows = big_endian(stream, at + 3, 2), columns = big_endian(stream, at + 5, 2);
  if (rows != static_cast<std::size_t>(format.rows) ||
      columns != static_cast<std::size_t>(format.columns))
    fail("they hold " + std::to_string(columns) + " x " + std::to_string(rows) +
         " pixels instead of " + std::to_string(format.columns) + " x " +
         std::to_string(format.rows));
  const std::size_t components = big_endian(stream, at + 7, 1);
  if (components != 1) fail(std::to_string(components) + " components instead of one");
  return static_cast<int>(big_endian(stream, at + 2, 1));
}

/// Returns the largest symbol of the Huffman tables of class 0 in a segment (ITU-T T.81, B.2.4.2),
/// the length field of which is at offset `at`; 0: the segment has no such table.
std::size_t largest_symbol(Bytes stream, std::size_t at, std::size_t length) {
  constexpr std::size_t lengths = 16;
  const Bytes tables = stream.subspan(at + 2, length - 2);
  std::size_t largest = 0;
  for (std::size_t table = 0; table < tables.size();) {
    const bool is_of_class_0 = (tables[table] & 0xf0) == 0;
    std::size_t symbols = 0;
    for (std::size_t i = 1; i <= lengths; ++i) symbols += big_endian(tables, table + i, 1);
    table += 1 + lengths;
    for (std::size_t i = 0; i < symbols; ++i)
      if (const std::size_t symbol = big_endian(tables, table + i, 1); is_of_class_0)
        largest = std::max(largest, symbol);
    table += symbols;
  }
  return largest;
}

/// Checks the largest symbol of tables of class 0, which is a number of bits: at most 16 in a
/// lossless frame and 15 in others. DCMTK warns of larger ones and then reads beyond its own
/// tables.
void check_symbol(std::size_t symbol, std::uint8_t frame) {
  constexpr std::array<std::uint8_t, 4> lossless = {0xc3, 0xc7, 0xcb, 0xcf};
  const std::size_t most = std::ranges::find(lossless, frame) != lossless.end() ? 16 : 15;
  if (symbol > most)
    fail("a Huffman table has the symbol " + std::to_string(symbol) + ", above " +
         std::to_string(most));
}

}  // namespace

void check_rle(Bytes stream, const DicomPixelFormat& format) {
  constexpr std::size_t header = 64;
  const auto segments = static_cast<std::size_t>(format.bits_allocated / 8);
  if (stream.size() < header) fail("they are cut short");
  if (const std::size_t count = little_endian(stream, 0); count != segments)
    fail("they have " + std::to_string(count) + " RLE segments instead of " +
         std::to_string(segments));
  for (std::size_t i = 0; i < segments; ++i) {
    const std::size_t first = little_endian(stream, 4 * (i + 1));
    const std::size_t last = i + 1 < segments ? little_endian(stream, 4 * (i + 2)) : stream.size();
    if (first < header || (i == 0 && first != header) || first > last || last > stream.size())
      fail("RLE segment " + std::to_string(i + 1) + " lies from byte " + std::to_string(first) +
           " to " + std::to_string(last) + " of " + std::to_string(stream.size()));
    check_rle_segment(stream.subspan(first, last - first), i, format.frame_size());
  }
}

int check_jpeg(Bytes stream, const DicomPixelFormat& format) {
  std::size_t at = 0;
  if (next_marker(stream, at) != start_of_image) fail("they do not begin an image (SOI)");
  int bits = 0;
  std::uint8_t frame = 0;
  std::size_t symbol = 0;
  bool scanned = false;
  for (;;) {
    const std::uint8_t code = next_marker(stream, at);
    if (code == end_of_image) break;
    const std::size_t length = big_endian(stream, at, 2);
    if (length < 2 || length > stream.size() - at) fail("they are cut short");
    if (starts_frame(code)) {
      bits = check_frame_header(stream, at, format);
      frame = code;
    }
    if (code == huffman_tables) symbol = std::max(symbol, largest_symbol(stream, at, length));
    at += length;
    if (code != start_of_scan) continue;
    scanned = true;
    at = end_of_scan(stream, at);
  }
  if (bits == 0 || !scanned) fail("they hold no image");
  check_symbol(symbol, frame);
  if (bits > format.bits_allocated || (bits <= 8 && format.bits_stored > 8))
    fail("they have " + std::to_string(bits) + " bits per pixel, the header says " +
         std::to_string(format.bits_stored));
  require_end(stream, at);
  return bits;
}

void check_jpeg2000_end(Bytes file) {
  constexpr std::uint8_t start_of_tile = 0x90;
  const Bytes stream = jpeg2000_codestream(file);
  for (std::size_t at = 2;;) {
    const std::size_t marker = at;
    const std::uint8_t code = next_marker(stream, at);
    if (code == end_of_image) return require_end(stream, at);
    std::size_t length = at - marker + big_endian(stream, at, 2);
    if (code == start_of_tile) {
      length = big_endian(stream, at + 4, 4);
      if (length == 0) {  // the tile part extends to the end, which a byte of padding may follow
        const std::size_t pad = !stream.empty() && stream.back() == 0xd9 ? 0 : 1;
        if (stream.size() < at + 4 + pad ||
            big_endian(stream, stream.size() - pad - 2, 2) != 0xffd9)
          fail("they are cut short, without an end (EOC)");
        return;
      }
    }
    if (length < 4 || length > stream.size() - marker) fail("they are cut short");
    at = marker + length;
  }
}

}  // namespace gantry
