#include "core/io/dicom/decoder/dicom_wire.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/pixels/codestream_check.hpp"
#include "core/io/dicom/pixels/dicom_pixels.hpp"
#include "core/io/dicom/pixels/jpeg2000.hpp"
#include "core/io/dicom/pixels/jpeg2000_memory.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/fuzz/fuzzed_parts.hpp"

#include <algorithm>
#include <string_view>

namespace gantry::test {

namespace {

using Bytes = std::span<const std::uint8_t>;

void read_as_dicom(const std::string& path, Bytes) {
  if (is_importable(path)) {
    ImportRequest request;
    request.path = path;
    import_scan(request);
  } else {
    load_volume(path);
  }
}

/// Reads the images of a file whatever its attributes are, which a series has to have.
void read_as_pixels(const std::string& path, Bytes) {
  decode_dicom_header(path);
  const DicomPixels pixels(path);
  std::vector<std::int32_t> values(pixels.format().frame_size());
  constexpr int most_frames = 3;
  for (int frame = 0; frame < std::min(pixels.format().frames, most_frames); ++frame)
    pixels.read(frame, values);
}

/// The first two bytes are the size of the image as a header would give it; the rest is a
/// codestream. The checks are those of DicomPixels, in its order.
void read_as_jpeg2000(const std::string& path, Bytes bytes) {
  if (bytes.size() < 2) return;
  const int columns = bytes[0] + 1, rows = bytes[1] + 1;
  const Bytes stream = bytes.subspan(2);
  require_allowed_memory("claims much", jpeg2000_memory(stream), stream.size(), path);
  check_jpeg2000(stream, columns, rows);
  check_jpeg2000_end(stream);
  decode_jpeg2000(stream, columns, rows);
}

/// The first byte says which of two packed results of the decoder the rest is.
void read_as_answer(const std::string&, Bytes bytes) {
  if (bytes.empty()) return;
  const std::string_view rest(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  if (bytes[0] % 2 == 0)
    wire::unpack_header(rest);
  else
    wire::unpack_lines(rest);
}

}  // namespace

std::vector<FuzzedReader> fuzzed_dicom_readers() {
  return {{"dicom", "d.dcm", 8192, read_as_dicom},
          {"dicom_pixels", "d.dcm", 8192, read_as_pixels},
          {"jpeg2000", "image.j2k", 4096, read_as_jpeg2000},
          {"decoder_answer", "answer", 4096, read_as_answer}};
}

}  // namespace gantry::test
